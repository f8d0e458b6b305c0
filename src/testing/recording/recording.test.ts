import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { anthropic } from "../../providers/anthropic/index.ts";
import { RateLimitError } from "../../errors.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { offline } from "../../providers/offline/index.ts";
import { openai } from "../../providers/openai/index.ts";
import { type Answer, sse, type TestServer } from "../../providers/openai/test-server.ts";
import { run } from "../../run/run.ts";
import { tool } from "../../tool/define.ts";
import { blockRealModels, record, recorded, replay, ScriptedModel } from "../index.ts";
import { decodeChunk } from "./chunks.ts";
import { parseRecording } from "./format.ts";
import { openRecording, type TestRecording } from "./test-recording.ts";

const key = "sk-proj-4711abcdefgh";
let recording: TestRecording;
let server: TestServer;
let folder: string;
let file: string;

beforeEach(async () => {
  recording = await openRecording();
  ({ server, folder, file } = recording);
});
afterEach(() => {
  vi.unstubAllEnvs();
  return recording.close();
});

const chunk = (delta: object, finish: string | null = null): object => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const [greeting, rest] = [
  sse(chunk({ role: "assistant", content: "Grüezi" })),
  sse(chunk({}, "stop"), "[DONE]"),
];
/** The ü of the greeting is parted. */
const bytes = Buffer.from(greeting);
const cut = bytes.indexOf(0xc3) + 1;
const spoken: Answer = {
  chunks: [bytes.subarray(0, cut), bytes.subarray(cut), rest],
  headers: {
    "set-cookie": "session=4711",
    "openai-organization": "org-goosefarm12",
    "x-request-id": "req_1",
  },
};
const request: ModelRequest = { messages: [{ role: "user", content: "Hello" }] };
const chat = (options = {}): Model =>
  openai("m", { baseURL: `${server.url}/v1`, apiKey: key, organization: "org-goosefarm12", ...options });

function streamOf(pieces: readonly Uint8Array[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function collect(model: Model, input: ModelRequest = request): Promise<ModelEvent[]> {
  return Array.fromAsync(model.stream(input));
}

function textOf(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
}

describe("what is recorded of a model on the wire", () => {
  test("is each exchange with the pieces as the network gave them", async () => {
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut), Buffer.from(rest)];
    const network = async (): Promise<Response> =>
      new Response(streamOf(pieces), { headers: { "content-type": "text/event-stream" } });
    await collect(record(chat({ fetch: network }), file));
    const [exchange, ...others] = recording.exchanges();
    expect(others).toEqual([]);
    expect(exchange).toMatchObject({ model: "openai:m", request });
    const [wire] = exchange?.wire ?? [];
    expect(wire?.request).toMatchObject({ method: "POST", body: { model: "m", stream: true } });
    const chunks = wire?.response?.chunks ?? [];
    expect(chunks).toEqual([
      { base64: bytes.subarray(0, cut).toString("base64") },
      { base64: expect.any(String) },
      rest,
    ]);
    expect(Buffer.concat(chunks.map(decodeChunk)).toString()).toBe(greeting + rest);
  });

  test("is replayed without a key, a network or leave to ask real models", async () => {
    server.answer(spoken);
    const first = await collect(record(chat(), file));
    const allow = blockRealModels();
    try {
      const again = replay(file, { model: chat({ apiKey: undefined, organization: undefined }) });
      expect(textOf(await collect(again))).toBe("Grüezi");
      const plain = replay(file);
      expect(plain).toMatchObject({ provider: "openai", modelId: "m" });
      expect(textOf(await collect(plain))).toBe(textOf(first));
      again.assertComplete();
      plain.assertComplete();
    } finally {
      allow();
    }
    expect(server.received).toHaveLength(1);
  });

  test("has no secret in it, wherever one stands", async () => {
    vi.stubEnv("BACKOFFICE_TOKEN", "tok-of-the-back-office");
    server.answer({
      status: 401,
      type: "application/json",
      // The key that the provider echoes is parted by the network.
      chunks: [
        `{"error":{"message":"Incorrect key ${key.slice(0, 9)}`,
        `${key.slice(9)} in org-goosefarm12"}}`,
      ],
      headers: { "set-cookie": "session=4711" },
    });
    const model = record(
      chat({ baseURL: `${server.url}/v1`, headers: { "x-tenant": "a-private-one" } }),
      file,
      {
        secrets: ["the-secret-word"],
      },
    );
    const question = `My key is ${key}, ours is tok-of-the-back-office, the word is the-secret-word.`;
    await expect(collect(model, { messages: [{ role: "user", content: question }] })).rejects.toThrow(
      "Incorrect key",
    );
    const text = recording.text();
    expect(text).toContain("My key is [redacted], ours is [redacted], the word is [redacted].");
    for (const secret of [
      key,
      key.slice(9),
      "tok-of-the",
      "secret-word",
      "goosefarm",
      "4711",
      "a-private-one",
    ])
      expect(text).not.toContain(secret);
    expect(recording.exchanges()[0]?.wire?.[0]?.request.headers).toMatchObject({
      authorization: "[redacted]",
      "x-tenant": "[redacted]",
      "content-type": "application/json",
    });
  });

  test("keeps failures: a status, a stream that is cut, no connection", async () => {
    server.answer({ status: 429, type: "application/json", chunks: ["{}"], headers: { "retry-after": "7" } });
    const model = record(chat(), file);
    await expect(collect(model)).rejects.toMatchObject({ retryAfter: 7000 });
    server.answer({ chunks: [greeting], after: (response) => void response.destroy() });
    await expect(collect(model)).rejects.toThrow(/connection broke|ECONN|terminated/);
    await server.close();
    await expect(collect(model)).rejects.toThrow("ECONNREFUSED");

    for (const again of [replay(file), replay(file, { model: chat() })]) {
      await expect(collect(again)).rejects.toBeInstanceOf(RateLimitError);
      await expect(collect(again)).rejects.toMatchObject({ code: "network" });
      await expect(collect(again)).rejects.toMatchObject({ code: "network", providerCode: "ECONNREFUSED" });
      again.assertComplete();
    }
  });

  test("ends where its reader left, and a further read fails with the reason", async () => {
    server.answer({ chunks: [greeting], after: () => undefined });
    for await (const event of record(chat(), file).stream(request)) if (event.type === "text-delta") break;
    expect(recording.exchanges()[0]).toMatchObject({ left: true });
    for (const again of [replay(file), replay(file, { model: chat() })]) {
      await expect(collect(again)).rejects.toThrow("ends where its reader left");
    }
  });

  test("may be of a model with a custom fetch, and of Anthropic's", async () => {
    server.answer({
      type: "application/json",
      chunks: [
        '{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}',
      ],
    });
    const make = (fetch: typeof globalThis.fetch): Model =>
      anthropic("claude-sonnet-4-6", { baseURL: server.url, apiKey: key, fetch });
    expect(textOf(await collect(record(make, file)))).toBe("Hi");
    expect(textOf(await collect(replay(file, { model: make })))).toBe("Hi");
    expect(textOf(await collect(replay(file, { model: make(fetch) })))).toBe("Hi");
    expect(server.received).toHaveLength(1);
  });
});

describe("a run of several turns", () => {
  const lookUp = (found: () => string) =>
    tool<{ bird: string }>({
      name: "look_up",
      input: { type: "object", properties: { bird: { type: "string" } }, required: ["bird"] },
      execute: ({ bird }) => `${bird}: ${found()}`,
    });
  const clerk = (found: string): Agent => new Agent({ name: "Clerk", tools: [lookUp(() => found)] });
  const script = (): ScriptedModel =>
    new ScriptedModel([
      { toolCalls: [{ toolName: "look_up", arguments: { bird: "heron" } }], reasoning: "hm" },
      { text: "It is 4711.", usage: { inputTokens: 3, outputTokens: 2 } },
    ]);

  test("is replayed from its events, for any model", async () => {
    const first = await run(clerk("4711"), "Which code?", { model: record(script(), file) });
    expect(recording.text().split("\n")).toHaveLength(4);
    const model = replay(file);
    const again = await run(clerk("4711"), "Which code?", { model });
    expect(again.messages).toEqual(first.messages);
    expect(again.usage).toEqual(first.usage);
    model.assertComplete();
  });

  test("that sends something else fails with the place, both texts and what to do", async () => {
    await run(clerk("4711"), "Which code?", { model: record(script(), file) });
    const failing = run(clerk("4712"), "Which code?", { model: replay(file) });
    await expect(failing).rejects.toMatchObject({
      code: "replay-mismatch",
      data: { request: 2, exchange: 2 },
    });
    await expect(failing).rejects.toThrow(
      [
        `Request 2 is not one of those left in ${file}. Compared with exchange 2 (line 3):`,
        "  $.messages[2].result.content[0].text",
        '    recorded: "heron: 4711"',
        '    sent:     "heron: 4712"',
        "If the program is right, record it again: record(), or SKEIN_RECORD=1 where recorded() is used. What differs each time (a date, a port) belongs in ignore.",
      ].join("\n"),
    );
  });

  test("may differ where the options allow it", async () => {
    await run(clerk("4711"), "Which code?", { model: record(script(), file) });
    const model = replay(file, { ignore: ["$.messages[2].result.content"] });
    expect((await run(clerk("4712"), "Which code?", { model })).text).toBe("It is 4711.");
    model.assertComplete();
  });

  test("fails after too many or too few requests", async () => {
    await run(clerk("4711"), "Which code?", { model: record(script(), file) });
    const model = replay(file);
    await collect(model, {
      messages: [{ role: "user", content: "Which code?" }],
      tools: (await first()).tools ?? [],
    });
    expect(() => model.assertComplete()).toThrow("1 of 2 exchanges in");
    async function first(): Promise<ModelRequest> {
      return recording.exchanges()[0]?.request as ModelRequest;
    }
  });

  test("finds each exchange of runs side by side, whichever comes first", async () => {
    const echo = new ScriptedModel(
      Array.from(
        { length: 4 },
        () =>
          ({ messages }: ModelRequest) =>
            `You said ${JSON.stringify(messages[0])}`,
      ),
    );
    const agent = new Agent({ name: "Echo" });
    const say = (model: Model, words: readonly string[]): Promise<string[]> =>
      Promise.all(words.map(async (word) => (await run(agent, word, { model })).text));
    await say(record(echo, file), ["a", "b", "c", "d"]);
    expect(recording.exchanges().map(({ request }) => request?.messages[0])).toEqual(
      ["a", "b", "c", "d"].map((content) => ({ role: "user", content })),
    );
    const model = replay(file);
    const [said] = await say(model, ["d", "c", "b", "a"]);
    expect(said).toContain('"d"');
    model.assertComplete();
  });
});

test("a model that can be held to a form of answer is so as well while it is recorded and replayed", async () => {
  const input = "Where?";
  const output = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
  const agent = new Agent({ name: "Guide", output });
  const first = await run(agent, input, { model: record(offline(), file) });
  const model = replay(file);
  expect((await run(agent, input, { model })).output).toEqual(first.output);
  model.assertComplete();
  expect(recording.exchanges()[0]?.request).toHaveProperty("output");
});

describe("recorded", () => {
  const source = (): Model => new ScriptedModel(["Honk."]);
  const beside = (): string => pathToFileURL(join(folder, "some.test.ts")).href;

  test("records if configured, and replays otherwise", async () => {
    const play = (): Promise<string> =>
      recorded("geese/honk", beside(), source(), async (model) => textOf(await collect(model)));
    await expect(play()).rejects.toMatchObject({ code: "recording-missing" });
    vi.stubEnv("SKEIN_RECORD", "1");
    expect(await play()).toBe("Honk.");
    vi.unstubAllEnvs();
    expect(await play()).toBe("Honk.");
    expect(
      parseRecording(readFileSync(join(folder, "__recordings__/geese/honk.jsonl"), "utf8"), ""),
    ).toHaveLength(1);
  });

  test("fails a test that does not ask for everything", async () => {
    vi.stubEnv("SKEIN_RECORD", "1");
    await recorded("all", beside(), source(), (model) => collect(model));
    vi.unstubAllEnvs();
    await expect(recorded("all", beside(), source(), () => "nothing")).rejects.toMatchObject({
      code: "recording-incomplete",
    });
  });

  test("takes no names that lead elsewhere", async () => {
    for (const name of ["../up", "", "/root", "a/../../b"])
      await expect(recorded(name, beside(), source(), () => 0)).rejects.toMatchObject({
        code: "invalid-name",
      });
  });
});

test("a file that is not a recording is refused with its line", () => {
  expect(() => parseRecording("", "x.jsonl")).toThrow("x.jsonl:1 is not JSON");
  expect(() => parseRecording('{"skein":"recording","version":2}', "x.jsonl")).toThrow(
    "not a recording that this version",
  );
  expect(() => parseRecording('{"skein":"recording","version":1}\n{"a":\n', "x.jsonl")).toThrow(
    "x.jsonl:2 is not JSON",
  );
});
