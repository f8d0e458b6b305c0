import { expect, test, vi } from "vitest";
import { answerTo, greeter, heard, listening, outcome, rawConnection, request, served } from "./serving.ts";

const json = { "content-type": "application/json" };

/** What a request needs whose body is a stream. */
const streaming = { duplex: "half" } as const;

/** A body that comes in pieces, of unknown length. */
function pieces(count: number, piece: string, isEndless = false): ReadableStream<Uint8Array> {
  let left = count;
  return new ReadableStream({
    pull: (controller) => {
      if (left-- > 0) controller.enqueue(new TextEncoder().encode(piece));
      else if (isEndless) return new Promise(() => {});
      else controller.close();
    },
  });
}

function streamed(body: ReadableStream<Uint8Array>): Request {
  return new Request("http://localhost:3000/runs/Hello", {
    method: "POST",
    headers: json,
    body,
    ...streaming,
  });
}

test.each([
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "text/plain; application/json",
  "application/jsonp",
  "application/json+form",
  "",
])("a body of the type %j is refused: pages of other sites may send it", async (type) => {
  const response = await served(greeter()).fetch(
    request("POST", "/runs/Hello", { input: "Hi" }, { "content-type": type }),
  );
  expect(await outcome(response)).toBe("415 unsupported-media-type");
});

test.each(["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json"])(
  "a body of the type %j is read",
  async (type) => {
    const response = await served(greeter()).fetch(
      request("POST", "/runs/Hello", { input: "Hi" }, { "content-type": type }),
    );
    expect(response.status).toBe(202);
  },
);

test.each([
  ["no JSON", "{"],
  ["nothing", ""],
  ["no text", "\u0000"],
  ["a list", "[]"],
  ["a number", "3"],
  ["null", "null"],
  ["two values", "{}{}"],
])("a body that is %s is refused", async (_what, body) => {
  const response = await served(greeter()).fetch(request("POST", "/runs/Hello", body));
  expect(await outcome(response)).toMatch(/^400 invalid-(?:body|input)$/);
});

test("bytes that are not UTF-8 are refused", async () => {
  const body = new Uint8Array([...new TextEncoder().encode('{"input":"'), 0xff, 0x22, 0x7d]);
  const sent = new Request("http://localhost/runs/Hello", { method: "POST", headers: json, body });
  expect(await outcome(await served(greeter()).fetch(sent))).toBe("400 invalid-body");
});

test("a body with 100 levels is refused, and one with 2,000,000 too", async () => {
  const server = served(greeter());
  const nested = (levels: number): string => `{"input":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  for (const levels of [100, 2_000_000])
    expect(await outcome(await server.fetch(request("POST", "/runs/Hello", nested(levels))))).toBe(
      "400 invalid-body",
    );
});

test("a body that says that it is too large is refused before it is read", async () => {
  const server = served(greeter(), { maxBodyBytes: 1_000 });
  let reads = 0;
  const body = new ReadableStream({ pull: () => void reads++ }, { highWaterMark: 0 });
  const sent = new Request("http://localhost/runs/Hello", {
    method: "POST",
    headers: { ...json, "content-length": "1001" },
    body,
    ...streaming,
  });
  expect(await outcome(await server.fetch(sent))).toBe("413 body-too-large");
  expect(reads).toBe(0);
});

test("a body that does not say how large it is is read as far as it may be", async () => {
  const server = served(greeter(), { maxBodyBytes: 1_000 });
  expect(await outcome(await server.fetch(streamed(pieces(1_000_000, "x".repeat(100)))))).toBe(
    "413 body-too-large",
  );
});

test("who sends too much reads how much may be sent, and which option allows more", async () => {
  const server = served(greeter(), { maxBodyBytes: 1_000 });
  for (const path of ["/runs/Hello", "/chat/Hello", "/runs/r/cancel"]) {
    await server.fetch(request("POST", "/runs/Hello", { id: "r", input: "Hi" }));
    const answer = await server.fetch(request("POST", path, { input: "x".repeat(1_000) }));
    expect(await answer.text()).toContain(
      "The body has more than 1000 bytes. The option maxBodyBytes of serve() allows more.",
    );
  }
});

test("a body that does not come to its end is refused in time, and its request is over", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const answer = served(greeter()).fetch(streamed(pieces(1, "{", true)));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(await Promise.race([answer, Promise.resolve("pending")])).toBe("pending");
    await vi.advanceTimersByTimeAsync(1_001);
    expect(await outcome(await answer)).toBe("408 timeout");
  } finally {
    vi.useRealTimers();
  }
});

test("a client gets the answer to a body of ten megabytes, with its length in the headers or not", async () => {
  const { url, port } = await listening(greeter());
  const large = JSON.stringify({ input: "x".repeat(10_000_000) });
  const whole = await fetch(`${url}/runs/Hello`, { method: "POST", headers: json, body: large });
  expect(await outcome(whole)).toBe("413 body-too-large");
  const inPieces = await fetch(`${url}/runs/Hello`, {
    method: "POST",
    headers: json,
    body: pieces(100, "x".repeat(100_000)),
    ...streaming,
  });
  expect(await outcome(inPieces)).toBe("413 body-too-large");
  // One that first sends all, and reads then.
  const chunk = `186a0\r\n${"x".repeat(100_000)}\r\n`;
  const head = "POST /runs/Hello HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  const socket = await rawConnection(port);
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  for (let sent = 0; sent < 60; sent++)
    if (!socket.write(chunk)) await new Promise((resolve) => socket.once("drain", resolve));
  socket.write("0\r\n\r\n");
  expect(await heard(socket)).toContain(" 413 ");
});

test("after a body that was left unread, the connection takes the next request", async () => {
  const { port } = await listening(greeter(), { maxBodyBytes: 10 });
  const post = (type: string): string =>
    `POST /runs/Hello HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n`;
  const body = "x".repeat(50_000);
  const answers = await answerTo(
    port,
    `${post("text/plain")}Content-Length: 50000\r\n\r\n${body}` +
      `${post("application/json")}Content-Length: 50000\r\n\r\n${body}` +
      `${post("application/json")}Transfer-Encoding: chunked\r\n\r\nc350\r\n${body}\r\n0\r\n\r\n` +
      "GET /agents HTTP/1.1\r\nHost: localhost\r\n\r\n",
  );
  expect([...answers.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)).toEqual([
    "415",
    "413",
    "413",
    "200",
  ]);
});

test("a client that leaves in the middle of its body harms no other", async () => {
  const { url, port } = await listening(greeter());
  const failures: unknown[] = [];
  const note = (reason: unknown): void => void failures.push(reason);
  process.on("unhandledRejection", note);
  try {
    const post = "POST /runs/Hello HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for (const length of ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{"]) {
      const socket = await rawConnection(port);
      socket.write(post + length);
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.resetAndDestroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await fetch(`${url}/agents`)).status).toBe(200);
    expect(failures).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});

test.each(["Content-Length: 0\r\n", "", "Transfer-Encoding: chunked\r\n"])(
  "a body that may be left out may be left out in every way (%j)",
  async (length) => {
    const { url, port } = await listening(greeter());
    await fetch(`${url}/runs/Hello`, { method: "POST", headers: json, body: '{"input":"Hi","id":"a"}' });
    const end = length.startsWith("Transfer") ? "0\r\n\r\n" : "";
    const answer = await answerTo(
      port,
      `POST /runs/a/cancel HTTP/1.1\r\nHost: localhost\r\n${length}\r\n${end}`,
    );
    expect(answer).toContain(" 200 ");
  },
);

test("a body that may be left out must be JSON if it is there", async () => {
  const server = served(greeter());
  await server.fetch(request("POST", "/runs/Hello", { input: "Hi", id: "a" }));
  const form = { "content-type": "application/x-www-form-urlencoded" };
  expect((await server.fetch(request("POST", "/runs/a/cancel", "reason=x", form))).status).toBe(415);
  expect((await server.fetch(request("POST", "/runs/a/cancel", { reason: 3 }))).status).toBe(400);
});
