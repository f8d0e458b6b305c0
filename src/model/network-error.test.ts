import { expect, test } from "vitest";
import { InvalidRequestError, ModelTimeoutError, NetworkError } from "../errors.ts";
import { networkError } from "./network-error.ts";

const redact = (text: string): string => text.replaceAll("hunter2", "[redacted]");

function failure(error: unknown, { provider = "acme", url = "https://acme.test/v1/chat" } = {}): Error {
  return networkError({ provider, modelId: "m", url, redact }, "could not reach", error);
}

/** An error as `fetch` throws it. */
const fetchFailed = (cause: unknown): Error => new TypeError("fetch failed", { cause });
const withCode = (code: string, message = "no"): Error => Object.assign(new Error(message), { code });

test("the words and the code are those of the cause, which says more than fetch", () => {
  expect(failure(fetchFailed(withCode("ECONNRESET", "socket hang up")))).toMatchObject({
    message: "acme:m: could not reach acme.test (ECONNRESET: socket hang up).",
    providerCode: "ECONNRESET",
    isRetryable: true,
  });
  expect(failure(fetchFailed(withCode("ENOTFOUND", "getaddrinfo ENOTFOUND acme.test"))).message).toBe(
    "acme:m: could not reach acme.test (getaddrinfo ENOTFOUND acme.test).",
  );
  expect(failure(fetchFailed(new Error(""))).message).toContain("(fetch failed)");
  expect(failure("refused by hunter2")).toMatchObject({
    message: "acme:m: could not reach acme.test (refused by [redacted]).",
    providerCode: undefined,
    isRetryable: true,
  });
});

test("an error of Skein's own is passed on", () => {
  const own = new InvalidRequestError("no", { provider: "acme", modelId: "m" });
  expect(failure(own)).toBe(own);
});

test.each(["ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT"])("%s is a timeout", (code) => {
  expect(failure(fetchFailed(withCode(code)))).toBeInstanceOf(ModelTimeoutError);
});

test.each([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_X",
])("%s is not tried again", (code) => {
  const error = failure(fetchFailed(withCode(code)));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ isRetryable: false });
});

test.each([
  ["Node's", fetchFailed(new Error("unexpected redirect"))],
  ["Bun's", withCode("UnexpectedRedirect")],
  ["Deno's", new TypeError("redirect mode is set to error")],
])("%s words for a redirect are explained, and it is not tried again", (_, error) => {
  expect(failure(error)).toMatchObject({
    isRetryable: false,
    message: expect.stringContaining("give it as the baseURL"),
  });
});

test("where Ollama's port or the provider of that name refuses, it may not run", () => {
  const refused = fetchFailed(withCode("ECONNREFUSED"));
  const hint = "Is Ollama running?";
  expect(failure(refused, { url: "http://127.0.0.1:11434/v1" }).message).toContain(hint);
  expect(failure(refused, { provider: "ollama" }).message).toContain(hint);
  expect(failure(refused).message).not.toContain(hint);
  expect(failure(fetchFailed(withCode("ENOTFOUND")), { provider: "ollama" }).message).not.toContain(hint);
});

test("the code is looked for down to the eighth cause, and causes that lead in a circle end", () => {
  const nested = (levels: number): Error =>
    levels === 0 ? withCode("EDEEP") : new Error("no", { cause: nested(levels - 1) });
  expect(failure(nested(7))).toMatchObject({ providerCode: "EDEEP" });
  expect(failure(nested(8))).toMatchObject({ providerCode: undefined });
  const circle = new Error("round");
  circle.cause = circle;
  expect(failure(circle).message).toContain("(round)");
});

test("the cause is a copy without secrets", () => {
  const error = failure(Object.assign(fetchFailed(withCode("E_hunter2", "hunter2")), { request: "hunter2" }));
  expect(error).toMatchObject({
    message: "acme:m: could not reach acme.test (E_[redacted]: [redacted]).",
    providerCode: "E_[redacted]",
    cause: { message: "fetch failed", cause: { message: "[redacted]" } },
  });
  expect(error.cause).not.toHaveProperty("request");
});

test("the host is named with its port, and no more of the address", () => {
  expect(failure(new Error("no"), { url: "https://ada:pw@acme.test:8443/v1?key=k" }).message).toBe(
    "acme:m: could not reach acme.test:8443 (no).",
  );
});

test.each(["ECONNREFUSED", "EPIPE", "TIMEOUT_X", "CERTAIN"])("%s is not a timeout", (code) => {
  expect(failure(withCode(code))).toBeInstanceOf(NetworkError);
});

test("a code that is not a text, and a cause that is not an error, say nothing", () => {
  const error = Object.assign(new Error("no", { cause: "because" }), { code: 7 });
  expect(failure(error)).toMatchObject({
    message: "acme:m: could not reach acme.test (no).",
    providerCode: undefined,
    isRetryable: true,
  });
});

test("Ollama that fails otherwise gets no hint", () => {
  expect(failure(new Error("reset"), { provider: "ollama" }).message).toBe(
    "ollama:m: could not reach acme.test (reset).",
  );
});
