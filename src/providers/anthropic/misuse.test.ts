import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AuthenticationError, ConfigurationError, InvalidInputError } from "../../errors.ts";
import { setRealModelsBlocked } from "../../model/real-models.ts";
import { failureOf, refuseRequests, unknownParts } from "../kit/test-misuse.ts";
import { anthropic } from "./index.ts";

beforeEach(() => {
  vi.stubEnv("ANTHROPIC_API_KEY", undefined);
  vi.stubEnv("ANTHROPIC_BASE_URL", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  setRealModelsBlocked(false);
});

test("an unknown option is refused, with the closest name", () => {
  const options = { baseUrl: "https://proxy.test" } as object;
  expect(() => anthropic("claude-opus-5-5", options)).toThrow(
    expect.objectContaining({
      code: "invalid-option",
      message: 'anthropic("claude-opus-5-5", { ... }) has no option "baseUrl". Did you mean "baseURL"?',
    }),
  );
});

test("a model name instead of an id is refused, unless another server may have such ids", () => {
  expect(() => anthropic("anthropic:claude-opus-5-5")).toThrow('Write: anthropic("claude-opus-5-5")');
  expect(() => anthropic("")).toThrow(ConfigurationError);
  expect(() => anthropic({ model: "claude" } as unknown as string)).toThrow(
    'Write: anthropic("claude", { ... })',
  );
  expect(anthropic("anthropic:x", { baseURL: "https://gateway.test" }).modelId).toBe("anthropic:x");
});

test("a base URL without a scheme is refused, without a request", async () => {
  expect(() => anthropic("m", { baseURL: "localhost:9" })).toThrow("needs http:// or https://");
  vi.stubEnv("ANTHROPIC_BASE_URL", "localhost:9");
  const error = await failureOf(anthropic("m", { fetch: refuseRequests }));
  expect(String(error)).toContain('The ANTHROPIC_BASE_URL "localhost:9" needs http:// or https://');
  expect(refuseRequests).not.toHaveBeenCalled();
});

test("the source of an invalid key is named", async () => {
  expect(() => anthropic("m", { apiKey: "sk-hidden\n" })).toThrow("The key in apiKey holds a line break");
  expect(() => anthropic("m", { authToken: "‘hidden’" })).toThrow("The key in authToken holds a typographic");
  vi.stubEnv("ANTHROPIC_API_KEY", "“sk-hidden”");
  const error = await failureOf(anthropic("m", { fetch: refuseRequests }));
  expect(error).toMatchObject({ code: "invalid-key" });
  expect(String(error)).toContain("ANTHROPIC_API_KEY holds a typographic quotation mark");
  expect(String(error)).not.toContain("hidden");
});

test("blocked real models are reported before a missing key", async () => {
  expect(await failureOf(anthropic("m", { fetch: refuseRequests }))).toBeInstanceOf(AuthenticationError);
  setRealModelsBlocked(true);
  expect(await failureOf(anthropic("m", { fetch: refuseRequests }))).toMatchObject({
    code: "real-model-blocked",
  });
});

test.each(unknownParts)("an unknown part in %s is refused", async (place, messages) => {
  const error = await failureOf(anthropic("m", { fetch: refuseRequests, apiKey: "key" }), messages);
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(String(error)).toContain(`content[0] of ${place} has the type "image_url"`);
  expect(refuseRequests).not.toHaveBeenCalled();
});
