/** What works with each provider: the native three, and four through the AI SDK's own packages. Prints the table. */
import { afterAll, describe, expect, test } from "vitest";
import {
  Agent,
  generate,
  MalformedResponseError,
  NetworkError,
  RateLimitError,
  result,
  run,
  stream,
  type Message,
  type ModelSettings,
  type RunResult,
} from "skein";
import { unmarkedJson } from "../../src/providers/kit/test-unmarked.ts";
import { piecesOf, rateLimited, sealsOf } from "./ai-sdk-answers.ts";
import type { Answer } from "./answers.ts";
import { elders, lineup, type Contender } from "./lineup.ts";
import { serve, type LocalServer } from "./local-server.ts";
import { blueSquare, redSquare } from "./scenario-kit.ts";

const final: Answer = { id: "2", reasoning: "Now I know.", text: "It is K7-4492. Grüezi 🦢" };
const asking: Answer = {
  id: "1",
  reasoning: "I have to look.",
  text: "I look.",
  calls: [
    { id: "call00001", name: "lookUpCode", arguments: '{"bird":"heron"}' },
    { id: "call00002", name: "takePhoto", arguments: "{}" },
    { id: "call00003", name: "openArchive", arguments: "{}" },
  ],
};

/**
 * Gives the secret code of a bird.
 * @param bird - Such as "heron"
 */
function lookUpCode(bird: string): string {
  return `${bird}: K7-4492`;
}

function takePhoto(): unknown {
  return result({ content: [{ type: "image", url: blueSquare }] });
}

function openArchive(): never {
  throw new Error("The archive is closed.");
}

function answering(contender: Contender, answers: readonly Answer[]): Promise<LocalServer> {
  return serve((index) => ({ pieces: piecesOf(contender.wire, answers[index] ?? final) }));
}

function agentOf(contender: Contender, { url }: LocalServer, settings: ModelSettings = {}): Agent {
  return new Agent({
    name: "Librarian",
    instructions: "Never guess a code.",
    model: contender.model(url),
    tools: [lookUpCode, takePhoto, openArchive],
    settings: { maxRetries: 0, ...contender.settings, ...settings },
  });
}

interface RoundTrip {
  readonly outcome: RunResult;
  /** The bodies of both requests. */
  readonly sent: readonly [string, string];
}

const roundTrips = new Map<string, Promise<RoundTrip>>();

/** One run with three calls, made once for each provider. */
function roundTrip(contender: Contender): Promise<RoundTrip> {
  const known = roundTrips.get(contender.name) ?? makeRoundTrip(contender);
  roundTrips.set(contender.name, known);
  return known;
}

async function makeRoundTrip(contender: Contender): Promise<RoundTrip> {
  await using server = await answering(contender, [asking, final]);
  const outcome = await run(agentOf(contender, server), "What is the code of the heron?");
  const [first, second] = server.received;
  return { outcome, sent: [first?.text ?? "", second?.text ?? ""] };
}

/** What is looked at. A check throws where a provider falls short. */
const features: Readonly<Record<string, (contender: Contender) => Promise<void>>> = {
  async "text, streamed"(contender) {
    await using server = await answering(contender, [final]);
    const running = stream(agentOf(contender, server), "Hello");
    const pieces: string[] = [];
    for await (const event of running) if (event.type === "text-delta") pieces.push(event.text);
    expect(pieces.join("")).toBe(final.text);
    expect(pieces.length).toBeGreaterThan(3);
    expect(await running.result).toMatchObject({
      status: "completed",
      finishReason: "stop",
      text: final.text,
    });
  },

  async "a plain function as a tool"(contender) {
    const { outcome, sent } = await roundTrip(contender);
    expect(outcome).toMatchObject({ status: "completed", text: final.text, turns: 2 });
    for (const words of ["Never guess a code.", "Gives the secret code of a bird."])
      expect(sent[0]).toContain(words);
    expect(sent[1]).toContain("heron: K7-4492");
  },

  async "parallel calls, in order"(contender) {
    const { outcome } = await roundTrip(contender);
    const [answer, ...results] = outcome.messages;
    const calls = answer?.role === "assistant" ? answer.toolCalls : [];
    expect(calls.map(({ toolName }) => toolName)).toEqual(["lookUpCode", "takePhoto", "openArchive"]);
    const answered = results.flatMap((message) =>
      message.role === "tool" ? [message.result.toolCallId] : [],
    );
    expect(answered).toEqual(calls.map(({ toolCallId }) => toolCallId));
  },

  async "a failed tool's words"(contender) {
    expect((await roundTrip(contender)).sent[1]).toContain("The archive is closed.");
  },

  async "an image in a result"(contender) {
    expect((await roundTrip(contender)).sent[1]).toContain(blueSquare.split(",")[1]);
  },

  async "an image by the user"(contender) {
    await using server = await answering(contender, [final]);
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image", url: redSquare },
    ] as const;
    await run(agentOf(contender, server), [{ role: "user", content }]);
    expect(server.received[0]?.text).toContain(redSquare.split(",")[1]);
  },

  async "reasoning, told"(contender) {
    const { outcome } = await roundTrip(contender);
    const thoughts = outcome.messages.flatMap((message) => {
      return message.role === "assistant" ? message.content.filter(({ type }) => type === "reasoning") : [];
    });
    const text = thoughts.map((part) => ("text" in part ? part.text : "")).join("|");
    expect(text.replaceAll(/\|+/g, "|").replace(/\|$/, "")).toBe("I have to look.|Now I know.");
  },

  async "reasoning, replayed"(contender) {
    const { sent } = await roundTrip(contender);
    for (const seal of sealsOf(contender.wire, asking)) expect(sent[1].split(seal)).toHaveLength(2);
  },

  async "the first request, extended"(contender) {
    const [first, second] = (await roundTrip(contender)).sent.map((text) =>
      turnsIn(JSON.parse(unmarkedJson(JSON.parse(text)))),
    );
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(second?.length).toBeGreaterThan(first?.length ?? 0);
  },

  async usage(contender) {
    const { outcome } = await roundTrip(contender);
    expect(outcome.usage).toMatchObject({ inputTokens: 18, outputTokens: 6, totalTokens: 24 });
  },

  async "toolChoice and settings"(contender) {
    await using server = await answering(contender, [final]);
    const agent = agentOf(contender, server, { maxOutputTokens: 321 });
    const { warnings } = await run(agent.with({ toolChoice: "required" }), "Hello");
    expect(server.received[0]?.text).toContain("321");
    expect(server.received[0]?.text).toMatch(/"(?:required|any|ANY)"/);
    expect(warnings).toEqual([]);
  },

  async "length, never executed"(contender) {
    await using server = await answering(contender, [{ ...asking, finish: "length" }]);
    const outcome = await run(agentOf(contender, server), "Hello");
    expect(outcome).toMatchObject({ status: "incomplete", finishReason: "length" });
    const results = outcome.messages.flatMap((message) =>
      message.role === "tool" ? [message.result.outcome] : [],
    );
    expect(new Set(results)).toEqual(new Set(results.length > 0 ? ["not-executed"] : []));
  },

  async "429 with Retry-After"(contender) {
    const reply = {
      type: "application/json",
      status: 429,
      headers: { "retry-after": "7", "x-request-id": "req_1" },
    };
    await using server = await serve(() => ({ ...reply, pieces: [rateLimited(contender.wire)] }));
    const error = await failure(contender, server);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfter: 7000, isRetryable: true, requestId: "req_1" });
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain("a-key-for-tests");
  },

  async "429, asked again"(contender) {
    const reply = { type: "application/json", status: 429, headers: { "retry-after": "0" } };
    await using server = await serve((index) =>
      index === 0
        ? { ...reply, pieces: [rateLimited(contender.wire)] }
        : { pieces: piecesOf(contender.wire, final) },
    );
    await run(agentOf(contender, server, { maxRetries: 1 }), "Hello");
    expect(server.received[1]?.text).toBe(server.received[0]?.text);
  },

  async "a stream that ends too soon"(contender) {
    const pieces = beginningOf(piecesOf(contender.wire, asking));
    await using server = await serve(() => ({ pieces }));
    const error = await failure(contender, server);
    expect(error).toBeInstanceOf(MalformedResponseError);
    expect(error).toMatchObject({ isRetryable: false });
  },

  async "a connection that breaks"(contender) {
    const pieces = beginningOf(piecesOf(contender.wire, asking));
    await using server = await serve(() => ({ pieces, end: "cut" }));
    expect(await failure(contender, server)).toBeInstanceOf(NetworkError);
  },

  async "abort in the middle"(contender) {
    const pieces = piecesOf(contender.wire, final).slice(0, -3);
    await using server = await serve(() => ({ pieces, end: "never" }));
    const running = stream(agentOf(contender, server), "Hello");
    const types: string[] = [];
    for await (const { type } of running) {
      types.push(type);
      if (type === "text-delta") running.cancel();
    }
    expect(types.filter((type) => type === "run-end")).toHaveLength(1);
    expect(await running.result).toMatchObject({ status: "cancelled" });
  },

  async "silence, timed out"(contender) {
    await using server = await serve(() => ({ pieces: [], end: "never" }));
    expect(await failure(contender, server, { timeout: 50 })).toMatchObject({
      code: "timeout",
      isRetryable: true,
    });
  },
};

/** A stream's first half: thoughts, on some wires also text. */
function beginningOf(pieces: readonly string[]): readonly string[] {
  return pieces.slice(0, pieces.length / 2);
}

/** The history in a request of any of the wires. */
function turnsIn(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  const turns = body["messages"] ?? body["input"] ?? body["contents"];
  if (!Array.isArray(turns)) throw new Error(`there is no history in ${JSON.stringify(body)}`);
  return turns;
}

async function failure(contender: Contender, server: LocalServer, settings?: ModelSettings): Promise<Error> {
  const outcome = await run(agentOf(contender, server, settings), "Hello").catch((error: unknown) => error);
  if (outcome instanceof Error) return outcome;
  throw new Error(`the run did not fail: ${JSON.stringify(outcome)}`);
}

const guests = lineup.filter(({ name }) => name.startsWith("ai-sdk"));

const passed = new Set<string>();

afterAll(() => {
  const all = [...lineup, ...elders];
  const widest = Math.max(...Object.keys(features).map((feature) => feature.length));
  const head = `${"".padEnd(widest)}  ${all.map(({ name }) => name).join("  ")}`;
  const lines = Object.keys(features).map((feature) => {
    const marks = all.map(({ name }) =>
      (passed.has(`${name}: ${feature}`) ? "yes" : "NO").padEnd(name.length),
    );
    return `${feature.padEnd(widest)}  ${marks.join("  ")}`.trimEnd();
  });
  console.info([head, ...lines].join("\n"));
});

describe.each([...lineup, ...elders])("$name", (contender) => {
  test.each(Object.entries(features))("%s", async (feature, expectFeature) => {
    await expectFeature(contender);
    passed.add(`${contender.name}: ${feature}`);
  });
});

test.each(guests)("sends $name the schema of a typed output", async ({ wire, model }) => {
  await using server = await serve(() => ({ pieces: piecesOf(wire, { id: "1", text: '{"sum":7}' }) }));
  const schema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
  const settings: ModelSettings = { maxRetries: 0 };
  const messages = [{ role: "user", content: "Add." }] as const;
  const request = { messages, settings, output: { name: "Invoice", schema } };
  const events = await Array.fromAsync(model(server.url).stream(request));
  expect(server.received[0]?.text).toContain('"sum":{"type":"number"}');
  expect(events.at(-1)).toMatchObject({ generation: { text: '{"sum":7}', warnings: [] } });
});

test("a history of one agent works in a request without tools", async () => {
  for (const contender of [...lineup, ...elders]) {
    const { outcome } = await roundTrip(contender);
    await using server = await answering(contender, [final]);
    const messages: Message[] = [...outcome.state.messages, { role: "user", content: "And now?" }];
    const settings = contender.settings ?? {};
    expect(await generate(contender.model(server.url), { messages, settings })).toMatchObject({
      text: final.text,
    });
    // Anthropic alone refuses calls in a history where there are no tools.
    const tools = server.received[0]?.body["tools"] ?? [];
    expect(tools).toHaveLength(contender.wire === "messages" ? 3 : 0);
  }
});
