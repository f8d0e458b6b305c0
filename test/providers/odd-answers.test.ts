import { describe, expect, test } from "vitest";
import { Agent, ModelError, run, tool, type Message } from "skein";
import {
  block,
  chatEnd,
  eventsOf,
  framed,
  messageEnd,
  messageStart,
  type Answer,
  type WireEvent,
} from "./answers.ts";
import { serve, type LocalServer, type Reply } from "./local-server.ts";
import { heronAndCrane, oddAnswers } from "./odd-answers.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";
import { problemsOf } from "./rules.ts";

/** A server whose first reply is odd, and an agent that asks it. */
interface Trial extends AsyncDisposable {
  readonly agent: Agent;
  readonly server: LocalServer;
  /** What the tool was called with. */
  readonly executed: string[];
}

async function trial(protocol: Protocol, first: Reply, maxRetries = 0): Promise<Trial> {
  const server = await serve((index) =>
    index === 0 ? first : { pieces: framed(protocol, eventsOf(protocol, { id: "next", text: "Fine." })) },
  );
  const executed: string[] = [];
  const lookUp = tool<{ bird: string }>({
    name: "look_up",
    input: { type: "object", properties: { bird: { type: "string" } }, required: ["bird"] },
    execute: ({ bird }) => {
      executed.push(bird);
      return `The code of the ${bird} is ${bird.length}.`;
    },
  });
  const model = modelOver(protocol, server);
  const agent = new Agent({ name: "Clerk", model, tools: [lookUp], settings: { maxRetries } });
  return { agent, server, executed, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Each call's arguments beside the text of its result. */
function callsAndResults(messages: readonly Message[]): string[][] {
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return calls.map((call) => [
    call.arguments.trim(),
    ...results
      .filter(({ toolCallId }) => toolCallId === call.toolCallId)
      .flatMap(({ content }) => content.map((part) => (part.type === "text" ? part.text : part.type))),
  ]);
}

const odd = protocols.flatMap((protocol) =>
  Object.entries(oddAnswers[protocol]).map(([oddity, events]) => [protocol, oddity, events] as const),
);

test.each(odd)("%s: calls with %s are told apart", async (protocol, _, events) => {
  await using attempt = await trial(protocol, { pieces: framed(protocol, events) });
  const outcome = await run(attempt.agent, "The codes of heron and crane?");
  expect(outcome).toMatchObject({ status: "completed", text: "Fine.", turns: 2 });
  expect(attempt.executed).toEqual(["heron", "crane"]);
  expect(callsAndResults(outcome.messages)).toEqual([
    ['{"bird":"heron"}', "The code of the heron is 5."],
    ['{"bird":"crane"}', "The code of the crane is 5."],
  ]);
  for (const { body } of attempt.server.received) expect(problemsOf(protocol, body)).toEqual([]);
});

const answer: Answer = {
  id: "first",
  reasoning: "Both.",
  text: "Let me see what the book of birds says of the two of them.",
  calls: heronAndCrane,
};

/** Whether an event says that the answer is complete. */
function isTerminal(event: WireEvent): boolean {
  const text = JSON.stringify(event);
  return /"finish_reason":"|"finishReason":"|"type":"(?:response\.completed|message_stop)"/.test(text);
}

/** The ways in which a stream can break after some of its pieces. */
const breaks = {
  "ends as if it were complete": (pieces, count) => ({ pieces: pieces.slice(0, count) }),
  "loses its connection": (pieces, count) => ({ pieces: pieces.slice(0, count), end: "cut" }),
  "ends within an event": (pieces, count) => ({
    pieces: [...pieces.slice(0, count), pieces[count]?.slice(0, -9) ?? ""],
  }),
} as const satisfies Record<string, (pieces: readonly string[], count: number) => Reply>;

describe.each(protocols)("%s", (protocol) => {
  const events = eventsOf(protocol, answer);
  const pieces = framed(protocol, events);
  const places = events.slice(0, events.findIndex(isTerminal) + 1).map((_, count) => count);

  test.each(Object.entries(breaks))(
    "a stream that %s, wherever it does, is an error; no call runs, and the run can go on",
    async (_, broken) => {
      expect(places.length).toBeGreaterThan(10);
      for (const count of places) {
        await using attempt = await trial(protocol, broken(pieces, count));
        const error: unknown = await run(attempt.agent, "Hello").catch((thrown: unknown) => thrown);
        expect(error, `after ${count} events`).toBeInstanceOf(ModelError);
        const { state, code } = error instanceof ModelError ? error : {};
        expect(code).toMatch(/^(?:malformed-response|network)$/);
        expect(attempt.executed).toEqual([]);
        expect(state?.messages).toEqual([{ role: "user", content: "Hello" }]);
        expect(await run(attempt.agent, state ?? "")).toMatchObject({ status: "completed", text: "Fine." });
        expect(attempt.server.received).toHaveLength(2);
        expect(attempt.server.received[1]?.text).toBe(attempt.server.received[0]?.text);
      }
    },
  );

  test("does not retry a stream that breaks after its first output", async () => {
    const half = Math.floor(places.length / 2);
    await using attempt = await trial(protocol, { pieces: pieces.slice(0, half), end: "cut" }, 3);
    await expect(run(attempt.agent, "Hello")).rejects.toBeInstanceOf(ModelError);
    expect(attempt.server.received).toHaveLength(1);
  });

  test("retries a stream that breaks before any output", async () => {
    await using attempt = await trial(protocol, { pieces: [], end: "cut" }, 1);
    expect(await run(attempt.agent, "Hello")).toMatchObject({ status: "completed", text: "Fine.", turns: 1 });
    expect(attempt.server.received).toHaveLength(2);
  });

  const cut = { id: "call_cut", name: "look_up", arguments: '{"bird":"her' };
  test.each([
    ["whole", heronAndCrane],
    ["cut", [...heronAndCrane, cut]],
  ])(
    "no call of an answer that reached its limit runs, be they %s, and the next request is valid",
    async (_, calls) => {
      const limited = eventsOf(protocol, { ...answer, calls, finish: "length" });
      await using attempt = await trial(protocol, { pieces: framed(protocol, limited) });
      const first = await run(attempt.agent, "Hello");
      expect(first).toMatchObject({ status: "incomplete", finishReason: "length", pending: [], turns: 1 });
      expect(attempt.executed).toEqual([]);
      const results = first.messages.slice(1);
      expect(results).toHaveLength(calls.length);
      for (const message of results) expect(message).toMatchObject({ result: { outcome: "not-executed" } });
      const next = await run(attempt.agent, [...first.state.messages, { role: "user", content: "Go on" }]);
      expect(next).toMatchObject({ status: "completed", text: "Fine." });
      expect(problemsOf(protocol, attempt.server.received[1]?.body ?? {})).toEqual([]);
    },
  );
});

test("messages: a block that never ends before another of its index begins is an error, and no call runs", async () => {
  const [heron, crane] = heronAndCrane.map((call) =>
    block(0, { type: "tool_use", id: call.id, name: call.name, input: { bird: call.id } }),
  );
  const events = [
    messageStart("odd"),
    ...(heron ?? []).slice(0, -1),
    ...(crane ?? []),
    ...messageEnd("tool_use"),
  ];
  await using attempt = await trial("messages", { pieces: framed("messages", events) });
  await expect(run(attempt.agent, "Hello")).rejects.toMatchObject({ code: "malformed-response" });
  expect(attempt.executed).toEqual([]);
});

test("responses: no call of an answer that is incomplete for a reason of its own runs", async () => {
  const events = eventsOf("responses", { ...answer, finish: "length" });
  const end = events.pop();
  for (const details of [null, { reason: "something_new" }]) {
    const response = { ...Object(end?.["response"]), incomplete_details: details };
    const pieces = framed("responses", [...events, { type: "response.incomplete", response }]);
    await using attempt = await trial("responses", { pieces });
    expect(await run(attempt.agent, "Hello")).toMatchObject({ status: "incomplete", finishReason: "length" });
    expect(attempt.executed).toEqual([]);
  }
});

test.each(["insufficient_system_resource", "abort"])(
  "chat: no call of an answer that its server gave up (%s) runs",
  async (reason) => {
    const opened = eventsOf("chat", answer).slice(0, -2);
    const pieces = framed("chat", [...opened, ...chatEnd("first", reason)]);
    await using attempt = await trial("chat", { pieces });
    const outcome = await run(attempt.agent, "Hello");
    expect(outcome).toMatchObject({ status: "incomplete", finishReason: "error", rawFinishReason: reason });
    expect(attempt.executed).toEqual([]);
  },
);
