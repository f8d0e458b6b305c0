import { expect, test } from "vitest";
import { unlessAborted } from "./unless-aborted.ts";

test("what the work comes to is what it gives", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
  expect(await unlessAborted(Promise.resolve(1), undefined)).toBe(1);
  await expect(unlessAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
});

test("rejects with the signal's reason first, and ignores the outcome of the work afterwards", async () => {
  const controller = new AbortController();
  const work = Promise.withResolvers<number>();
  const waited = unlessAborted(work.promise, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waited).rejects.toThrow("enough");
  await expect(unlessAborted(work.promise, controller.signal)).rejects.toThrow("enough");
  // An unhandled rejection would fail the test run.
  work.reject(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve));
});
