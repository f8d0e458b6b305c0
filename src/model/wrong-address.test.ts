import { expect, test } from "vitest";
import { providerError } from "./http-errors.ts";

function messageOf(status: number, message: string): string {
  const where = { provider: "acme", modelId: "m", url: "https://acme.test/chat?key=k" };
  return providerError({ ...where, status, body: { error: { message } }, redact: (text) => text }).message;
}

test("an error says where the request went if the server does not know the path", () => {
  for (const status of [404, 405])
    expect(messageOf(status, "Not found.")).toContain(
      "The request went to https://acme.test/chat: check the baseURL.",
    );
});

test("it does not where the server does not know the model, or fails otherwise", () => {
  expect(messageOf(404, "The model m does not exist.")).not.toContain("baseURL");
  for (const status of [400, 403, 500]) expect(messageOf(status, "Not found.")).not.toContain("baseURL");
});
