import { Agent } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { requestTo, textOf } from "../node/test-servers.ts";
import { post, warm } from "./index.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a request goes by the fetch of now, and is answered as by node:http", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    sent.push([url, init.method, init.redirect, init.body, init.headers]);
    return new Response("data: 1\n\n", { status: 201, headers: { "X-One": "a" } });
  });
  const answer = await post(requestTo("https://provider.test/chat"));
  expect(answer && [answer.status, Object.fromEntries(answer.headers), answer.isRedirect]).toEqual([
    201,
    { "content-type": "text/plain;charset=UTF-8", "x-one": "a" },
    false,
  ]);
  expect(answer && (await textOf(answer))).toBe("data: 1\n\n");
  const headers = { "content-type": "application/json" };
  expect(sent).toEqual([["https://provider.test/chat", "POST", "error", '{"a":"ä"}', headers]]);
});

test("an answer that is not a Response is not taken for one", async () => {
  vi.stubGlobal("fetch", async () => ({ status: 200 }));
  expect(await post(requestTo("https://provider.test/chat"))).toBeUndefined();
});

test("an agent is an error: these runtimes have none", async () => {
  await expect(post(requestTo("https://provider.test/chat"), new Agent())).rejects.toMatchObject({
    code: "no-agents",
    message: "The option agent is for Node. On this runtime, give a fetch that connects as you need it.",
  });
});

test("a server is connected to by a request of its own, without a body or a path", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (url: URL, { method, redirect, headers }: RequestInit) => {
    sent.push([url.href, method, redirect, headers]);
    return new Response(null, { status: 404 });
  });
  expect(await warm("https://provider.test/v1/chat?key=secret")).toBe(true);
  expect(sent).toEqual([["https://provider.test/", "HEAD", "manual", undefined]]);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  expect(await warm("https://provider.test/v1/chat")).toBe(false);
  await expect(warm("https://provider.test/v1/chat", new Agent())).rejects.toMatchObject({
    code: "no-agents",
  });
});
