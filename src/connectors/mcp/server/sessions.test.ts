import { request as httpRequest } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Agent } from "../../../agent/agent.ts";
import { tool } from "../../../tool/define.ts";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { mcpHandler, serveMcp } from "./serve-mcp.ts";
import { connected, initialize, newClient, post, revisions, served } from "./test-clients.ts";

const greet = tool<{ readonly name: string }>({
  name: "greet",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  execute: ({ name }) => `Hello, ${name}!`,
});

/** A request with headers that `fetch` does not let through, and its status. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const type = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const sent = httpRequest(url, { method: "POST", headers: { ...type, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(initialize));
  });
}

async function openSession(url: string): Promise<{ readonly "mcp-session-id": string }> {
  const response = await post(url, initialize);
  await response.text();
  return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
}

describe("pages of other sites (DNS rebinding)", () => {
  test.each([
    [{ host: "evil.example" }, 403],
    [{ host: "evil.example:80" }, 403],
    [{ host: "localhost.evil.example" }, 403],
    [{ origin: "https://evil.example" }, 403],
    [{ host: "evil.example@localhost" }, 400],
    [{ host: "localhost@evil.example" }, 400],
    [{ host: "localhost/evil" }, 400],
    [{ host: "localhost?x" }, 400],
    [{ host: "localhost:port" }, 400],
    [{ host: "[::1" }, 400],
    [{ host: "%6cocalhost" }, 400],
    [{ origin: "null" }, 403],
    [{ host: "localhost", origin: "http://localhost:5173" }, 200],
    [{ host: "[::1]:1" }, 200],
  ])("%j is answered with %i", async (headers, status) => {
    const { url } = await served({ tools: [greet] });
    expect(await statusOf(url, headers)).toBe(status);
  });

  test.each(["evil.example@localhost", "localhost@evil.example", "[::1", ""])(
    "the host %j is refused by the handler itself",
    async (host) => {
      const handler = await mcpHandler({ tools: [greet] });
      onTestFinished(() => handler.close());
      const request = new Request("http://localhost/mcp", { method: "POST", headers: { host }, body: "{}" });
      expect(await handler.fetch(request)).toMatchObject({ status: 400 });
    },
  );

  test("names and pages can be allowed", async () => {
    const allowed = { allowedHosts: ["tools.example"], allowedOrigins: ["app.example"] };
    const { url } = await served({ tools: [greet] }, allowed);
    expect(await statusOf(url, { host: "tools.example", origin: "https://app.example" })).toBe(200);
    expect(await statusOf(url, { host: "localhost" })).toBe(403);
  });
});

describe("bad input", () => {
  test("rejects text that is not JSON, or not a message of the protocol", async () => {
    const { url } = await served({ tools: [greet] });
    const broken = await post(url, "{");
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: -32_700 } });
    expect((await post(url, { hello: "world" })).status).toBe(400);
    expect((await post(url, initialize, { "content-type": "text/plain" })).status).toBe(415);
    expect((await fetch(url, { method: "PUT" })).status).toBe(405);
    expect((await fetch(new URL("/elsewhere", url))).status).toBe(404);
  });

  test("a body that is too long is refused before it is read", async () => {
    const { url } = await served({ tools: [greet] });
    const long = await post(url, JSON.stringify({ ...initialize, pad: "x".repeat(5_000_000) }));
    expect(long.status).toBe(413);
  });

  test("an unknown session is refused, and so is a call without one", async () => {
    const { url } = await served({ tools: [greet] });
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const unknown = await post(url, list, { "mcp-session-id": "made-up" });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { code: -32_001 } });
    expect((await post(url, list)).status).toBe(400);
  });

  test("arguments nested without end are refused, and the server goes on", async () => {
    const { url } = await served({ tools: [greet] });
    const session = await openSession(url);
    const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":${nested}}}}`;
    const answer = await (await post(url, call, session)).text();
    expect(answer).not.toContain("Hello");
    const after = await post(url, { jsonrpc: "2.0", id: 3, method: "ping" }, session);
    expect(await after.text()).toContain('"result":{}');
  });

  test("progress without end is passed on now and then", async () => {
    const flood = tool({
      name: "flood",
      input: { type: "object" },
      execute: async function* () {
        for (let step = 1; step <= 20_000; step++) yield step;
        return "done";
      },
    });
    const { url } = await served({ tools: [flood] });
    const { client } = await connected(url);
    const told: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }): void => void told.push(progress);
    const answer = await client.callTool({ name: "flood", arguments: {} }, { onprogress });
    expect(answer.content).toEqual([{ type: "text", text: "done" }]);
    expect(told.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(told.length).toBeLessThan(20_000);
  });

  test("arguments that would change prototypes change nothing", async () => {
    const { url } = await served({ tools: [greet] });
    const session = await openSession(url);
    const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada","__proto__":{"polluted":true}}}}`;
    const answer = await (await post(url, call, session)).text();
    expect(answer).toContain("Hello, Ada!");
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("sessions", () => {
  test("a session that its client ends is over", async () => {
    const { url } = await served({ tools: [greet] });
    const session = await openSession(url);
    const ended = await fetch(url, { method: "DELETE", headers: session });
    expect(ended.status).toBe(200);
    const late = await post(url, { jsonrpc: "2.0", id: 2, method: "tools/list" }, session);
    expect(late.status).toBe(404);
  });

  test("the session that was not used for longest makes room", async () => {
    const handler = await mcpHandler({ tools: [greet] }, { maxSessions: 2 });
    onTestFinished(() => handler.close());
    const send = (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      handler.fetch(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: {
            host: "localhost",
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...headers,
          },
          body: JSON.stringify(body),
        }),
      );
    const open = async (): Promise<{ readonly "mcp-session-id": string }> => {
      const response = await send(initialize);
      return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
    };
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
    const [first, second] = [await open(), await open()];
    expect((await send(ping, first)).status).toBe(200);
    const third = await open();
    expect((await send(ping, second)).status).toBe(404);
    expect((await send(ping, first)).status).toBe(200);
    expect((await send(ping, third)).status).toBe(200);
  });

  test("a client whose stream was cut gets what it missed, and only from there on", async () => {
    const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = tool({
      name: "slow",
      input: { type: "object" },
      execute: async function* () {
        yield "first";
        started.resolve();
        await finish.promise;
        yield "second";
        return "done";
      },
    });
    const { url } = await served({ tools: [slow] });
    const session = { ...(await openSession(url)), "mcp-protocol-version": "2025-11-25" };
    const call = {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "slow", arguments: {}, _meta: { progressToken: "p" } },
    };
    const cut = await post(url, call, session);
    const reader = cut.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes("first")) seen += (await reader?.read())?.value ?? "";
    await started.promise;
    await reader?.cancel();
    const [lastEventId] = [...seen.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? "").slice(-1);
    finish.resolve();
    const headers = { ...session, accept: "text/event-stream", "last-event-id": lastEventId ?? "" };
    // A conflict until the server has noticed that the first connection is gone: clients try again.
    let resumed = await fetch(url, { headers });
    while (resumed.status === 409) {
      await resumed.text();
      resumed = await fetch(url, { headers });
    }
    const rest = await resumed.text();
    expect(rest).not.toContain("first");
    expect(rest).toContain("second");
    expect(rest).toContain('"id":7');
    expect(rest).toContain("done");
    const gone = await fetch(url, { headers: { ...headers, "last-event-id": "99999" } });
    expect(gone.status).toBe(400);
  });

  test("a client whose connection broke opens its stream again", async () => {
    const handler = await mcpHandler({ tools: [greet] });
    const url = "http://localhost/mcp";
    const type = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify(initialize);
    const opened = await handler.fetch(new Request(url, { method: "POST", headers: type, body }));
    await opened.text();
    const headers = {
      accept: "text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    };
    const connection = new AbortController();
    const statusNow = async (init: RequestInit = {}): Promise<number> =>
      (await handler.fetch(new Request(url, { headers, ...init }))).status;
    expect(await statusNow({ signal: connection.signal })).toBe(200);
    expect(await statusNow()).toBe(409);
    connection.abort();
    await vi.waitFor(async () => expect(await statusNow()).toBe(200), { timeout: 2_000 });
    await handler.close();
  });

  test("the end of a session aborts what it has under way", async () => {
    const [started, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wait = tool({
      name: "wait",
      input: { type: "object" },
      execute: (_input, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        started.resolve();
        return aborted.promise;
      },
    });
    const { url } = await served({ tools: [wait] });
    const { client, transport } = await connected(url);
    const call = client.callTool({ name: "wait", arguments: {} });
    call.catch(() => undefined);
    await started.promise;
    await transport.terminateSession();
    await expect(aborted.promise).resolves.toBeUndefined();
  });

  test("a closed server does not answer", async () => {
    const serving = await serveMcp({ tools: [greet] }, { transport: { http: { port: 0 } } });
    const url = serving.url ?? "";
    await openSession(url);
    await serving.close();
    await serving.closed;
    await expect(post(url, initialize)).rejects.toThrow("fetch failed");
  });
});

describe("mistakes of the program", () => {
  test("a port that is taken is an error that names it", async () => {
    const { url } = await served({ tools: [greet] });
    const port = Number(new URL(url).port);
    await expect(served({ tools: [greet] }, { port })).rejects.toMatchObject({
      code: "listen",
      message: expect.stringContaining(String(port)),
    });
  });

  test("rejects two tools of one name, and values that are not tools, before serving", async () => {
    const same = new Agent({ name: "greet" });
    await expect(served({ tools: [greet], agents: [same] })).rejects.toMatchObject({ code: "name-clash" });
    await expect(served({ tools: [greet, greet] })).rejects.toMatchObject({ code: "name-clash" });
    const nothing: never[] = JSON.parse("[5]");
    await expect(served({ tools: nothing })).rejects.toMatchObject({ code: "invalid-tool" });
  });
});

test.each(revisions)("a transport of the program's own serves revision %s", async (revision) => {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const serving = await serveMcp({ tools: [greet] }, { transport: here });
  const client = newClient(revision);
  await client.connect(there);
  const answer = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
  expect(answer.content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
  await client.close();
  await serving.closed;
});
