import { expect, test, vi } from "vitest";
import { cancelWith } from "./cancel-with.ts";

/** A response that waits for its next piece behind the first, and what is called when it is cancelled. */
function waiting(): { readonly response: Response; readonly cancelled: ReturnType<typeof vi.fn> } {
  const cancelled = vi.fn<(reason: unknown) => void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
    cancel: cancelled,
  });
  return { response: new Response(body, { status: 202, headers: { "x-one": "1" } }), cancelled };
}

test("a response is what it was, piece by piece", async () => {
  const { signal } = new AbortController();
  const response = cancelWith(new Response("a text", { status: 201, headers: { "x-one": "1" } }), signal);
  expect([response.status, response.headers.get("x-one"), await response.text()]).toEqual([
    201,
    "1",
    "a text",
  ]);
  const empty = new Response(null, { status: 204 });
  expect(cancelWith(empty, signal)).toBe(empty);
});

test("a request that is aborted cancels the stream, whose reader waits for the next piece", async () => {
  const controller = new AbortController();
  const { response, cancelled } = waiting();
  const reader = cancelWith(response, controller.signal).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
  const next = reader?.read();
  controller.abort("gone");
  expect(await next).toEqual({ done: true, value: undefined });
  expect(cancelled).toHaveBeenCalledExactlyOnceWith("gone");
});

test("a reader that leaves cancels the stream, and one whose request was aborted before gets nothing", async () => {
  const one = waiting();
  await cancelWith(one.response, new AbortController().signal).body?.cancel("enough");
  expect(one.cancelled).toHaveBeenCalledExactlyOnceWith("enough");
  const other = waiting();
  expect(await cancelWith(other.response, AbortSignal.abort("gone")).text()).toBe("");
  expect(other.cancelled).toHaveBeenCalledExactlyOnceWith("gone");
});

test("a stream that fails fails for its reader", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
  await expect(cancelWith(new Response(body), new AbortController().signal).text()).rejects.toThrow("broken");
});
