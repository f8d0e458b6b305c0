import { expect, test } from "vitest";
import { InvalidInputError, RateLimitError } from "skein";
import { openaiError, openaiErrorOf } from "./openai-error.ts";
import { clientOf } from "./test-openai-server.ts";

test.each([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "invalid_request_error"],
  [409, "invalid_request_error"],
  [413, "invalid_request_error"],
  [429, "rate_limit_error"],
  [500, "server_error"],
])("the official client reads a refusal with %i", async (status, type) => {
  const details = { code: "model_not_found", param: "model", headers: { "retry-after": "1" } };
  const client = await clientOf(async () => openaiError(status, "There is no such agent.", details));
  const promise = client.responses.create({ model: "a", input: "b" });
  await expect(promise).rejects.toMatchObject({
    status,
    type,
    code: "model_not_found",
    param: "model",
    message: `${status} There is no such agent.`,
  });
});

test("the words of an error are not for clients, unless they are about the request", async () => {
  const limit = new RateLimitError("planted-secret", { provider: "openai", modelId: "gpt" });
  const limited = openaiErrorOf(limit);
  expect(limited.status).toBe(429);
  expect(limited.headers.get("x-should-retry")).toBe("false");
  const texts = [
    limit,
    new Error("planted-secret"),
    new InvalidInputError("planted-secret"),
    "planted-secret",
  ];
  for (const error of texts) expect(await openaiErrorOf(error).text()).not.toContain("planted");
  const wrong = openaiErrorOf(new InvalidInputError("n must be 1.", { path: "n" }));
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toEqual({
    error: { message: "n must be 1.", type: "invalid_request_error", param: "n", code: "invalid_request" },
  });
});

test("a code that is the name of a member of every object has the status of any other", () => {
  expect(openaiErrorOf({ code: "constructor" }).status).toBe(500);
});
