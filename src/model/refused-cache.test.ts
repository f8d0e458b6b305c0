import { expect, test } from "vitest";
import { providerError } from "./http-errors.ts";

function messageOf(status: number, type: string, message: string): string {
  const body = { error: { type, message } };
  return providerError({ provider: "acme", modelId: "m", status, body, redact: (text) => text }).message;
}

test.each([
  "messages.0.content.0.text.cache_control: Extra inputs are not permitted",
  "property 'prompt_cache_key' is unsupported",
])("a server that refuses the fields of the cache can be used without them: %s", (message) => {
  expect(messageOf(400, "invalid_request_error", message)).toBe(
    `acme:m refused the request (400, invalid_request_error): ${message}. ` +
      "For a server without prompt caching, set settings: { cache: false }.",
  );
  expect(messageOf(500, "api_error", message)).not.toContain("settings");
});
