import { createServer, type RequestListener, type Server } from "node:http";
import { inspect } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import {
  ConfigurationError,
  MalformedResponseError,
  ModelTimeoutError,
  NetworkError,
  RateLimitError,
} from "../errors.ts";
import { type EventsAnswer, type PostOptions, postForEvents } from "./http.ts";
import { setRealModelsBlocked } from "./real-models.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1/x`;
}

function options(url: string, more: Partial<PostOptions> = {}): PostOptions {
  return { provider: "acme", modelId: "m-1", url, headers: {}, body: { a: 1 }, ...more };
}

async function streamed(post: PostOptions): Promise<EventsAnswer> {
  const answer = await postForEvents(post);
  if (answer.kind !== "events") throw new Error("the answer is not a stream");
  return answer;
}

async function dataOf(post: PostOptions): Promise<string[]> {
  const answer = await streamed(post);
  return (await Array.fromAsync(answer.events)).flat().map((event) => event.data);
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => error,
  );
}

const events = { "content-type": "text/event-stream; charset=utf-8" };

describe("a request", () => {
  test("is posted as JSON with its headers, and the answer's events come back with the headers", async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece.toString()));
      request.on("end", () => {
        const { "content-type": type, accept, "x-api-key": key } = request.headers;
        seen.push(request.method, request.url, type, accept, key, body);
        response.writeHead(200, { ...events, "X-Request-Id": "r1", "set-cookie": "session=1" });
        response.end("data: 1\n\ndata: 2\n\n");
      });
    });
    const answer = await streamed(options(url, { headers: { "X-Api-Key": "k1", other: undefined } }));
    expect((await Array.fromAsync(answer.events)).flat().map((event) => event.data)).toEqual(["1", "2"]);
    expect(seen).toEqual(["POST", "/v1/x", "application/json", "text/event-stream", "k1", '{"a":1}']);
    expect(answer.headers).toMatchObject({ "x-request-id": "r1" });
    expect(answer.headers).not.toHaveProperty("set-cookie");
  });

  test("is answered by a JSON value where the server does not stream", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"b":2}');
    });
    expect(await postForEvents(options(url))).toMatchObject({ kind: "json", value: { b: 2 } });
  });

  test("takes a body without a content type for events", async () => {
    const fetch = async (): Promise<Response> => new Response(new Blob(["data: 1\n\n"]).stream());
    expect(await dataOf(options("https://acme.test/v1", { fetch }))).toEqual(["1"]);
  });

  test("is not sent to a real provider while those are blocked", async () => {
    setRealModelsBlocked(true);
    try {
      const error = await failureOf(postForEvents(options("https://api.acme.test/v1")));
      expect(error).toMatchObject({ code: "real-model-blocked" });
    } finally {
      setRealModelsBlocked(false);
    }
  });
});

describe("an answer that cannot be read", () => {
  test.each([
    ["an HTML page", "text/html", "<!DOCTYPE html><title>Log in</title>", /HTML page.*check the baseURL/],
    ["an empty body", "application/json", "", /empty body/],
    ["broken JSON", "application/json", '{"a":', /not JSON: \{"a":/],
    ["another content type", "text/plain", "hello", /content type "text\/plain"/],
  ])("is a typed error: %s", async (_title, type, body, message) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-type": type, "request-id": "r2" });
      response.end(body);
    });
    const error = await failureOf(postForEvents(options(url)));
    expect(error).toBeInstanceOf(MalformedResponseError);
    expect(error).toMatchObject({ provider: "acme", modelId: "m-1", status: 200, requestId: "r2" });
    expect(String(error)).toMatch(message);
  });
});

describe("a wrong address", () => {
  const html = "<!DOCTYPE html><html><head><title>Not Found</title></head></html>";
  test.each<[string, number, string]>([
    ["a page", 404, html],
    ["an unknown path", 404, '{"error":{"message":"Invalid URL (POST /chat/completions)"}}'],
    ["nothing", 404, ""],
    ["another method", 405, '{"detail":"Method Not Allowed"}'],
    ["a page with status 200", 200, html],
  ])("that answers with %s is named, without its query", async (_title, status, body) => {
    const url = await serve((_request, response) => {
      response
        .writeHead(status, { "content-type": body === html ? "text/html" : "application/json" })
        .end(body);
    });
    const error = await failureOf(postForEvents(options(`${url}/chat/completions?key=hidden`)));
    expect(String(error)).toContain(`The request went to ${url}/chat/completions: check the baseURL.`);
    expect(String(error)).toContain(
      "end in /v1, Anthropic's does not, Google's is https://generativelanguage.googleapis.com.",
    );
    expect(String(error)).not.toContain("hidden");
  });

  test("is not suspected where the model is what the server does not know", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(404).end('{"error":{"message":"The model m-1 does not exist"}}');
    });
    expect(String(await failureOf(postForEvents(options(url))))).not.toContain("baseURL");
  });
});

describe("a connection that fails", () => {
  test("is a retryable network error with the system's code", async () => {
    const url = await serve(() => {});
    servers[0]?.close();
    const error = await failureOf(postForEvents(options(url)));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ isRetryable: true, providerCode: "ECONNREFUSED" });
    expect(String(error)).toContain("127.0.0.1");
    expect(String(error).match(/ECONNREFUSED/g), "the cause is said once").toHaveLength(1);
    expect(String(error)).not.toContain("Ollama");
  });

  test("detects whether Ollama runs, unless something else answers", async () => {
    const url = await serve(() => {});
    servers[0]?.close();
    const error = await failureOf(postForEvents(options(url, { provider: "ollama" })));
    expect(String(error)).toContain("Is Ollama running? Start it with `ollama serve`.");
  });

  test("is a network error when it breaks during the stream, after the events that came", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, events);
      response.write("data: 1\n\n", () => response.destroy());
    });
    const answer = await streamed(options(url));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const batch of answer.events) for (const event of batch) seen.push(event.data);
    })();
    const error = await failureOf(reading);
    expect(error).toBeInstanceOf(NetworkError);
    expect(seen).toEqual(["1"]);
  });

  test("does not matter once the provider has said that nothing follows", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, events);
      response.write("data: [DONE]\n\n");
    });
    const answer = await streamed(options(url, { timeout: 60_000 }));
    const seen: string[] = [];
    for await (const batch of answer.events) {
      seen.push(...batch.map((event) => event.data));
      answer.ending();
    }
    expect(seen).toEqual(["[DONE]"]);
  });

  test("is an error that names the fix where the server redirects: the key goes nowhere else", async () => {
    const elsewhere: string[] = [];
    const target = await serve((request, response) => response.end(`${elsewhere.push(request.url ?? "")}`));
    const url = await serve((_request, response) => response.writeHead(308, { location: target }).end());
    const headers = { "x-api-key": "sk-secret" };
    const error = await failureOf(postForEvents(options(url, { headers })));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ isRetryable: false });
    expect(String(error)).toMatch(/redirect.*give it as the baseURL/);
    expect(elsewhere).toEqual([]);
    const manual: typeof fetch = (input, init) => fetch(input, { ...init, redirect: "manual" });
    const told = await failureOf(postForEvents(options(url, { headers, fetch: manual })));
    expect(told).toMatchObject({ code: "network", isRetryable: false });
    expect(String(told)).toMatch(/redirect.*give it as the baseURL/);
    expect(elsewhere).toEqual([]);
  });

  test("is a typed error that is not retryable when the certificate does not fit", async () => {
    const cause = Object.assign(new Error("self-signed certificate"), {
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
    const fetch = async (): Promise<Response> => Promise.reject(new TypeError("fetch failed", { cause }));
    const error = await failureOf(postForEvents(options("https://acme.test/v1", { fetch })));
    expect(error).toMatchObject({ code: "network", isRetryable: false });
    expect(String(error)).toContain("self-signed certificate");
  });
});

describe("a provider that says nothing", () => {
  const silences: Readonly<Record<string, RequestListener>> = {
    "before its headers": () => {},
    "after its headers": (_request, response) => response.writeHead(200, events).flushHeaders(),
    "during its events": (_request, response) => response.writeHead(200, events).write("data: 1\n\n"),
  };

  test.each(Object.entries(silences))("is a timeout: %s", async (_title, listener) => {
    const error = await failureOf(dataOf(options(await serve(listener), { timeout: 40 })));
    expect(error).toBeInstanceOf(ModelTimeoutError);
    expect(error).toMatchObject({ isRetryable: true, message: expect.stringContaining("40 ms") });
  });

  test("is an error of its status where it was going to say more", async () => {
    const url = await serve((_request, response) => response.writeHead(429).write("{"));
    const error = await failureOf(dataOf(options(url, { timeout: 40 })));
    expect(error).toMatchObject({ name: "RateLimitError", status: 429 });
  });

  test("is none while the reader takes its time", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, events);
      response.write("data: 1\n\n");
      setTimeout(() => response.end("data: 2\n\n"), 1200);
    });
    const answer = await streamed(options(url, { timeout: 1000 }));
    const seen: string[] = [];
    for await (const batch of answer.events) {
      await new Promise((resolve) => void setTimeout(resolve, 1100));
      seen.push(...batch.map((event) => event.data));
    }
    expect(seen).toEqual(["1", "2"]);
  });
});

describe("an aborted request", () => {
  test("throws the signal's reason before anything is sent", async () => {
    const reason = new Error("changed my mind");
    const fetch = (): never => expect.fail("a request was sent");
    const error = await failureOf(
      postForEvents(options("https://acme.test/v1", { fetch, signal: AbortSignal.abort(reason) })),
    );
    expect(error).toBe(reason);
  });

  test("throws the signal's reason at once while the provider is silent, and frees the connection", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const closed = Promise.withResolvers<void>();
    const url = await serve((request) => {
      request.on("close", () => closed.resolve());
      controller.abort(reason);
    });
    expect(await failureOf(postForEvents(options(url, { signal: controller.signal })))).toBe(reason);
    await closed.promise;
  });

  test("throws the signal's reason at once during the stream", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const url = await serve(
      (_request, response) => void response.writeHead(200, events).write("data: 1\n\n"),
    );
    const answer = await streamed(options(url, { signal: controller.signal }));
    const first = await answer.events.next();
    expect(first.done).toBe(false);
    const second = answer.events.next();
    controller.abort(reason);
    expect(await failureOf(second)).toBe(reason);
  });

  test("does not wait for a fetch that does not heed signals", async () => {
    const controller = new AbortController();
    const fetch = (): Promise<Response> => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    };
    const error = await failureOf(
      postForEvents(options("https://acme.test/v1", { fetch, signal: controller.signal })),
    );
    expect(error).toBe(controller.signal.reason);
  });
});

describe("a reader that leaves", () => {
  test("closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200, events).write("data: 1\n\n");
    });
    const answer = await streamed(options(url));
    for await (const [event] of answer.events) if (event) break;
    await expect(closed.promise).resolves.toBeUndefined();
  });
});

describe("a key", () => {
  const key = "key-of-mine-123456";
  const headers = { authorization: `Bearer ${key}` };

  test("stands in no error, though the provider echoes it", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(429, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          error: { message: `Slow down, ${key} and sk-other-4711abc.`, code: `limit_${key}` },
        }),
      );
    });
    const error = await failureOf(postForEvents(options(url, { headers })));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/key-of-mine|sk-other/);
    expect(String(error)).toContain("[redacted]");
  });

  test("stands in no error, though a fetch puts it there", async () => {
    const fetch = async (): Promise<Response> =>
      Promise.reject(new Error("failed", { cause: new Error(`header ${key} refused`) }));
    const error = await failureOf(postForEvents(options("https://acme.test/v1", { headers, fetch })));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("key-of-mine");
  });

  test("that HTTP cannot carry is a configuration error which does not show it", async () => {
    const error = await failureOf(
      postForEvents(options("https://acme.test/v1", { headers: { authorization: `Bearer ${key}\n` } })),
    );
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain("authorization");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("key-of-mine");
  });
});

test("an error that is not JSON has the server's text", async () => {
  const url = await serve((_request, response) => void response.writeHead(500).end("out of disk space"));
  expect(await failureOf(postForEvents(options(url)))).toMatchObject({
    message: expect.stringContaining("out of disk space"),
  });
});

test("an address that is not a URL is a configuration error", async () => {
  expect(await failureOf(postForEvents(options("api.acme.test/v1")))).toMatchObject({
    code: "invalid-base-url",
  });
});

test("a connection serves one request after the other", async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(200, events).end("data: 1\n\ndata: [DONE]\n\n");
  });
  for (let count = 0; count < 4; count += 1) {
    const answer = await streamed(options(url));
    for await (const batch of answer.events)
      if (batch.some((event) => event.data === "[DONE]")) answer.ending();
  }
  expect(ports.size).toBeLessThan(4);
});
