/** What readers of a server get that closes while their runs work: an end of the stream, and nothing that says the run has ended. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "skein/durable";
import type { SkeinServer } from "skein/server";
import { expect, onTestFinished, test } from "vitest";
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { outcome, request, served } from "./serving.ts";

/** An agent each of whose runs works until it is let go. */
function waiter(): { readonly agent: Agent; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const wait = tool({ name: "wait", input: { type: "object" }, execute: () => promise });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "wait", arguments: {} }] } : "Done.",
  );
  return { agent: new Agent({ name: "Waiter", model, tools: [wait] }), letGo: () => resolve("Waited.") };
}

type Send = (request: Request) => Promise<Response>;

const hosts: Readonly<Record<string, (server: SkeinServer) => Promise<Send>>> = {
  "app.fetch": async (server) => (each) => server.fetch(each),
  "createServer(app.node)": async ({ node }) => {
    const host = createServer(node).listen(0, "127.0.0.1");
    await once(host, "listening");
    onTestFinished(() => host.close().closeAllConnections());
    const address = host.address();
    const port = typeof address === "object" && address ? address.port : 0;
    return (each) =>
      fetch(new Request(each.url.replace("localhost:3000", `127.0.0.1:${port}`), withBody(each)));
  },
  "app.listen": async (server) => {
    const { url } = await server.listen({ port: 0 });
    return (each) => fetch(new Request(each.url.replace("http://localhost:3000", url), withBody(each)));
  },
};

function withBody({ method, headers, body }: Request): RequestInit {
  return { method, headers, ...(body && { body, duplex: "half" as const }) };
}

const user = { id: "m1", role: "user" };
const input = { state: {}, tools: [], context: [], forwardedProps: {} };
const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Go" }] };
const rpc = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: { message } });
const version = { "a2a-version": "1.0" };

const streams: readonly (readonly [
  path: string,
  body: object,
  headers?: Readonly<Record<string, string>>,
])[] = [
  ["/runs/Waiter", { input: "Go" }, { accept: "text/event-stream" }],
  ["/chat/Waiter", { id: "c1", messages: [{ ...user, parts: [{ type: "text", text: "Go" }] }] }],
  ["/ag-ui/Waiter", { threadId: "t", runId: "r", messages: [{ ...user, content: "Go" }], ...input }],
  ["/v1/responses", { model: "Waiter", input: "Go", stream: true }],
  ["/a2a/Waiter", rpc("SendStreamingMessage"), version],
];

const protocols = ["native", "ui-messages", "ag-ui", "responses", "chat-completions", "a2a"] as const;

/** Says that a run has ended, or that it failed. */
const lastWords = /run-end|finish|abort|error|RUN_|response\.(completed|failed|incomplete)|COMPLETED|FAILED/;

/** Reads an answer from when its first piece has come. */
async function reading(response: Response): Promise<{ readonly rest: Promise<string> }> {
  const reader = response.body?.getReader();
  if (!reader) throw new TypeError("There is no stream.");
  await reader.read();
  const rest = async (): Promise<string> => {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += new TextDecoder().decode(value);
    }
  };
  return { rest: rest() };
}

test.each(Object.entries(hosts))("%s: streams end without a word", async (_host, mount) => {
  const directory = mkdtempSync(join(tmpdir(), "skein-close-"));
  const server = served(waiter().agent, { protocols, store: sqliteStore(join(directory, "runs.db")) });
  onTestFinished(async () => {
    await server.close({ drain: 0 });
    rmSync(directory, { recursive: true });
  });
  const send = await mount(server);
  const readers = await Promise.all(
    streams.map(async ([path, body, headers]) => reading(await send(request("POST", path, body, headers)))),
  );
  await server.close({ drain: 0 });
  for (const { rest } of readers) expect(await rest).not.toMatch(lastWords);
});

test.each(Object.entries(hosts))("%s: whole answers are refused until later", async (_host, mount) => {
  const server = served(waiter().agent, { protocols });
  const send = await mount(server);
  const bodies = [
    ["/v1/responses", { model: "Waiter", input: "Go" }, {}],
    ["/a2a/Waiter", rpc("SendMessage"), version],
  ] as const;
  const answers = bodies.map(([path, body, headers]) => send(request("POST", path, body, headers)));
  const runs = async (): Promise<number> => (await server.runs.list({ status: "running" })).length;
  while ((await runs()) < bodies.length) await new Promise((resolve) => setTimeout(resolve, 5));
  await server.close({ drain: 0 });
  for (const answer of answers) {
    const { status, headers } = await answer;
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  }
});

test("readers of runs that end in time get their ends, whatever the store", async () => {
  const { agent, letGo } = waiter();
  const directory = mkdtempSync(join(tmpdir(), "skein-close-"));
  const server = served(agent, { store: sqliteStore(join(directory, "runs.db")) });
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [path, body, headers] = streams[0] ?? ["", {}];
  const { rest } = await reading(await server.fetch(request("POST", path, body, headers)));
  const closing = server.close({ drain: 20_000 });
  letGo();
  await closing;
  expect(await rest).toMatch(/"type":"run-end".*"status":"completed"/);
});

test("a request on its way while the server closes is refused until later, and not reported", async () => {
  const gate = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const server = served(waiter().agent, {
    authorize: () => gate.promise.then(() => ({ user: "ada" })),
    onError: (error) => void errors.push(error),
  });
  let sendBody: () => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sendBody = () => {
        controller.enqueue(new TextEncoder().encode('{"input":"Go"}'));
        controller.close();
      };
    },
  });
  const slow = served(waiter().agent, { onError: (error) => void errors.push(error) });
  const headers = { "content-type": "application/json" };
  const init: RequestInit & { readonly duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
  const early = server.fetch(request("POST", "/runs/Waiter", { input: "Go" }));
  const late = slow.fetch(new Request("http://localhost:3000/runs/Waiter", init));
  // Its route is loaded, and reads the body.
  await slow.fetch(request("GET", "/runs/x"));
  const closing = Promise.all([server.close({ drain: 0 }), slow.close({ drain: 0 })]);
  gate.resolve();
  sendBody();
  expect([(await early).status, (await late).status, errors]).toEqual([503, 503, []]);
  await closing;
});

test.each([
  ["/v1/chat/completions", { messages: [{ role: "user", content: "Go" }] }],
  ["/v1/responses", { input: "Go", store: false }],
])(
  "a whole answer of %s that nothing is kept of is refused once the server has closed",
  async (path, body) => {
    const server = served(waiter().agent);
    const answer = server.fetch(request("POST", path, { model: "Waiter", ...body }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close({ drain: 0 });
    expect(await outcome(await answer)).toBe("503 closing");
  },
);
