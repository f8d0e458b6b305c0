import { afterEach, beforeEach, expect, test } from "vitest";
import { assertRealModelAllowed, setRealModelsBlocked } from "./real-models.ts";
import { markOffline } from "./wire-seam.ts";

beforeEach(() => setRealModelsBlocked(true));
afterEach(() => setRealModelsBlocked(false));

const ask = (url: string, fetch?: typeof globalThis.fetch): void =>
  assertRealModelAllowed("acme", "m", url, fetch);

test.each(["http://localhost:9/v1", "http://127.0.0.1:9/v1", "http://127.9.9.9/v1", "http://[::1]:9/v1"])(
  "%s is on this machine, and may be asked while real models are blocked",
  (url) => {
    expect(() => ask(url)).not.toThrow();
  },
);

test.each([
  "https://api.acme.test/v1",
  "http://localhost.acme.test/v1",
  "http://10.127.0.1/v1",
  "http://[::2]/v1",
])("%s may not be asked while real models are blocked, and may afterwards", (url) => {
  const { host } = new URL(url);
  expect(() => ask(url)).toThrow(
    expect.objectContaining({
      code: "real-model-blocked",
      data: { provider: "acme", modelId: "m" },
      message: expect.stringContaining(`acme:m would have sent a request to ${host}.`),
    }),
  );
  setRealModelsBlocked(false);
  expect(() => ask(url)).not.toThrow();
});

test("only a fetch that answers from memory may be used while real models are blocked", () => {
  const fetch = async (): Promise<Response> => new Response("");
  expect(() => ask("https://api.acme.test/v1", fetch)).toThrow("blockRealModels() is in force");
  expect(() => ask("https://api.acme.test/v1", markOffline(fetch))).not.toThrow();
});
