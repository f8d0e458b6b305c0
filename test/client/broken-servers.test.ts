import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { Agent } from "skein";
import { connect, SkeinClientError } from "skein/client";
import { FunctionModel } from "skein/testing";
import { afterEach, expect, test } from "vitest";
import { closeAll, closeLater, openServer, proxyTo, speaker } from "./servers.ts";

afterEach(closeAll);

/** A server that answers as its listeners say, each request by the next one, and further ones by the last. */
async function oddServer(...answers: readonly RequestListener[]): Promise<string> {
  let requests = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests++, answers.length - 1)];
    answer?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closeLater(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

const sse = { "content-type": "text/event-stream" };
const end = {
  type: "run-end",
  index: 4,
  agent: "A",
  status: "completed",
  result: { text: "Hello.", finishReason: "stop" },
};

function frame(event: object, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`;
}

/** Answers with events, then closes. */
function events(...list: readonly object[]): RequestListener {
  return (_, response) => {
    response.writeHead(200, sse);
    response.end(list.map((event) => frame(event)).join(""));
  };
}

function refusal(status: number, code: string, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { code, message: `It is ${code}.` } }));
  };
}

test("a request is sent again to a server that is closing, not before it wants that, as the same run", async () => {
  const bodies: unknown[] = [];
  const times: number[] = [];
  const collect =
    (answer: RequestListener): RequestListener =>
    async (request, response) => {
      times.push(Date.now());
      let text = "";
      for await (const chunk of request) text += String(chunk);
      bodies.push(JSON.parse(text));
      answer(request, response);
    };
  const url = await oddServer(
    collect(refusal(503, "closing", { "retry-after": "1" })),
    collect(refusal(429, "too-many-requests")),
    collect(refusal(502, "bad-gateway")),
    collect(events(end)),
  );
  const running = connect(url).stream("A", "Hello");
  expect((await running.result).text).toBe("Hello.");
  expect(bodies).toEqual(Array.from({ length: 4 }, () => ({ input: "Hello", id: running.id })));
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test("a server that closes ends the patience of its clients only after a while", async () => {
  const { url, server } = await openServer(speaker("Hello."));
  expect((await connect(url).run("Speaker", "Hi")).text).toBe("Hello.");
  const proxy = await proxyTo(url);
  await server.close({ drain: 0 });
  const started = Date.now();
  const result = connect(proxy.url, { retryFor: 1_000 }).run("Speaker", "Hi");
  await expect(result).rejects.toMatchObject({ code: "connection-lost", status: undefined });
  expect(Date.now() - started).toBeLessThan(5_000);
  expect(proxy.connections).toBeGreaterThan(2);
});

test("events of an event stream that breaks off are asked for from the last one on, and none comes twice", async () => {
  const asked: (string | undefined)[] = [];
  const log =
    (answer: RequestListener): RequestListener =>
    (request, response) => {
      asked.push(`${request.method} ${request.url} ${String(request.headers["last-event-id"])}`);
      answer(request, response);
    };
  const delta = (index: number) => ({ type: "text-delta", index, agent: "A", text: String(index) });
  const failure = { type: "stream-error", after: 1, error: { code: "store-failed", message: "" } };
  const url = await oddServer(
    log(events(delta(0), delta(1), failure)),
    log(events(delta(1), delta(2), { type: "of-the-future", index: 3 })),
    log((_, response) => response.writeHead(200, sse).end("data: {\n\n")),
    log(events(end)),
  );
  const running = connect(url).stream("A", "Hello", { id: "m1" });
  const indexes = (await Array.fromAsync(running)).map(({ index }) => index);
  expect(indexes).toEqual([0, 1, 2, 3, 4]);
  expect(asked).toEqual([
    "POST /runs/A undefined",
    "GET /runs/m1/events 1",
    "GET /runs/m1/events 3",
    "GET /runs/m1/events 3",
  ]);
});

test("a connection that is silent for too long counts as broken; comments are a sign of life", async () => {
  const url = await oddServer(
    (_, response) =>
      void response.writeHead(200, sse).write(frame({ type: "turn-start", index: 0, turn: 1 })),
    (_, response) => {
      response.writeHead(200, sse).flushHeaders();
      let comments = 0;
      const timer = setInterval(() => {
        response.write(": keep-alive\n\n");
        if (++comments < 12) return;
        clearInterval(timer);
        response.end(frame(end));
      }, 50);
    },
  );
  const running = connect(url, { idleTimeout: 300 }).stream("A", "Hello");
  expect((await running.result).text).toBe("Hello.");
});

test("a connection that dies without a word while a run works is replaced", async () => {
  const model = new FunctionModel(() => ({ text: "A skein is a flock.", chunkSize: 3, delay: 100 }));
  const { url } = await openServer(new Agent({ name: "Speaker", model }), { keepAlive: 100 });
  const proxy = await proxyTo(url);
  const running = connect(proxy.url, { idleTimeout: 500 }).stream("Speaker", "Hello");
  for await (const { type } of running) if (type === "turn-start") proxy.freeze();
  expect((await running.result).text).toBe("A skein is a flock.");
  expect(proxy.connections).toBeGreaterThan(1);
});

test("without a chance of success no request is sent again", async () => {
  const { client } = await openServer(speaker("Hello."), { onError: () => {} });
  await expect(client.run("Nobody", "Hi")).rejects.toMatchObject({ status: 404, code: "not-found" });
  await expect(client.run("Speaker", "Hi", { session: "no spaces" })).rejects.toMatchObject({
    status: 400,
    code: "invalid-name",
  });
  const lost = client.follow("unknown");
  await expect(lost.result).rejects.toMatchObject({ status: 404 });
  await expect(Array.fromAsync(lost)).rejects.toBeInstanceOf(SkeinClientError);
  await expect(lost.cancel()).rejects.toMatchObject({ status: 404 });
  const page = await oddServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello</p>"),
  );
  await expect(connect(page).run("A", "Hi")).rejects.toMatchObject({ code: "invalid-answer" });
  const gateway = await oddServer((_, response) => response.writeHead(500).end("<p>Oh</p>"));
  await expect(connect(gateway).agents()).rejects.toMatchObject({ status: 500, code: "http-500" });
});

test("a busy conversation is refused with the time to wait", async () => {
  const busy = await oddServer(refusal(409, "conversation-busy", { "retry-after": "2" }));
  await expect(connect(busy).run("A", "Hi")).rejects.toMatchObject({
    status: 409,
    code: "conversation-busy",
    retryAfter: 2_000,
  });
});

test("a request that is refused after its first answer was lost fails only if nothing came of it", async () => {
  const lose: RequestListener = (request) => request.socket.destroy();
  const paused = { ...end, status: "paused" };
  const refused = refusal(409, "nothing-waits");
  const nothing: RequestListener = (_, response) => response.writeHead(204).end();
  const denied = await oddServer(events(paused), lose, refused, nothing);
  const decisions = [{ approvalId: "a", decision: "approve" }] as const;
  const one = connect(denied).stream("A", "Hi");
  await one.result;
  await expect(one.decide(decisions)).rejects.toMatchObject({ code: "nothing-waits" });
  const busy = await oddServer(lose, refusal(409, "conversation-busy"), refusal(404, "not-found"));
  await expect(connect(busy).run("A", "Hi")).rejects.toMatchObject({ code: "conversation-busy" });
  const done = await oddServer(events(paused), lose, refused, events({ ...end, index: 9 }));
  const two = connect(done).stream("A", "Hi");
  await two.result;
  expect((await (await two.decide(decisions)).result).status).toBe("completed");
});

test("a message to a run is not sent twice where the answer is lost, but after a refusal", async () => {
  const lose: RequestListener = (request) => request.socket.destroy();
  const accept: RequestListener = (_, response) => response.writeHead(202).end("{}");
  const lost = connect(await oddServer(events(end), lose, accept)).stream("A", "Hi");
  await lost.result;
  await expect(lost.steer("Hi")).rejects.toMatchObject({ code: "connection-lost" });
  const closing = await oddServer(events(end), refusal(503, "closing"), accept);
  const running = connect(closing).stream("A", "Hi");
  await running.result;
  await running.queue("Hi");
});

test("a run whose events are gone says where its conversation is", async () => {
  const gone = await oddServer((_, response) => response.writeHead(204).end());
  await expect(connect(gone).follow("a").result).rejects.toMatchObject({ code: "events-expired" });
  await expect(connect(gone).follow("a", { after: 3 }).result).rejects.toMatchObject({
    code: "events-expired",
  });
  const stuck = await oddServer(events({ ...end, status: "stuck" }));
  await expect(connect(stuck).run("A", "Hi")).rejects.toMatchObject({ code: "run-stuck" });
});

test("a signal ends the reading with its reason, and the run goes on", async () => {
  const { client } = await openServer(speaker("Hello."));
  const controller = new AbortController();
  const running = client.stream("Speaker", "Hi", { signal: controller.signal, id: "m1" });
  const reason = new Error("The page was left.");
  controller.abort(reason);
  await expect(running.result).rejects.toBe(reason);
  await expect(Array.fromAsync(running)).rejects.toBe(reason);
  const nowhere = connect("http://127.0.0.1:1");
  const late = new AbortController();
  const waiting = nowhere.follow("a", { signal: late.signal });
  setTimeout(() => late.abort(reason), 100);
  await expect(waiting.result).rejects.toBe(reason);
});

test("what headers throws is thrown as it is", async () => {
  const error = new Error("logged out");
  const client = connect("http://127.0.0.1:1", {
    headers: () => {
      throw error;
    },
  });
  await expect(client.run("A", "Hi")).rejects.toBe(error);
  await expect(client.agents()).rejects.toBe(error);
});

test("a failure that no one looks at is not an unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const listen = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", listen);
  const { client } = await openServer(speaker("Hello."), { onError: () => {} });
  const running = client.stream("Nobody", "Hi");
  client.follow("unknown");
  await running.result.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
});

test.each([
  ["connect()", () => connect("http://localhost", { retries: 3 } as object), '"retries"'],
  ["retryFor", () => connect("http://localhost", { retryFor: -1 }), "retryFor"],
  ["idleTimeout", () => connect("http://localhost", { idleTimeout: Number.NaN }), "idleTimeout"],
  ["stream()", () => connect("http://localhost").stream("A", "Hi", { tools: [] } as object), '"tools"'],
  ["follow()", () => connect("http://localhost").follow("a", { from: 1 } as object), '"from"'],
  ["after", () => connect("http://localhost").follow("a", { after: 1.5 }), "after"],
])("a wrong option of %s is an error that names it", (_, call, name) => {
  expect(call).toThrow(
    expect.objectContaining({ code: "invalid-option", message: expect.stringContaining(name) }),
  );
});
