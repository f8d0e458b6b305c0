import { expect, test } from "vitest";
import { providerError } from "./http-errors.ts";

test.each([
  ["Groq", 413, { error: { message: "Request too large for model `x`" } }],
  ["Hugging Face", 422, { error: "`max_new_tokens` must be <= 100. Given: 200" }],
  ["Google", 400, { error: { code: 400, message: "The input token count (9) exceeds the maximum (8)" } }],
])("%s calls a request too long in words of its own", (_, status, body) => {
  const redact = (text: string): string => text;
  expect(providerError({ provider: "p", modelId: "m", status, body, redact })).toMatchObject({
    code: "context-length",
    isRetryable: false,
  });
});
