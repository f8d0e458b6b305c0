/** Which way a request takes: that of Node's own modules, unless a program has put something in its place. */
import diagnostics from "node:diagnostics_channel";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { setupServer } from "msw/node";
import { http as mswHttp, HttpResponse } from "msw";
import { afterEach, describe, expect, test, vi } from "vitest";
import { post } from "./index.ts";
import { ok, requestTo, serveBytes, textOf } from "./test-servers.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

async function textFrom(url: string): Promise<string> {
  const answer = await post(requestTo(url));
  if (!answer) throw new Error("no answer");
  return textOf(answer);
}

/** Which way a request to a server takes that nobody has put anything before. */
async function way(): Promise<"node:http" | "fetch" | "another"> {
  await using server = await serveBytes((socket, _, request) =>
    socket.write(ok(/user-agent: (.*)\r/i.exec(request)?.[1] ?? "")),
  );
  const agent = await textFrom(server.url);
  return agent === "skein" ? "node:http" : agent === "node" ? "fetch" : "another";
}

describe("a request goes", () => {
  test("by node:http where nothing was replaced, before and after fetch was used", async () => {
    expect(await way()).toBe("node:http");
    await fetch("http://127.0.0.1:1").catch(() => {});
    expect(await way()).toBe("node:http");
  });

  test("by the fetch that a program has put in the place of Node's", async () => {
    vi.stubGlobal("fetch", async () => new Response("stubbed"));
    expect(await textFrom("http://127.0.0.1:1/")).toBe("stubbed");
  });

  test("by Node's fetch where a program wraps that", async () => {
    const native = fetch;
    const wrapped = vi.fn<typeof fetch>((input, init) => native(input, init));
    vi.stubGlobal("fetch", wrapped);
    expect(await way()).toBe("fetch");
    expect(wrapped).toHaveBeenCalledOnce();
  });

  test("by fetch where an instrumentation watches that", async () => {
    const created: unknown[] = [];
    const listener = (message: unknown): void => void created.push(message);
    diagnostics.subscribe("undici:request:create", listener);
    try {
      expect(await way()).toBe("fetch");
      expect(created).toHaveLength(1);
    } finally {
      diagnostics.unsubscribe("undici:request:create", listener);
    }
    expect(await way()).toBe("node:http");
  });

  test("over the global agent that a program has made", async () => {
    const before = http.globalAgent;
    const agent = new http.Agent({ keepAlive: true });
    const connects = vi.spyOn(agent, "createConnection");
    http.globalAgent = agent;
    try {
      expect(await way()).toBe("node:http");
      expect(connects).toHaveBeenCalledOnce();
    } finally {
      http.globalAgent = before;
      agent.destroy();
    }
  });

  test("over the agent that it comes with, also where fetch was replaced", async () => {
    await using server = await serveBytes((socket) => socket.write(ok("real")));
    vi.stubGlobal("fetch", () => expect.fail("called"));
    const agent = new http.Agent();
    const connects = vi.spyOn(agent, "createConnection");
    const answer = await post(requestTo(server.url), agent);
    expect(answer && (await textOf(answer))).toBe("real");
    expect(connects).toHaveBeenCalledOnce();
  });
});

describe("what intercepts requests", () => {
  test("sees them: MSW", async () => {
    const server = setupServer(
      mswHttp.post("http://provider.test/chat", async ({ request }) =>
        HttpResponse.text(await request.text()),
      ),
    );
    server.listen();
    try {
      expect(await textFrom("http://provider.test/chat")).toBe('{"a":"ä"}');
    } finally {
      server.close();
    }
    expect(await way()).toBe("node:http");
  });
});

test.each(["node:http", "fetch"])("bytes go by %s as they are, and a GET without a body", async (by) => {
  if (by === "fetch") vi.stubGlobal("fetch", vi.fn<typeof fetch>(fetch));
  const received: unknown[] = [];
  const server = http.createServer(async (request, response) => {
    const { method, headers } = request;
    received.push([method, headers["content-length"], (await buffer(request)).toString("hex")]);
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  const { body: _, ...request } = requestTo(url);
  await post({ ...request, body: new Uint8Array([0, 255, 13, 10]) });
  await post({ ...request, method: "GET" });
  server.closeAllConnections();
  server.close();
  expect(received).toEqual([
    ["POST", "4", "00ff0d0a"],
    ["GET", undefined, ""],
  ]);
});
