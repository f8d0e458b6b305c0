/** How requests of node:http become requests of `fetch`, and answers theirs. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { connect as connect2, createServer as createServer2 } from "node:http2";
import { text as readAll } from "node:stream/consumers";
import { Agent, tool } from "skein";
import type { ServeOptions } from "skein/server";
import { ScriptedModel } from "skein/testing";
import { expect, onTestFinished, test } from "vitest";
import { answerTo, greeter, rawConnection, served, waiter } from "./serving.ts";

async function open(listener: RequestListener): Promise<{ readonly url: string; readonly port: number }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, port };
}

const json = { "content-type": "application/json" };
const start = { method: "POST", headers: json, body: JSON.stringify({ input: "Hi", id: "a" }) };

/** A listener before which something has read the body, as middleware does. */
function parsed(options: ServeOptions, body: (text: string) => unknown): RequestListener {
  const { node } = served(greeter(), options);
  const answer = async (
    incoming: IncomingMessage & { body?: unknown },
    outgoing: ServerResponse,
  ): Promise<void> => {
    incoming.body = body(await readAll(incoming));
    node(incoming, outgoing);
  };
  return (incoming, outgoing) => void answer(incoming, outgoing);
}

test.each<[what: string, body: (text: string) => unknown]>([
  ["an object", (text) => JSON.parse(text)],
  ["a text", (text) => text],
  ["bytes", (text) => Buffer.from(text)],
])("a body that was read before is taken as %s", async (_what, body) => {
  const { url } = await open(parsed({}, body));
  expect((await fetch(`${url}/runs/Hello`, start)).status).toBe(202);
});

test("no body is none, also where a parser says that it is an object", async () => {
  const { url, port } = await open(parsed({}, (text) => (text === "" ? {} : JSON.parse(text))));
  await fetch(`${url}/runs/Hello`, start);
  const cancel = "POST /runs/a/cancel HTTP/1.1\r\nHost: localhost\r\n";
  expect(await answerTo(port, `${cancel}\r\n`)).toContain(" 200 ");
});

test("what is too large is refused, also where a parser has read it", async () => {
  const { url } = await open(parsed({ maxBodyBytes: 10 }, (text) => JSON.parse(text)));
  expect((await fetch(`${url}/runs/Hello`, start)).status).toBe(413);
});

test("headers with several values, and cookies, are passed on as they are", async () => {
  const seen: (string | null)[] = [];
  const { node } = served(greeter(), {
    authorize: ({ headers }) => {
      seen.push(headers.get("x-several"), headers.get("cookie"));
      const answer = new Response("No.", { status: 401 });
      answer.headers.append("set-cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
      answer.headers.append("set-cookie", "b=2");
      return answer;
    },
  });
  const { port } = await open(node);
  const lines = [
    "GET /agents HTTP/1.1",
    "Host: localhost",
    "X-Several: 1",
    "X-Several: 2",
    "Cookie: c=3",
    "Cookie: d=4",
  ];
  const answer = await answerTo(port, `${lines.join("\r\n")}\r\n\r\n`);
  expect(seen).toEqual(["1, 2", "c=3; d=4"]);
  expect(answer.match(/^set-cookie: .*$/gm)).toEqual([
    "set-cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
    "set-cookie: b=2",
  ]);
});

test("an answer without a body has none, and the connection goes on", async () => {
  const server = served(greeter());
  const { url, port } = await open(server.node);
  await fetch(`${url}/runs/Hello`, start);
  await server.runs.get("local/a").result();
  const get = (path: string, method = "GET"): string =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const answers = await answerTo(
    port,
    get("/runs/a/events?after=99") + get("/agents", "HEAD") + get("/agents", "OPTIONS") + get("/nothing"),
  );
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(["204", "200", "204", "404"]);
  expect(answers.split("HTTP/1.1 204")[1]).not.toMatch(/transfer-encoding: chunked/i);
});

test("a client that leaves a stream leaves it alone, and its run goes on", async () => {
  const { agent, letGo } = waiter();
  const server = served(agent);
  const { url } = await open(server.node);
  const gone = new AbortController();
  const response = await fetch(`${url}/runs/Waiter`, {
    ...start,
    headers: { ...json, accept: "text/event-stream" },
    signal: gone.signal,
  });
  await response.body?.getReader().read();
  gone.abort();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await server.runs.get("local/a").state()).status).toBe("running");
  letGo();
  expect((await server.runs.get("local/a").result()).status).toBe("completed");
});

test("clients that leave at every moment of a stream leave nothing behind", async () => {
  const failures: unknown[] = [];
  const note = (reason: unknown): void => void failures.push(reason);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  try {
    const { agent } = waiter();
    const { port, url } = await open(served([agent, greeter()], { keepAlive: 1 }).node);
    const body = JSON.stringify({ input: "Hi" });
    const post = (name: string): string =>
      `POST /runs/${name} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const leave = async (name: string, delay: number): Promise<void> => {
      const socket = await rawConnection(port);
      socket.write(post(name));
      await new Promise((resolve) => setTimeout(resolve, delay));
      socket.resetAndDestroy();
    };
    await Promise.all(
      [0, 1, 2, 4, 8, 16].flatMap((delay) => [leave("Waiter", delay), leave("Hello", delay)]),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await fetch(`${url}/agents`)).status).toBe(200);
    expect(failures).toEqual([]);
  } finally {
    process.off("unhandledRejection", note).off("uncaughtException", note);
  }
});

test("comments keep a silent stream open", async () => {
  const { agent, letGo } = waiter();
  const { url } = await open(served(agent, { keepAlive: 20 }).node);
  const response = await fetch(`${url}/runs/Waiter`, {
    ...start,
    headers: { ...json, accept: "text/event-stream" },
  });
  setTimeout(letGo, 150);
  const text = await response.text();
  expect(text.match(/^: keep-alive$/gm)?.length).toBeGreaterThan(2);
  expect(text).toContain('"status":"completed"');
});

test("requests over HTTP/2 are answered, and their host is checked", async () => {
  const { node } = served(greeter(), { maxBodyBytes: 100 });
  const server = createServer2((incoming, outgoing) => node(incoming, outgoing)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const client = connect2(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  onTestFinished(() => {
    client.close();
    server.close();
  });
  const send = async (headers: Record<string, string>, body?: string): Promise<[unknown, string]> => {
    const stream = client.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    const [answer] = await once(stream, "response");
    return [answer[":status"], await readAll(stream)];
  };
  const post = { ":method": "POST", ":path": "/runs/Hello", ...json };
  expect(await send(post, '{"input":"Hi","id":"a"}')).toEqual([202, expect.stringContaining('"id":"a"')]);
  const [status, text] = await send({ ...post, accept: "text/event-stream" }, '{"input":"Hi"}');
  expect([status, text]).toEqual([200, expect.stringContaining("run-end")]);
  expect(await send({ ":method": "POST", ":path": "/runs/a/cancel" })).toEqual([200, expect.any(String)]);
  expect(await send({ ":path": "/agents", ":authority": "evil.example" })).toEqual([403, expect.any(String)]);
  expect(await send({ ":path": "/agents", ":method": "HEAD" })).toEqual([200, ""]);
  expect(await send(post, `"${"x".repeat(100_000)}"`)).toEqual([413, expect.any(String)]);
});

test("a reader that does not read holds the stream up, and not the run", async () => {
  const text = "x".repeat(10_000);
  const shout = tool({ name: "shout", input: { type: "object" }, execute: () => text });
  const turns = Array.from({ length: 15 }, () => ({ text, toolCalls: [{ toolName: "shout" }] }));
  const server = served(
    new Agent({ name: "Loud", model: new ScriptedModel([...turns, "Done."]), tools: [shout] }),
  );
  const { port } = await open(server.node);
  const socket = await rawConnection(port);
  socket.pause();
  const body = JSON.stringify({ input: "Hi", id: "a" });
  socket.write(
    `POST /runs/Loud HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await server.runs.get("local/a").result()).status).toBe("completed");
  socket.resume();
  expect(await readUntil(socket, "run-end")).toContain('"status":"completed"');
});

async function readUntil(socket: AsyncIterable<unknown>, mark: string): Promise<string> {
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes(mark) && text.endsWith("0\r\n\r\n")) return text;
  }
  return text;
}
