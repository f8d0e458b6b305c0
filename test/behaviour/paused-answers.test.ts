/** An answer that its provider pauses comes in several parts, and is one answer: also where the run is resumed between two of them. */
import { describe, expect, test } from "vitest";
import {
  Agent,
  run,
  stream,
  tool,
  type AgentOptions,
  type Message,
  type RunEvent,
  type RunState,
} from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, ScriptedModel, type TurnLike } from "skein/testing";
import { storesIn, temporaryFolder } from "../../src/sessions/test-stores.ts";
import { sessionsOfDeath } from "./sessions-of-death.ts";
import { memoryJournal } from "./test-journal.ts";

const words = ["Herons ", "are ", "grey."];
const written = ['{"color":"gr', 'ey","le', 'gs":2}'];
const heron = {
  type: "object",
  properties: { color: { type: "string" }, legs: { type: "number" } },
  required: ["color", "legs"],
} as const;

const parts = (texts: readonly string[]): readonly TurnLike[] =>
  texts.map((text, index) => (index < texts.length - 1 ? { text, shouldContinue: true } : text));

/** A model that answers in parts: which comes next, it sees in the history. */
function inParts(texts: readonly string[], supportsOutput = false): FunctionModel {
  return new FunctionModel(
    ({ messages }) => {
      const answers = messages.length - messages.findLastIndex(({ role }) => role === "user") - 1;
      return parts(texts)[answers] ?? "Once more?";
    },
    { supportsOutput },
  );
}

/** The same model, which fails before one of its requests, counted from 0. */
function failingAt(request: number, texts: readonly string[], supportsOutput = false): FunctionModel {
  const model = inParts(texts, supportsOutput);
  let requests = 0;
  const failing = new FunctionModel(() => "", { supportsOutput });
  failing.stream = (asked) => {
    if (requests++ === request) throw new Error("The line is down.");
    return model.stream(asked);
  };
  return failing;
}

const agentOf = (model: FunctionModel, options: Partial<AgentOptions> = {}): Agent =>
  new Agent({ name: "Clerk", model, ...options });

const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state));
const stateOf = (error: unknown): RunState => stored(Object(error).state);
const textIn = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

describe.each([
  ["two parts", words.slice(1), written.slice(0, 1).concat(written.slice(1).join(""))],
  ["three parts", words, written],
])("an answer in %s", (_, said, json) => {
  const places = said.slice(1).map((__, index) => index + 1);

  test("has one text, that of its events", async () => {
    const events = await Array.fromAsync(stream(agentOf(inParts(said)), "Herons?").events());
    expect(textIn(events)).toBe(said.join(""));
    expect(events.at(-1)).toMatchObject({ result: { text: said.join(""), turns: said.length } });
  });

  test.each(places)(
    "has it where the run stopped at its limit before part %i, counted from 0",
    async (place) => {
      const agent = agentOf(inParts(said));
      const first = stream(agent, "Herons?", { maxTurns: place });
      const before = textIn(await Array.fromAsync(first.events()));
      const stopped = await first.result;
      expect(stopped).toMatchObject({ status: "max-turns", text: said.slice(0, place).join("") });
      const resumed = stream(agent, stored(stopped.state));
      const after = textIn(await Array.fromAsync(resumed.events()));
      expect(before + after).toBe(said.join(""));
      expect(await resumed.result).toMatchObject({ status: "completed", text: said.join("") });
    },
  );

  test.each(places)("has it where the run failed before part %i", async (place) => {
    const agent = agentOf(inParts(said));
    const error: unknown = await run(agentOf(failingAt(place, said)), "Herons?").catch(
      (each: unknown) => each,
    );
    const result = await run(agent, stateOf(error));
    expect(result).toMatchObject({ status: "completed", text: said.join("") });
    expect(await run(agent, stored(result.state))).toMatchObject({ text: said.join(""), turns: 0 });
  });

  test.each(places)("has it where the run was cancelled before part %i", async (place) => {
    const cancel = new AbortController();
    let ends = 0;
    const agent = agentOf(inParts(said));
    const cancelled = await run(agent, "Herons?", {
      signal: cancel.signal,
      onEvent: ({ type }) => {
        if (type === "turn-end" && ++ends === place) cancel.abort();
      },
    });
    expect(cancelled).toMatchObject({ status: "cancelled", text: said.slice(0, place).join("") });
    expect(await run(agent, stored(cancelled.state))).toMatchObject({ text: said.join("") });
  });

  test.each(places)("is one output where the run failed before part %i", async (place) => {
    const options = { output: heron };
    const failed = run(agentOf(failingAt(place, json, true), options), "Herons?");
    const error: unknown = await failed.catch((each: unknown) => each);
    const events: RunEvent[] = [];
    const result = await run(agentOf(inParts(json, true), options), stateOf(error), {
      onEvent: (event) => void events.push(event),
    });
    expect(result).toMatchObject({ status: "completed", output: { color: "grey", legs: 2 } });
    expect(result.text).toBe(json.join(""));
    expect(result.messages.every(({ role }) => role === "assistant")).toBe(true);
    const deltas = events.filter((event) => event.type === "output-delta");
    expect(deltas.at(-1)?.partial).toEqual({ color: "grey", legs: 2 });
    const again = await run(agentOf(inParts(json, true), options), stored(result.state));
    expect(again).toMatchObject({ turns: 0, output: { color: "grey", legs: 2 } });
  });

  test.each(places)("is one output under a journal whose run failed before part %i", async (place) => {
    const options = { output: heron };
    const journal = memoryJournal();
    const failed = run(agentOf(failingAt(place, json, true), options), "Herons?", { journal });
    await expect(failed).rejects.toThrow("The line is down.");
    const result = await run(agentOf(inParts(json, true), options), "Herons?", { journal });
    expect(result).toMatchObject({ status: "completed", output: { color: "grey", legs: 2 } });
  });

  describe.each(storesIn(temporaryFolder()))("in a %s", (__, newSession) => {
    test.each(places)("has one text, and one output, where the run failed before part %i", async (place) => {
      for (const [texts, options] of [
        [said, {}],
        [json, { output: heron }],
      ] as const) {
        const session = newSession();
        const failed = run(agentOf(failingAt(place, texts, true), options), "Herons?", { session });
        await expect(failed).rejects.toThrow("The line is down.");
        const result = await run(agentOf(inParts(texts, true), options), [], { session });
        expect(result).toMatchObject({ status: "completed", text: texts.join("") });
        expect(await run(agentOf(inParts(texts, true), options), [], { session })).toMatchObject({
          text: texts.join(""),
          turns: 0,
          output: result.output,
        });
      }
    });
  });
});

test("an answer in parts is whole, whenever the process died that keeps it in a session", async () => {
  const agent = agentOf(inParts(written, true), { output: heron });
  const deaths = await sessionsOfDeath(agent);
  expect(deaths.length).toBeGreaterThan(3);
  for (const { session } of deaths)
    expect(await run(agent, [], { session })).toMatchObject({
      status: "completed",
      text: written.join(""),
      output: { color: "grey", legs: 2 },
    });
});

test("a part says in the history that it is one, and the last does not", async () => {
  const { messages } = await run(agentOf(inParts(words)), "Herons?");
  expect(messages.map((each) => each.role === "assistant" && each.shouldContinue)).toEqual([
    true,
    true,
    undefined,
  ]);
});

test("the text of a run that is cancelled within the second part has the first", async () => {
  const cancel = new AbortController();
  const model = new ScriptedModel([
    { text: "One. ", shouldContinue: true },
    { text: "Two. Three.", chunkSize: 5, delay: 1 },
    "Two, again.",
  ]);
  const agent = new Agent({ name: "Clerk", model });
  const cancelled = await run(agent, "Count.", {
    signal: cancel.signal,
    onEvent: (event) => {
      if (event.type === "text-delta" && event.text === "Two. ") cancel.abort();
    },
  });
  expect(cancelled).toMatchObject({ status: "cancelled", text: "One. Two. " });
  const resumed = await run(agent, stored(cancelled.state));
  expect(resumed).toMatchObject({ text: "One. Two, again." });
  expect(model.requests.at(-1)?.messages).toHaveLength(3);
  expect(await run(agent, stored(resumed.state))).toMatchObject({ text: "One. Two, again.", turns: 0 });
});

test("what the user says between two parts is answered for itself", async () => {
  const model = new ScriptedModel([{ text: "Herons ", shouldContinue: true }, "Storks are white."]);
  const agent = new Agent({ name: "Clerk", model });
  const session = memorySession();
  await run(agent, "Herons?", { session, maxTurns: 1 });
  expect(await run(agent, "Storks, rather.", { session })).toMatchObject({ text: "Storks are white." });
});

test("a part that calls tools is followed by an answer of its own", async () => {
  const look = { name: "look", input: { type: "object", properties: {} } } as const;
  const model = new ScriptedModel([
    { text: "I look. ", toolCalls: [{ toolName: "look" }], shouldContinue: true },
    "It is grey.",
  ]);
  const agent = new Agent({ name: "Clerk", model, tools: [tool({ ...look, execute: () => "grey" })] });
  expect(await run(agent, "Herons?")).toMatchObject({ status: "completed", text: "It is grey." });
});

test("a history of before, whose parts do not say that they are, is valid", async () => {
  const history: readonly Message[] = [
    { role: "user", content: "Herons?" },
    { role: "assistant", content: [{ type: "text", text: "Herons " }], toolCalls: [] },
  ];
  const model = new ScriptedModel(["are grey."]);
  expect(await run(new Agent({ name: "Clerk", model }), history)).toMatchObject({ text: "are grey." });
});

test("a history is not made shorter between two parts, but after them", async () => {
  const long = "heron ".repeat(400);
  const model = new ScriptedModel([
    { text: long, shouldContinue: true },
    { text: long, shouldContinue: true },
    "are grey.",
    "Bye.",
  ]);
  const agent = new Agent({ name: "Clerk", model });
  const session = memorySession();
  const compaction = { maxTokens: 600, keep: 10 };
  const first = await run(agent, "Herons?", { session, compaction });
  expect(first.text).toBe(`${long}${long}are grey.`);
  expect(first.messages).toHaveLength(3);
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 2, 3]);
  await run(agent, "Thanks.", { session, compaction });
  expect(model.requests.at(-1)?.messages.some((each) => each.role === "user" && each.summaryOf)).toBe(true);
  expect((await readSession(session)).messages.length).toBeGreaterThan(0);
});
