/** Servers that close: what is under way comes to its end, others learn when to come again, and nothing hangs. */
import { expect, test } from "vitest";
import { Agent } from "skein";
import { FunctionModel } from "skein/testing";
import {
  eventsOf,
  greeter,
  heard,
  listening,
  rawConnection,
  refunds,
  request,
  served,
  waiter,
} from "./serving.ts";

const json = { "content-type": "application/json" };
const sse = { ...json, accept: "text/event-stream" };

function start(url: string, agent: string, body: object): Promise<Response> {
  return fetch(`${url}/runs/${agent}`, {
    method: "POST",
    headers: sse,
    body: JSON.stringify({ input: "Go.", ...body }),
  });
}

/** Waits until a run calls its tool. */
async function untilCalled(stream: Response): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const reader = stream.body?.getReader();
  if (!reader) throw new TypeError("There is no stream.");
  for (let text = ""; !text.includes("tool-start");)
    text += new TextDecoder().decode((await reader.read()).value);
  return reader;
}

async function restOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += new TextDecoder().decode(value);
  }
}

test("what is under way comes to its end, also what clients read of it; others are to come again", async () => {
  const { agent, letGo } = waiter();
  const { url, server, closed } = await listening(agent);
  const reader = await untilCalled(await start(url, "Waiter", { id: "a" }));
  const closing = server.close({ drain: 20_000 });
  // Longer than what is left to those who do not read.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const refused = await fetch(`${url}/agents`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ error: { code: "closing" } });
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "closing" }]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  letGo();
  expect(await restOf(reader)).toMatch(/"type":"run-end".*"status":"completed"/);
  await closing;
  await closed;
  await expect(fetch(`${url}/health`)).rejects.toThrow("fetch failed");
});

test("connections that are idle, stalled or in mid-request do not hold a server up", async () => {
  const { agent } = waiter();
  const chatter = new Agent({ name: "Chatter", model: new FunctionModel(() => "x".repeat(3_000_000)) });
  const { url, port, server } = await listening([agent, chatter, refunds()]);
  await (await fetch(`${url}/agents`)).text();
  const idle = await rawConnection(port);
  idle.write("GET /agents HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const begun = await rawConnection(port);
  begun.write(
    "POST /runs/Waiter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
  );
  const stalled = await rawConnection(port);
  stalled.pause();
  const body = JSON.stringify({ input: "Talk." });
  stalled.write(
    `POST /runs/Chatter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const reader = await untilCalled(await start(url, "Waiter", { id: "a" }));
  const paused = await eventsOf(await start(url, "Refunds", { id: "b" }));
  expect(paused.at(-1)).toMatchObject({ status: "paused" });
  const before = performance.now();
  await Promise.all([
    server.close({ drain: 100 }),
    restOf(reader).catch(() => "cut off"),
    heard(idle),
    heard(begun),
  ]);
  expect(performance.now() - before).toBeLessThan(5_000);
});

test("a server that listens nowhere closes as well, and closes twice", async () => {
  const server = served(greeter());
  expect((await server.fetch(request("GET", "/agents"))).status).toBe(200);
  await Promise.all([server.close(), server.close()]);
  await server.close({ drain: 0 });
  expect((await server.fetch(request("GET", "/agents"))).status).toBe(503);
  expect((await server.fetch(request("GET", "/health"))).status).toBe(200);
});

test("a server that listens closes twice, and one that was never asked anything once", async () => {
  const { server } = await listening(greeter());
  await Promise.all([server.close(), server.close()]);
  await expect(served(greeter()).close()).resolves.toBeUndefined();
});

test.each<[options: object, message: string]>([
  [{ port: -1 }, "Invalid port -1. Expected 0 to 65535."],
  [{ port: 80.5 }, "Invalid port 80.5. Expected 0 to 65535."],
  [{ port: 70_000 }, "Invalid port 70000. Expected 0 to 65535."],
  [{ host: "0.0.0.0" }, "listen() on 0.0.0.0 lets the network in. Set authorize of serve()"],
  [{ host: "::" }, "lets the network in"],
  [{ host: "192.0.2.1" }, "lets the network in"],
  [{ hots: "127.0.0.1" }, 'Did you mean "host"?'],
])("listen(%j) is refused", async (options, message) => {
  await expect(served(greeter()).listen(options)).rejects.toThrow(message);
});

test("a port that is taken is named", async () => {
  const { port } = await listening(greeter());
  await expect(served(greeter()).listen({ port })).rejects.toMatchObject({
    code: "listen",
    message: expect.stringContaining(`cannot listen on 127.0.0.1:${port}`),
  });
});

test("a server that knows its users listens anywhere, under the name that it was opened by", async () => {
  const server = served(greeter(), { authorize: () => ({ user: "anyone" }) });
  const everywhere = await server.listen({ port: 0, host: "0.0.0.0" });
  expect((await fetch(`http://127.0.0.1:${everywhere.port}/agents`)).status).toBe(200);
  const version6 = await server.listen({ port: 0, host: "::1" });
  expect(version6.url).toBe(`http://[::1]:${version6.port}`);
  expect((await fetch(`${version6.url}/agents`)).status).toBe(200);
});
