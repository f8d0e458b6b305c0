import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AuthenticationError, ConfigurationError, InvalidInputError } from "../../errors.ts";
import { setRealModelsBlocked } from "../../model/real-models.ts";
import { failureOf, refuseRequests, unknownParts } from "../kit/test-misuse.ts";
import { openai } from "./openai.ts";

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", undefined);
  vi.stubEnv("OPENAI_BASE_URL", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  setRealModelsBlocked(false);
});

describe.each([
  ["openai", (...args: Parameters<typeof openai>) => openai(...args)],
  ["openai.responses", (...args: Parameters<typeof openai>) => openai.responses(...args)],
])("%s", (factory, make) => {
  test("refuses an unknown option, and names the closest one", () => {
    const options = { baseUrl: "https://proxy.test/v1" } as object;
    expect(() => make("gpt-5.2", options)).toThrow(
      expect.objectContaining({
        code: "invalid-option",
        message: `${factory}("gpt-5.2", { ... }) has no option "baseUrl". Did you mean "baseURL"?`,
      }),
    );
  });

  test("refuses a model name instead of an id, unless another server may have such ids", () => {
    expect(() => make("openai:gpt-5")).toThrow(`Write: ${factory}("gpt-5")`);
    expect(() => make("")).toThrow(ConfigurationError);
    expect(() => make({ model: "gpt-5" } as unknown as string)).toThrow(
      `Write: ${factory}("gpt-5", { ... })`,
    );
    expect(make("openai:gpt-5", { baseURL: "https://gateway.test/v1" }).modelId).toBe("openai:gpt-5");
  });

  test("refuses a base URL without a scheme at once", () => {
    expect(() => make("m", { baseURL: "localhost:9/v1" })).toThrow("needs http:// or https://");
  });

  test("refuses such a base URL in the environment, without a request", async () => {
    vi.stubEnv("OPENAI_BASE_URL", "localhost:9/v1");
    expect(await failureOf(make("m", { fetch: refuseRequests }))).toMatchObject({
      code: "invalid-base-url",
      message: expect.stringContaining("The OPENAI_BASE_URL") as unknown,
    });
    expect(refuseRequests).not.toHaveBeenCalled();
  });

  test("names the variable with an invalid key", async () => {
    vi.stubEnv("OPENAI_API_KEY", "“sk-hidden”");
    const error = await failureOf(make("m", { fetch: refuseRequests }));
    expect(error).toMatchObject({ code: "invalid-key" });
    expect(String(error)).toContain("OPENAI_API_KEY holds a typographic quotation mark");
    expect(String(error)).not.toContain("hidden");
    expect(() => make("m", { apiKey: "sk-hidden\n" })).toThrow("The key in apiKey holds a line break");
  });

  test("reports blocked real models before a missing key", async () => {
    expect(await failureOf(make("m", { fetch: refuseRequests }))).toBeInstanceOf(AuthenticationError);
    setRealModelsBlocked(true);
    expect(await failureOf(make("m", { fetch: refuseRequests }))).toMatchObject({
      code: "real-model-blocked",
    });
  });

  test.each(unknownParts)("refuses an unknown part in %s", async (place, messages) => {
    const error = await failureOf(make("m", { fetch: refuseRequests, apiKey: "key" }), messages);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(String(error)).toContain(`content[0] of ${place} has the type "image_url"`);
    expect(refuseRequests).not.toHaveBeenCalled();
  });
});
