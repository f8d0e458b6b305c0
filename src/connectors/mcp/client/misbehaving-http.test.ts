import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { json, text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { ToolResult } from "../../../message/messages.ts";
import { callTools, serve, serveModern, serveSessions, textOf, type LocalServer } from "./test-servers.ts";
import { mcp } from "./mcp.ts";

interface Request {
  readonly id?: number;
  readonly method: string;
}

/** A server of revision 2025-11-25 that answers calls as `call` does. */
function serveCalls(
  call: (response: ServerResponse, id: number) => void,
  onRequest?: () => void,
): Promise<LocalServer> {
  return serve(async (request, response) => {
    onRequest?.();
    if (request.method !== "POST") return response.writeHead(405).end();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own client wrote it
    const { id, method } = (await json(request)) as Request;
    if (id === undefined) return response.writeHead(202).end();
    if (method === "tools/call") return call(response, id);
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "odd", version: "1" },
      },
      "tools/list": { tools: [{ name: "act", inputSchema: { type: "object" } }] },
    };
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32_601, message: "Method not found" } };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
}

test.each([
  [307, "/mcp", 1],
  [308, "", 1],
  [307, "/mcp#again", 1],
  [307, "/mcp?x", 2],
])("a call with a redirect %i to its own address %j is sent once to each", async (status, to, count) => {
  let calls = 0;
  await using server = await serveCalls((response) => {
    calls++;
    response.writeHead(status, { location: to }).end();
  });
  await using tools = mcp({ url: server.url });
  const [result] = await callTools(tools, ["act"]);
  expect(result?.outcome).toBe("error");
  expect(textOf(result)).toContain("the server redirects in a circle: not followed");
  expect(calls).toBe(count);
});

test("a server that asks for thousands of things within an answer is left, and has its answers of none", async () => {
  const pings = Array.from({ length: 5_000 }, (_, id) => ({ jsonrpc: "2.0", id: `q${id}`, method: "ping" }));
  let requests = 0;
  await using server = await serveCalls(
    (response, id) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const result = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "hi" }] } };
      response.end([...pings, result].map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    },
    () => void requests++,
  );
  await using tools = mcp({ url: server.url });
  const [result] = await callTools(tools, ["act"]);
  expect(textOf(result)).toContain("asked for more than 64 things at once, and was left");
  expect(requests).toBeLessThan(100);
});

test("closing does not wait for a server that never answers the end of its session", async () => {
  await using server = await serve(async (request, response) => {
    if (request.method !== "POST")
      return request.method === "DELETE" ? undefined : response.writeHead(405).end();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own client wrote it
    const { id, method } = (await json(request)) as Request;
    if (id === undefined) return response.writeHead(202).end();
    if (method !== "initialize" && method !== "tools/list") return response.writeHead(400).end();
    const serverInfo = { name: "odd", version: "1" };
    const initialized = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    const result = method === "initialize" ? initialized : { tools: [] };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  const tools = mcp({ url: server.url });
  expect(await tools.tools()).toEqual([]);
  await tools.close();
});

test("a stream that the server ends at once is opened again once a second", async () => {
  let streams = 0;
  await using server = await serve(async (request, response) => {
    if (request.method === "GET") {
      streams++;
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.end("retry: 0\nid: 1\ndata: \n\n");
    }
    if (request.method !== "POST") return response.writeHead(405).end();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own client wrote it
    const { id, method } = (await json(request)) as Request;
    if (id === undefined) return response.writeHead(202).end();
    if (method !== "initialize" && method !== "tools/list") return response.writeHead(400).end();
    const serverInfo = { name: "odd", version: "1" };
    const initialized = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    response.writeHead(200, { "content-type": "application/json" });
    const result = method === "initialize" ? initialized : { tools: [] };
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await using tools = mcp({ url: server.url });
  await tools.tools();
  await expect.poll(() => streams, { timeout: 5_000 }).toBe(2);
  await new Promise((resolve) => void setTimeout(resolve, 300));
  expect(streams).toBeLessThan(5);
});

test("a call that is redirected to another address of the server is answered there", async () => {
  let count = 0;
  await using server = await serveCalls((response, id) => {
    if (++count === 1) return void response.writeHead(307, { location: "/mcp/" }).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "there" }] } }),
    );
  });
  await using tools = mcp({ url: server.url });
  expect(textOf((await callTools(tools, ["act"]))[0])).toBe("there");
  expect(server.requests.at(-1)).toBe("POST /mcp/");
});

/** A text of 100 MB. */
function* hundredMegabytes(start: string): Generator<string> {
  yield start;
  for (let count = 0; count < 100; count++) yield "x".repeat(1_000_000);
}

/** What is asked, as our own client writes it. */
function bodyOf(init: RequestInit | undefined): string {
  return typeof init?.body === "string" ? init.body : "";
}

test.each(["application/json", "text/event-stream"])(
  "an answer of 100 MB as %s is an error of its call",
  async (type) => {
    await using server = await serveCalls((response) => {
      response.writeHead(200, { "content-type": type });
      const start = type === "text/event-stream" ? "data: " : '{"result":"';
      Readable.from(hundredMegabytes(start)).pipe(response);
    });
    await using tools = mcp({ url: server.url });
    const [result] = await callTools(tools, ["act"]);
    expect(result?.outcome).toBe("error");
    expect(textOf(result)).toMatch(
      /more than maxMessageBytes \(16777216 bytes\)|stream ended before its answer/,
    );
  },
);

test.each(["application/json", "text/event-stream"])(
  "an answer of more values than maxMessageBytes allows for is an error of its call (%s)",
  async (type) => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]));
    await using server = await serveCalls((response, id) => {
      const text = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [], structuredContent: many } });
      response.writeHead(200, { "content-type": type });
      response.end(type === "application/json" ? text : `data: ${text}\n\n`);
    });
    await using tools = mcp({ url: server.url });
    const [result] = await callTools(tools, ["act"]);
    expect(result?.isError).toBe(true);
    expect(textOf(result)).toMatch(/more values than maxMessageBytes|ended before its answer/);
  },
);

test("many small events come to more than one message may have", async () => {
  await using server = await serveCalls((response, id) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const event = {
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "x".repeat(900) },
    };
    for (let count = 0; count < 20; count++) response.write(`data: ${JSON.stringify(event)}\n\n`);
    const result = { content: [{ type: "text", text: "all of it" }] };
    response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\r\n\r\n`);
  });
  await using tools = mcp({ url: server.url, maxMessageBytes: 10_000 });
  expect(textOf((await callTools(tools, ["act"]))[0])).toBe("all of it");
});

test.each([
  [
    "ends its stream",
    (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" }).end(),
  ],
  ["breaks the connection", (response: ServerResponse) => void response.destroy()],
  [
    "answers with a page",
    (response: ServerResponse) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  ],
  ["answers with an error", (response: ServerResponse) => response.writeHead(500).end("out of order")],
  [
    "leads elsewhere",
    (response: ServerResponse) => response.writeHead(307, { location: "https://example.com/mcp" }).end(),
  ],
])("a call fails where the server %s, and the next one is made", async (_, fail) => {
  let count = 0;
  await using server = await serveCalls((response, id) => {
    if (++count === 1) return void fail(response);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "well" }] } }),
    );
  });
  await using tools = mcp({ url: server.url });
  const [first] = await callTools(tools, ["act"]);
  expect(first?.outcome).toBe("error");
  expect(textOf((await callTools(tools, ["act"]))[0])).toBe("well");
  expect(count).toBe(2);
});

test("names an unreachable address, and one that is not an MCP server", async () => {
  await using page = await serve((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  );
  const gone = await serve(() => undefined);
  await gone[Symbol.asyncDispose]();
  await expect(mcp({ url: page.url, required: true }).tools()).rejects.toThrow(
    /The MCP server "127_0_0_1" cannot be used: ./,
  );
  await expect(mcp({ url: gone.url, required: true }).tools()).rejects.toThrow(
    `The MCP server "127_0_0_1" cannot be used: no connection to ${new URL(gone.url).host} (ECONNREFUSED).`,
  );
});

test("a server that refuses who asks is not tried the older way", async () => {
  await using server = await serve((_, response) => response.writeHead(401).end());
  const tools = mcp({ url: server.url, required: true });
  await expect(tools.tools()).rejects.toThrow("cannot be used");
  expect(server.requests.every((request) => request.startsWith("POST"))).toBe(true);
});

test("a stream of news that ends is opened again, and the tools are listed again", async () => {
  let isBroken = false;
  const inner = await serveModern();
  await using tools = mcp({
    url: inner.url,
    async fetch(url, init) {
      const response = await fetch(url, init);
      const isNews = bodyOf(init).includes("subscriptions/listen");
      if (!isNews || isBroken || !response.body) return response;
      isBroken = true;
      // The acknowledgement, and then nothing more.
      const { value } = await response.body.getReader().read();
      return new Response(value, response);
    },
  });
  await using _ = inner;
  const listings = (): number =>
    inner.headers.filter((headers) => headers["mcp-method"] === "subscriptions/listen").length;
  await tools.tools();
  expect(isBroken).toBe(true);
  await expect.poll(async () => (await tools.tools()) && listings()).toBe(2);
});

test("a server that answers a forgotten session with 400 is connected to again, too", async () => {
  const sessions = new Map();
  await using inner = await serveSessions(sessions);
  let isForgotten = false;
  await using tools = mcp({
    url: inner.url,
    fetch: async (url, init) => {
      const isCall = isForgotten && bodyOf(init).includes("tools/call");
      if (!isCall) return fetch(url, init);
      isForgotten = false;
      return new Response("Bad Request: No valid session ID provided", { status: 400 });
    },
  });
  await tools.tools();
  isForgotten = true;
  expect(textOf((await callTools(tools, ["grow"]))[0])).toBe("grown");
  expect(sessions.size).toBe(2);
});

test("a call that is answered with 400 and other words of a session is not made again", async () => {
  const sessions = new Map();
  await using inner = await serveSessions(sessions);
  let calls = 0;
  await using tools = mcp({
    url: inner.url,
    fetch: async (url, init) => {
      if (!bodyOf(init).includes("tools/call")) return fetch(url, init);
      calls += 1;
      return new Response("The card was charged, but the session could not be closed.", { status: 400 });
    },
  });
  const [result] = await callTools(tools, ["grow"]);
  expect([calls, result?.isError]).toEqual([1, true]);
});

const cuts: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ["its connection", (response) => void response.destroy()],
  [
    "the stream of its answer",
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hi\n\n");
      setTimeout(() => response.destroy(), 20);
    },
  ],
  [
    "a stream without an answer",
    (response) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(),
  ],
  [
    "half an answer",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"js');
      setTimeout(() => response.destroy(), 20);
    },
  ],
];

/** A server that cuts off as many calls as it is told, and forgets its session with the first one where it has any. */
async function cutting(
  cut: (response: ServerResponse) => void,
  times: number,
  annotations: object,
  hasSessions = false,
): Promise<{ readonly calls: () => number; readonly result: ToolResult | undefined }> {
  let calls = 0;
  let session = 1;
  await using server = await serve(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method } = JSON.parse(await text(request));
    const answer = (result: object): unknown =>
      response
        .writeHead(200, {
          "content-type": "application/json",
          ...(hasSessions && { "mcp-session-id": `session-${session}` }),
        })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "initialize")
      return answer({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "cutting", version: "1" },
      });
    if (hasSessions && request.headers["mcp-session-id"] !== `session-${session}`)
      return response.writeHead(404).end();
    if (id === undefined) return response.writeHead(202).end();
    if (method === "tools/list")
      return answer({ tools: [{ name: "look", inputSchema: { type: "object" }, annotations }] });
    if (method !== "tools/call") return response.writeHead(404).end();
    calls++;
    if (calls > times) return answer({ content: [{ type: "text", text: `answer ${calls}` }] });
    session++;
    return cut(response);
  });
  await using tools = mcp({ url: server.url, protocol: "legacy" });
  const [result] = await callTools(tools, ["look"]);
  return { calls: () => calls, result };
}

test.each(cuts)("a harmless call whose server cuts off %s is made again, once", async (_what, cut) => {
  for (const hint of [{ readOnlyHint: true }, { idempotentHint: true }]) {
    for (const hasSessions of [false, true]) {
      const { result } = await cutting(cut, 1, hint, hasSessions);
      expect(textOf(result)).toBe("answer 2");
    }
  }
  const twice = await cutting(cut, 2, { readOnlyHint: true });
  expect([twice.calls(), twice.result?.outcome]).toEqual([2, "error"]);
});

test.each(cuts)("another call whose server cuts off %s is not made again", async (_what, cut) => {
  const { calls, result } = await cutting(cut, 1, { destructiveHint: true });
  expect(calls()).toBe(1);
  expect(textOf(result)).toMatch(/failed before it answered \(.+\); the call may or may not/);
});
