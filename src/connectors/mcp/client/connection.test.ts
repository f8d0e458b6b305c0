import { InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import { afterEach, expect, test, vi } from "vitest";
import type { ConfigurationError } from "../../../errors.ts";
import type { ToolsetContext } from "../../../tool/types.ts";
import { everyday } from "./fixtures/everyday.ts";
import { mcp } from "./mcp.ts";
import { callTools, serveUnsteady, textOf } from "./test-servers.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock("@modelcontextprotocol/client");
  vi.resetModules();
});

/** A transport that can be opened once `isThere` is set. */
function unsteady(): {
  attempts: number;
  isThere: boolean;
  last: Transport | undefined;
  transport(): Promise<Transport>;
} {
  const state = {
    attempts: 0,
    isThere: false,
    last: undefined as Transport | undefined,
    async transport(): Promise<Transport> {
      state.attempts++;
      if (!state.isThere) throw new Error("not yet");
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      await everyday().connect(theirs);
      state.last = theirs;
      return ours;
    },
  };
  return state;
}

test("a server that could not be reached is tried again after waits that double", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const server = unsteady();
  await using tools = mcp({ transport: () => server.transport(), name: "late" });
  const warnings: string[] = [];
  const scope: ToolsetContext = {
    context: {},
    agent: undefined,
    messages: [],
    warn: (text) => void warnings.push(text),
  };
  const attempts: number[] = [];
  for (let seconds = 0; seconds <= 8; seconds += 0.5) {
    const before = server.attempts;
    expect(await tools.tools(scope)).toEqual([]);
    if (server.attempts > before) attempts.push(seconds);
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(attempts).toEqual([0, 0.5, 1.5, 3.5, 7.5]);
  expect(new Set(warnings)).toEqual(new Set(['The MCP server "late" cannot be used: not yet.']));
  server.isThere = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await tools.tools(scope)).length).toBeGreaterThan(0);
});

test("a server that was down while its tools were listed has them again once it answers", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const state = { isDown: false };
  await using server = await serveUnsteady(state);
  await using tools = mcp({ url: server.url, name: "unsteady", protocol: "2026-07-28" });
  const before = await tools.tools();
  state.isDown = true;
  await callTools(tools, ["grow"]);
  server.endStreams();
  const warnings: string[] = [];
  const scope: ToolsetContext = {
    context: {},
    agent: undefined,
    messages: [],
    warn: (text) => void warnings.push(text),
  };
  await vi.waitFor(async () => expect(await tools.tools(scope)).toEqual([]));
  expect(warnings).toEqual([
    expect.stringMatching(/^the connection to the MCP server "unsteady" failed before it answered \(.+\)\.$/),
  ]);
  state.isDown = false;
  vi.advanceTimersByTime(500);
  expect(await tools.tools()).toEqual(before);
});

test("a call waits for the next attempt to reach a server that has gone", async () => {
  const server = unsteady();
  server.isThere = true;
  await using tools = mcp({ transport: () => server.transport() });
  await tools.tools();
  await server.last?.close();
  expect(textOf((await callTools(tools, ["add", { a: 1, b: 2 }]))[0])).toBe("3");
  expect(server.attempts).toBe(2);
});

test("a call that is under way when the server is closed ends, and starts no other", async () => {
  const server = unsteady();
  server.isThere = true;
  let reportCall = (): void => undefined;
  const callUnderWay = new Promise<void>((resolve) => (reportCall = resolve));
  const tools = mcp({
    async transport() {
      const transport = await server.transport();
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        // The call never reaches the server.
        if (!("method" in message) || message.method !== "tools/call") return send(message, options);
        reportCall();
      };
      return transport;
    },
  });
  const calling = callTools(tools, ["add", { a: 1, b: 2 }]);
  await callUnderWay;
  await tools.close();
  const [result] = await calling;
  expect(textOf(result)).toContain("ended the connection before it answered");
  expect(server.attempts).toBe(1);
});

test("limits the requests under way at once to the server's setting", async () => {
  const server = unsteady();
  server.isThere = true;
  let [now, most] = [0, 0];
  await using tools = mcp({
    concurrency: 3,
    async transport() {
      const transport = await server.transport();
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        if ("method" in message && message.method === "tools/call") most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        await send(message, options);
        if ("method" in message && message.method === "tools/call") now--;
      };
      return transport;
    },
  });
  const calls = Array.from({ length: 20 }, () => ["add", { a: 1, b: 2 }] as const);
  const results = await callTools(tools, ...calls);
  expect(results.map(textOf)).toEqual(calls.map(() => "3"));
  expect(most).toBe(3);
});

test("without the SDK the error names what to install, and the run fails", async () => {
  vi.doMock("@modelcontextprotocol/client", () => {
    throw new Error("Cannot find package");
  });
  vi.resetModules();
  const { mcp: fresh } = await import("./mcp.ts");
  const { ConfigurationError: Expected }: { ConfigurationError: typeof ConfigurationError } =
    await import("../../../errors.ts");
  const failure = fresh({ command: "node" }).tools();
  await expect(failure).rejects.toThrow("npm install @modelcontextprotocol/client");
  await expect(failure).rejects.toThrow(Expected);
});
