import { afterEach, expect, test, vi } from "vitest";
import { isRedirect } from "./redirect.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("redirects are errors where the platform knows that, and answers where it does not", async () => {
  vi.resetModules();
  expect((await import("./redirect.ts")).redirectMode()).toBe("error");
  // As Cloudflare's Workers refuse it.
  vi.stubGlobal("Request", function Request() {
    throw new TypeError('Invalid redirect value, must be one of "follow" or "manual"');
  });
  vi.resetModules();
  expect((await import("./redirect.ts")).redirectMode()).toBe("manual");
});

test("an answer that leads elsewhere is a redirect", () => {
  expect(isRedirect(Response.redirect("https://example.com", 308))).toBe(true);
  expect(isRedirect(new Response("text"))).toBe(false);
  expect(isRedirect(new Response("text", { status: 400 }))).toBe(false);
  expect(isRedirect(new Response("text", { status: 299 }))).toBe(false);
  expect(isRedirect(new Response("text", { status: 300 }))).toBe(true);
  // All that a browser shows of one.
  expect(isRedirect(Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" }))).toBe(true);
});
