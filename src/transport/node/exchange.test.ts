import http from "node:http";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { postByNode } from "./exchange.ts";
import { ok, requestTo, serveBytes, textOf } from "./test-servers.ts";

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("no error was thrown");
    },
    (error: unknown) => error,
  );

describe("a request", () => {
  test("has its headers, its length and its body", async () => {
    await using server = await serveBytes((socket) => socket.write(ok("data: 1\n\n")));
    const headers = { "content-type": "application/json", authorization: "Bearer key" };
    const answer = await postByNode(requestTo(`${server.url}?a=%20b`, { headers }));
    expect(await textOf(answer)).toBe("data: 1\n\n");
    const [request = ""] = server.requests;
    expect(request.split("\r\n")).toEqual(
      expect.arrayContaining([
        "POST /v1/chat?a=%20b HTTP/1.1",
        "content-type: application/json",
        "authorization: Bearer key",
        "user-agent: skein",
        `Host: 127.0.0.1:${server.port}`,
        "Content-Length: 10",
      ]),
    );
    expect(Buffer.from(request, "latin1").toString()).toMatch(/\r\n\r\n\{"a":"ä"\}$/);
  });

  test("has the characters of its headers as fetch sends them", async () => {
    await using server = await serveBytes((socket) => socket.write(ok("")));
    const request = requestTo(server.url, { headers: { "x-name": "Ren\u00e9" } });
    await textOf(await postByNode(request));
    await fetch(server.url, { ...request, method: "POST" });
    expect(server.requests.map((text) => /x-name: (.*)\r/i.exec(text)?.[1])).toEqual([
      "Ren\u00e9",
      "Ren\u00e9",
    ]);
    expect(server.requests.map((text) => Buffer.from(text, "latin1").toString().slice(-10))).toEqual([
      '\n\r\n{"a":"ä"}'.slice(-10),
      '\n\r\n{"a":"ä"}'.slice(-10),
    ]);
  });

  test("is not sent where the signal is aborted already", async () => {
    await using server = await serveBytes((socket) => socket.write(ok("")));
    const reason = new Error("enough");
    expect(await failureOf(postByNode(requestTo(server.url, { signal: AbortSignal.abort(reason) })))).toBe(
      reason,
    );
    expect(server.connections).toHaveLength(0);
  });

  test("goes over the connection of the one before it", async () => {
    await using server = await serveBytes((socket, count) => socket.write(ok(`${count}`)));
    const texts: string[] = [];
    for (let count = 0; count < 3; count++) texts.push(await textOf(await postByNode(requestTo(server.url))));
    expect(texts).toEqual(["1", "2", "3"]);
    expect(server.connections).toHaveLength(1);
  });

  test("of many megabytes is sent whole", async () => {
    await using server = await serveBytes((socket, _, request) => socket.write(ok(`${request.length}`)));
    const answer = await postByNode(requestTo(server.url, { body: "x".repeat(4_000_000) }));
    expect(Number(await textOf(answer))).toBeGreaterThan(4_000_000);
  });

  test("may be answered while it is being sent", async () => {
    const refusing = http.createServer((request, response) => {
      response.writeHead(413, { connection: "close" }).end("too much");
      setTimeout(() => request.destroy(), 50);
    });
    refusing.listen(0, "127.0.0.1");
    await vi.waitFor(() => expect(refusing.listening).toBe(true));
    const address = refusing.address();
    const port = typeof address === "object" ? address?.port : 0;
    const answer = await postByNode(requestTo(`http://127.0.0.1:${port}/`, { body: "x".repeat(50_000_000) }));
    expect([answer.status, await textOf(answer)]).toEqual([413, "too much"]);
    refusing.close();
  });
});

test("a request does not wait for the timers of a test, which stand still", async () => {
  await using server = await serveBytes((socket) => socket.write(ok("one")));
  vi.useFakeTimers();
  for (let count = 0; count < 2; count++) {
    vi.advanceTimersByTime(1_000);
    expect(await textOf(await postByNode(requestTo(server.url)))).toBe("one");
  }
  vi.useRealTimers();
});

describe("a connection that was kept", () => {
  test("and that the server has closed meanwhile is not used", async () => {
    await using server = await serveBytes((socket) => socket.write(ok("one"), () => socket.end()));
    for (let count = 0; count < 3; count++) {
      expect(await textOf(await postByNode(requestTo(server.url)))).toBe("one");
      await vi.waitFor(() => expect(server.connections[count]?.destroyed).toBe(true));
    }
    expect([server.connections.length, server.requests.length]).toEqual([3, 3]);
  });

  test.each(["end", "destroy", "resetAndDestroy"] as const)(
    "and that the server closes once it has read a request (%s) is an error: it may have done what was asked",
    async (close) => {
      await using server = await serveBytes((socket, count) => {
        if (count > 1) socket[close]();
        else socket.write(ok("first"));
      });
      expect(await textOf(await postByNode(requestTo(server.url)))).toBe("first");
      expect(await failureOf(postByNode(requestTo(server.url)))).toMatchObject({ code: "ECONNRESET" });
      expect([server.connections.length, server.requests.length]).toEqual([1, 2]);
    },
  );

  test.each(["end", "resetAndDestroy"])(
    "and that the server has closed while the program computed (%s) is replaced, and nothing is lost",
    async (close) => {
      const counts = new Int32Array(new SharedArrayBuffer(12));
      const program = new URL("fixtures/closing-server.ts", import.meta.url);
      const worker = new Worker(program, { workerData: { close, counts } });
      await vi.waitFor(() => expect(counts[0]).toBeGreaterThan(0));
      for (let count = 1; count <= 5; count++) {
        expect(await textOf(await postByNode(requestTo(`http://127.0.0.1:${counts[0]}/`)))).toBe("one");
        // This thread stands still until the server has closed the connection, and a little longer.
        Atomics.wait(counts, 2, count - 1, 5_000);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      }
      expect(counts[1]).toBe(5);
      await worker.terminate();
    },
  );

  test("is not replaced once a byte of the answer was there", async () => {
    await using server = await serveBytes((socket, count) => {
      if (count === 1) return void socket.write(ok("first"));
      socket.write("HTTP/1.1 2", () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    await textOf(await postByNode(requestTo(server.url)));
    expect(await failureOf(postByNode(requestTo(server.url)))).toMatchObject({ code: "ECONNRESET" });
    expect(server.requests).toHaveLength(2);
  });

  test("is not used again after an answer that closes it, or that was not read to its end", async () => {
    await using server = await serveBytes((socket, _, request) => {
      if (request.includes("x-close")) socket.end(ok("bye", "connection: close\r\n"));
      else socket.write(ok("y".repeat(1_000_000)));
    });
    const headers = { "x-close": "1" };
    expect(await textOf(await postByNode(requestTo(server.url, { headers })))).toBe("bye");
    (await postByNode(requestTo(server.url))).body?.cancel();
    expect(await textOf(await postByNode(requestTo(server.url, { headers })))).toBe("bye");
    expect(server.connections).toHaveLength(3);
  });
});

test("a fresh connection that breaks is an error at once: the server may have read the request", async () => {
  await using server = await serveBytes((socket) => socket.destroy());
  expect(await failureOf(postByNode(requestTo(server.url)))).toMatchObject({ code: "ECONNRESET" });
  expect(server.requests).toHaveLength(1);
});

describe("an answer", () => {
  test("has its headers as fetch shows them", async () => {
    await using server = await serveBytes((socket) =>
      socket.write(ok("", "X-One: a\r\nx-one: b\r\nX-Odd: \xe9\r\n")),
    );
    const { headers } = await postByNode(requestTo(server.url));
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-one": "a, b",
      "content-type": "text/event-stream",
    });
  });

  test.each([301, 302, 303, 307, 308])("that leads elsewhere (%i) is not followed", async (status) => {
    await using server = await serveBytes((socket) =>
      socket.write(`HTTP/1.1 ${status} Elsewhere\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n`),
    );
    expect(await postByNode(requestTo(server.url))).toMatchObject({ status, isRedirect: true });
    expect(server.requests).toHaveLength(1);
  });

  test("of HTTP/1.0 ends with its connection", async () => {
    await using server = await serveBytes((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\ndata: 1\n\n"));
    expect(await textOf(await postByNode(requestTo(server.url)))).toBe("data: 1\n\n");
  });

  test("may have trailers and informational heads before it", async () => {
    await using server = await serveBytes((socket) =>
      socket.write(
        "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" +
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-end\r\n\r\n3\r\nabc\r\n0\r\nx-end: 1\r\n\r\n",
      ),
    );
    expect(await textOf(await postByNode(requestTo(server.url)))).toBe("abc");
  });

  test.each<[string, (text: string) => Buffer]>([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])("that is compressed all the same (%s) is decompressed", async (encoding, compress) => {
    const bytes = compress("data: 1\n\n".repeat(1_000));
    await using server = await serveBytes((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
      );
      socket.write(bytes);
    });
    expect(await textOf(await postByNode(requestTo(server.url)))).toBe("data: 1\n\n".repeat(1_000));
    expect(server.requests[0]).not.toContain("accept-encoding");
  });

  test("whose compression is broken is an error", async () => {
    await using server = await serveBytes((socket) =>
      socket.write(ok("no gzip", "content-encoding: gzip\r\n")),
    );
    const answer = await postByNode(requestTo(server.url));
    expect(await failureOf(textOf(answer))).toMatchObject({ code: "Z_DATA_ERROR" });
  });

  test("that is cut off in its body is an error", async () => {
    await using server = await serveBytes((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\ndata: 1\n\n", () => socket.end());
    });
    const answer = await postByNode(requestTo(server.url));
    expect(await failureOf(textOf(answer))).toMatchObject({ code: "ECONNRESET" });
  });

  test.each([
    ["no HTTP", "hello\r\n\r\n", "HPE_INVALID_CONSTANT"],
    ["a flood of headers", `HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(100_000)}\r\n`, "HPE_HEADER_OVERFLOW"],
    ["a length that is none", "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n", "HPE_INVALID_CONTENT_LENGTH"],
  ])("with %s is an error", async (_, bytes, code) => {
    await using server = await serveBytes((socket) => socket.write(bytes));
    expect(await failureOf(postByNode(requestTo(server.url)))).toMatchObject({ code });
  });
});

test("an answer that switches to another protocol is an error", async () => {
  await using server = await serveBytes((socket) =>
    socket.write("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  );
  expect(await failureOf(postByNode(requestTo(server.url)))).toMatchObject({
    message: "unexpected status 101",
  });
  await vi.waitFor(() => expect(server.connections[0]?.destroyed).toBe(true));
});

describe("a signal", () => {
  test("ends the wait for the head, and closes the connection", async () => {
    await using server = await serveBytes(() => {});
    const controller = new AbortController();
    const failure = failureOf(postByNode(requestTo(server.url, { signal: controller.signal })));
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await failure).toBe(reason);
    await vi.waitFor(() => expect(server.connections[0]?.destroyed).toBe(true));
  });

  test("ends a head that comes a byte at a time", async () => {
    await using server = await serveBytes((socket) => {
      const timer = setInterval(() => socket.write("x"), 5);
      socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
      socket.on("close", () => clearInterval(timer));
    });
    const failure = failureOf(postByNode(requestTo(server.url, { signal: AbortSignal.timeout(100) })));
    expect(await failure).toMatchObject({ name: "TimeoutError" });
    await vi.waitFor(() => expect(server.connections[0]?.destroyed).toBe(true));
  });

  test("ends a body that is being read", async () => {
    await using server = await serveBytes((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\ndata: 1\n\n"),
    );
    const controller = new AbortController();
    const { body } = await postByNode(requestTo(server.url, { signal: controller.signal }));
    await body?.wait();
    expect(Buffer.from(body?.take() ?? []).toString()).toBe("data: 1\n\n");
    const waiting = failureOf(body?.wait() ?? Promise.resolve());
    controller.abort(new Error("enough"));
    expect(await waiting).toBeInstanceOf(Error);
    await vi.waitFor(() => expect(server.connections[0]?.destroyed).toBe(true));
  });

  test("leaves no listener behind once an answer is read", async () => {
    await using server = await serveBytes((socket) => socket.write(ok("data: 1\n\n")));
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const added = vi.spyOn(signal, "addEventListener");
    await textOf(await postByNode(requestTo(server.url, { signal })));
    await vi.waitFor(() => expect(removed).toHaveBeenCalledTimes(added.mock.calls.length));
  });
});

test("a reader that pauses stops the server", async () => {
  let sent = 0;
  await using server = await serveBytes((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n");
    const piece = Buffer.alloc(64 * 1024, "x");
    const send = (): void => {
      while (!socket.destroyed && socket.write(piece)) sent += piece.length;
    };
    socket.on("drain", send);
    send();
  });
  const { body } = await postByNode(requestTo(server.url));
  await body?.wait();
  let before = -1;
  await vi.waitFor(
    () => {
      const isStill = sent === before;
      before = sent;
      expect(isStill).toBe(true);
    },
    { timeout: 5_000, interval: 200 },
  );
  expect(sent).toBeLessThan(50_000_000);
  let read = 0;
  for (const end = sent + 20_000_000; read < end; await body?.wait())
    for (let piece = body?.take(); piece; piece = body?.take()) read += piece.length;
  expect(sent).toBeGreaterThan(before);
  body?.cancel();
});
