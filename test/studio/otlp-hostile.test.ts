/** What strangers may send to the studio's receiver of spans: it is refused or harmless, and what comes next is received. */
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { Agent } from "skein";
import { ScriptedModel } from "skein/testing";
import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { receiveTraces, type OtlpReceiver } from "../../src/studio/otlp/receiver.ts";
import { openStudio } from "../../src/studio/studio.ts";
import { RunRing } from "../../src/studio/ring.ts";
import { RunRecord } from "../../src/studio/run-record.ts";

let receiver: OtlpReceiver;
const ring = new RunRing({ runs: 20, bytes: 16 * 1024 * 1024 }, () => {});
beforeAll(async () => {
  receiver = await receiveTraces(ring, 0);
});
afterAll(() => receiver.close());

const json = { "content-type": "application/json" };
const protobuf = { "content-type": "application/x-protobuf" };

/** Sends a body with headers that `fetch` would set itself, and returns the status and the answer. */
function send(
  body: string | Uint8Array,
  headers: Record<string, string> = json,
  path = "/v1/traces",
  method = "POST",
): Promise<readonly [status: number | undefined, answer: string]> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(receiver.url);
    const outgoing = request({ hostname, port, path, method, headers }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += String(piece)));
      response.on("end", () => resolve([response.statusCode, text]));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const idOf = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** A model call as JSON has it. */
function chat(trace: number, more: object = {}): object {
  const operation = { key: "gen_ai.operation.name", value: { stringValue: "chat" } };
  return { traceId: idOf(trace, 32), spanId: idOf(1, 16), name: "chat", attributes: [operation], ...more };
}

const requestOf = (spans: readonly unknown[]): string =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

/** Whether an ordinary trace is still received. */
async function expectWell(): Promise<void> {
  // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
  expect(await send(requestOf([chat(4_095)]))).toEqual([200, "{}"]);
  // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
  expect(ring.get(`trace-${idOf(4_095, 32)}`)?.status).toBe("completed");
}

/** A field of protobuf with a length. */
function field(number: number, ...bytes: readonly number[]): number[] {
  return [number * 8 + 2, (bytes.length % 128) | 128, bytes.length >> 7, ...bytes];
}

describe("refused", () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32));
  let deepBytes: Uint8Array = new Uint8Array([0x0a, 0]);
  for (let level = 0; level <= 200; level++) {
    const length = [(deepBytes.length % 128) | 128, deepBytes.length >> 7];
    deepBytes = new Uint8Array([level % 2 === 0 ? 0x2a : 0x0a, ...length, ...deepBytes]);
  }
  const deep = new Uint8Array(field(1, ...field(1, ...field(1, ...field(2, ...deepBytes)))));
  const list = "[".repeat(200_000) + "]".repeat(200_000);
  const cases: readonly (readonly [string, number, string | Uint8Array, Record<string, string>])[] = [
    ["a gzip bomb", 413, bomb, { ...json, "content-encoding": "gzip" }],
    ["more bytes than a request may have", 413, Buffer.alloc(17 * 1024 * 1024, 32), json],
    ["what is not gzip", 400, "{}", { ...json, "content-encoding": "gzip" }],
    ["half a gzip", 400, gzipSync("{}").subarray(0, 12), { ...json, "content-encoding": "gzip" }],
    ["another encoding", 415, "{}", { ...json, "content-encoding": "br" }],
    ["another type", 415, "{}", { "content-type": "text/plain" }],
    ["no type", 415, "{}", {}],
    ["what is not JSON", 400, "{", json],
    ["JSON of many levels", 400, `{"resourceSpans":${list}}`, json],
    ["protobuf of many levels", 400, deep, protobuf],
    ["protobuf that ends early", 400, new Uint8Array([0x0a, 0xff, 0x01, 0]), protobuf],
    ["a length without an end", 400, new Uint8Array(20).fill(0xff), protobuf],
    ["a negative length", 400, new Uint8Array([0x0a, ...new Uint8Array(9).fill(0xff), 1]), protobuf],
    ["a group", 400, new Uint8Array([0x0b, 0x0c]), protobuf],
    ["millions of empty messages", 400, Buffer.alloc(4_000_000, new Uint8Array([0x0a, 0])), protobuf],
    ["a page of another site", 403, "{}", { ...json, origin: "https://evil.example" }],
    ["a page without an origin", 403, "{}", { ...json, origin: "null" }],
    ["another host", 403, "{}", { ...json, host: "evil.example" }],
  ];
  test.each(cases)("%s by %i", async (_name, status, body, headers) => {
    const [answered, text] = await send(body, headers);
    expect(answered).toBe(status);
    // The studio has none of its options.
    expect(text).not.toContain("serve()");
    await expectWell();
  });

  test("other methods and paths", async () => {
    expect((await send("", {}, "/v1/traces", "GET"))[0]).toBe(405);
    expect((await send("{}", json, "/v1/traces/x"))[0]).toBe(404);
    expect((await send("{}", json, "/studio/runs"))[0]).toBe(404);
  });

  test("more requests at once than are read, which may come again", async () => {
    const held = Array.from({ length: 8 }, () => {
      const { hostname, port } = new URL(receiver.url);
      const outgoing = request({ hostname, port, path: "/v1/traces", method: "POST", headers: json });
      outgoing.on("error", () => {});
      outgoing.write("{");
      return outgoing;
    });
    await expect.poll(async () => (await send("{}"))[0]).toBe(503);
    for (const each of held) each.destroy();
    await expect.poll(async () => (await send("{}"))[0]).toBe(200);
  });
});

describe("harmless", () => {
  test.each([
    ["null", null],
    ["a list", []],
    ["a number for a list", { resourceSpans: 1 }],
    ["nulls in lists", { resourceSpans: [null, { scopeSpans: [null, { spans: [null, 1, "x"] }] }] }],
    ["a prototype", JSON.parse('{"__proto__":{"resourceSpans":[]},"resourceSpans":[{"__proto__":1}]}')],
  ])("%s for a request", async (_name, body) => {
    expect((await send(JSON.stringify(body)))[0]).toBe(200);
    await expectWell();
  });

  test("spans whose fields have other types than they must", async () => {
    const wrong: readonly unknown[] = [
      1,
      "x",
      null,
      [],
      {},
      { toString: 1 },
      { stringValue: { toString: null } },
      true,
      -1,
      1e308,
    ];
    const spans = wrong.flatMap((value, index) => [
      chat(100 + index, { name: value, startTimeUnixNano: value, endTimeUnixNano: value, status: value }),
      chat(200 + index, { events: value, parentSpanId: value, kind: value }),
      chat(300 + index, { events: [{ name: value, timeUnixNano: value, attributes: value }] }),
      ...[
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.tool.definitions",
        "gen_ai.agent.name",
      ].map((key, place) => {
        const attributes = [
          { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
          { key, value },
          { key: value, value: { stringValue: "x" } },
          {
            key,
            value: { stringValue: JSON.stringify([value, { role: value, parts: value, content: value }]) },
          },
          { key: `${key}2`, value: { arrayValue: value, kvlistValue: { values: [{ key: value, value }] } } },
        ];
        return chat(1_000 * (place + 1) + index, { attributes });
      }),
    ]);
    expect((await send(requestOf(spans)))[0]).toBe(200);
    await expectWell();
  });

  test("spans without valid ids are left out, and counted", async () => {
    const spans = [{}, chat(0), chat(1, { spanId: "x" }), chat(1, { traceId: "g".repeat(32) }), chat(77)];
    const [status, answer] = await send(requestOf(spans));
    expect([status, JSON.parse(answer)]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: "4", errorMessage: expect.any(String) } },
    ]);
    expect(ring.get(`trace-${idOf(77, 32)}`)).toBeDefined();
    const span = field(1, ...field(2, ...field(2, ...field(5, 120))));
    const [, ofProtobuf] = await send(new Uint8Array(span), protobuf);
    expect(ofProtobuf).toContain("Spans without valid ids");
  });

  test("parents in circles, of spans themselves and of hundreds of levels", async () => {
    const inTrace = (trace: number, span: number, parent: number): object =>
      chat(trace, { spanId: idOf(span, 16), parentSpanId: idOf(parent, 16) });
    const chain = Array.from({ length: 5_000 }, (_, index) => inTrace(52, index + 1, index + 2));
    const down = Array.from({ length: 5_000 }, (_, index) => inTrace(53, index + 1, index));
    const circles = [inTrace(50, 1, 1), inTrace(51, 1, 2), inTrace(51, 2, 3), inTrace(51, 3, 1)];
    for (const spans of [circles, chain, down]) expect(await send(requestOf(spans))).toEqual([200, "{}"]);
    await expectWell();
  });

  test("more spans than a trace may have are left out, and counted", async () => {
    const spans = Array.from({ length: 6_000 }, (_, index) => chat(60, { spanId: idOf(index + 1, 16) }));
    const [, answer] = await send(requestOf(spans));
    expect(JSON.parse(answer)).toMatchObject({ partialSuccess: { rejectedSpans: "1000" } });
    await expectWell();
  });

  test("more traces than are kept: the oldest are forgotten, with their spans", async () => {
    for (let trace = 10_000; trace < 10_100; trace++) await send(requestOf([chat(trace)]));
    expect(ring.count).toBe(20);
    expect(ring.get(`trace-${idOf(10_099, 32)}`)).toBeDefined();
    expect(ring.get(`trace-${idOf(10_000, 32)}`)).toBeUndefined();
  });

  test("no trace takes more bytes than there are", async () => {
    const text = "x".repeat(1_000_000);
    const attributes = [
      { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
      { key: "gen_ai.output.messages", value: { stringValue: text } },
    ];
    for (let index = 1; index <= 50; index++)
      await send(requestOf([chat(70, { spanId: idOf(index, 16), attributes })]));
    expect(ring.size).toBeLessThanOrEqual(16 * 1024 * 1024);
    await expectWell();
  });

  test("metrics and logs of SDKs that send everything", async () => {
    expect(await send("{}", json, "/v1/metrics")).toEqual([200, "{}"]);
    expect(await send(new Uint8Array(), protobuf, "/v1/logs")).toEqual([200, ""]);
    const wrong = [
      null,
      1,
      {},
      { traceId: {} },
      { traceId: idOf(1, 32), spanId: idOf(1, 16), eventName: [] },
    ];
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: wrong }] }, null] });
    expect(await send(body, json, "/v1/logs")).toEqual([200, "{}"]);
    expect((await send(new Uint8Array([0x0a, 0xff, 0x01, 0]), protobuf, "/v1/logs"))[0]).toBe(400);
  });

  test("a trace that calls itself like a run of the program does not take its place", async () => {
    const own = new RunRecord(idOf(90, 32), undefined, "Own", 0);
    ring.add(own);
    await send(requestOf([chat(90)]));
    expect(ring.get(idOf(90, 32))).toBe(own);
  });
});

test("a port that is not free is refused in words, and nothing is left open", async () => {
  const agents = [new Agent({ name: "A", model: new ScriptedModel([]) })];
  const { port } = new URL(receiver.url);
  await expect(openStudio({ agents, port: 0 }, {}, { otlp: Number(port) })).rejects.toMatchObject({
    code: "listen",
  });
});
