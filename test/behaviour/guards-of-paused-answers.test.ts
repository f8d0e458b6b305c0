/** Guards of answers that their provider pauses: such an answer is judged as a whole, whatever comes between its parts. */
import { describe, expect, test } from "vitest";
import { Agent, run, type RunEvent, type RunState, type StepMiddleware } from "skein";
import { guard, secrets, type Verdict } from "skein/guards";
import { memorySession, readSession } from "skein/sessions";
import { ScriptedModel, type TurnLike } from "skein/testing";
import { storesIn, temporaryFolder } from "../../src/sessions/test-stores.ts";
import { memoryJournal } from "./test-journal.ts";

const part = (text: string): TurnLike => ({ text, shouldContinue: true });
const noHerons = ({ text }: { readonly text: string }): Verdict =>
  text.includes("heron") ? { block: "a heron", message: "Not a word of it." } : undefined;
const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state));
const heron = { type: "object", properties: { legs: { type: "number" } }, required: ["legs"] } as const;

describe.each([
  ["that streams", false],
  ["that is held back", true],
] as const)("an answer %s", (_, hold) => {
  const middleware = [guard({ output: noHerons }, { hold })];

  test.each([
    ["two parts", [part("It is a he"), "ron."]],
    ["three parts", [part("It is a h"), part("er"), "on."]],
  ] as const)("is blocked for what stands in %s of it together", async (__, turns) => {
    const events: RunEvent[] = [];
    const session = memorySession();
    const agent = new Agent({ name: "A", model: new ScriptedModel(turns), middleware });
    const result = await run(agent, "?", { session, onEvent: (event) => void events.push(event) });
    expect(result).toMatchObject({ status: "blocked", text: "Not a word of it.", turns: 1 });
    expect(result.modelCalls).toHaveLength(turns.length);
    expect(JSON.stringify([result.state.messages, await readSession(session)])).not.toContain("It is a h");
    const text = events.flatMap((event) => (event.type === "text-delta" ? event.text : [])).join("");
    expect(text).toBe(hold ? "" : "It is a heron.");
  });

  test("is one answer for its guard, for readers and in the history", async () => {
    const judged: string[] = [];
    const events: RunEvent[] = [];
    const agent = new Agent({
      name: "A",
      model: new ScriptedModel([part("It is "), part("a "), "stork."]),
      middleware: [guard({ output: ({ text }) => void judged.push(text) }, { hold })],
    });
    const result = await run(agent, "?", { onEvent: (event) => void events.push(event) });
    expect(judged).toEqual(["It is a stork."]);
    expect(result).toMatchObject({ status: "completed", text: "It is a stork.", turns: 1 });
    expect(result.messages).toHaveLength(1);
    const text = events.flatMap((event) => (event.type === "text-delta" ? event.text : [])).join("");
    expect(text).toBe("It is a stork.");
  });

  test("is judged in its whole form, and is one output", async () => {
    const isJson = ({ text }: { readonly text: string }): Verdict => {
      try {
        JSON.parse(text.split("\n")[0] ?? "");
        return undefined;
      } catch {
        return "not JSON";
      }
    };
    const model = new ScriptedModel([part('{"le'), part('gs":'), "2}"], { supportsOutput: true });
    const agent = new Agent({
      name: "A",
      model,
      output: heron,
      middleware: [guard({ output: isJson }, { hold })],
    });
    expect(await run(agent, "?")).toMatchObject({ status: "completed", output: { legs: 2 } });
  });

  test.each([["a state", undefined], ...storesIn(temporaryFolder())] as const)(
    "is judged with what came before a limit stopped the run, kept by %s",
    async (__, newSession) => {
      const model = new ScriptedModel([part("It is a h"), part("er"), "on."]);
      const agent = new Agent({ name: "A", model, middleware });
      const session = newSession?.();
      const options = session ? { session } : {};
      const stopped = await run(agent, "?", { ...options, maxTurns: 2 });
      expect(stopped).toMatchObject({ status: "max-turns", text: "It is a her", turns: 1 });
      expect(model.requests).toHaveLength(2);
      const result = await run(agent, session ? [] : stored(stopped.state), options);
      expect(result).toMatchObject({ status: "blocked", text: "Not a word of it." });
      expect(JSON.stringify(result.state.messages)).not.toContain("It is a h");
      const again = await run(agent, session ? [] : stored(result.state), options);
      expect(again).toMatchObject({ status: "blocked", turns: 0 });
    },
  );

  test("is judged as far as it came, where a limit ends it", async () => {
    for (const limit of [{ maxTurns: 1 }, { maxTokens: 1 }]) {
      const usage = { inputTokens: 1, outputTokens: 1 };
      const model = new ScriptedModel([{ text: "A heron", shouldContinue: true, usage }, "."]);
      const agent = new Agent({ name: "A", model, middleware });
      const result = await run(agent, "?", limit);
      expect(result).toMatchObject({ status: "blocked", text: "Not a word of it." });
      expect(model.requests).toHaveLength(1);
    }
  });

  test("is asked for as often as the run has turns", async () => {
    const model = new ScriptedModel(Array.from({ length: 9 }, () => part("and ")));
    const agent = new Agent({ name: "A", model, middleware });
    const result = await run(agent, "?", { maxTurns: 4 });
    expect(result).toMatchObject({ status: "max-turns", text: "and and and and " });
    expect(model.requests).toHaveLength(4);
  });

  test("is asked for once more as a whole where its run failed between two parts", async () => {
    const error = new Error("The line is down.");
    const model = new ScriptedModel([part("It is "), { error }, part("It is "), "a stork."]);
    const agent = new Agent({ name: "A", model, middleware });
    const journal = memoryJournal();
    await expect(run(agent, "?", { journal })).rejects.toThrow("The line is down.");
    expect(await run(agent, "?", { journal })).toMatchObject({ text: "It is a stork." });
  });

  test("is remembered as a whole by a journal", async () => {
    const model = new ScriptedModel([part("It is "), "a stork."]);
    const agent = new Agent({ name: "A", model, middleware });
    const journal = memoryJournal();
    await run(agent, "?", { journal });
    const again = await run(agent, "?", { journal });
    expect(again).toMatchObject({ text: "It is a stork.", turns: 1 });
    expect(again.modelCalls).toHaveLength(2);
    model.assertComplete();
  });
});

test("a secret that is split over two parts is found", async () => {
  const secret = "correct-horse-battery-staple-7";
  const model = new ScriptedModel([part(`Use ${secret.slice(0, 12)}`), secret.slice(12)]);
  const middleware = [guard({ output: secrets({ values: [secret] }) }, { hold: true })];
  expect(await run(new Agent({ name: "A", model, middleware }), "?")).toMatchObject({
    status: "blocked",
    text: "",
  });
});

test("a copy of a guard judges whole answers, too", async () => {
  const model = new ScriptedModel([part("A he"), "ron"]);
  const agent = new Agent({ name: "A", model, middleware: [{ ...guard({ output: noHerons }) }] });
  expect(await run(agent, "?")).toMatchObject({ status: "blocked", turns: 1 });
});

test("a middleware with wholeAnswers sees whole answers, as do those beside it", async () => {
  for (const wholeAnswers of [true, false]) {
    const answers: string[] = [];
    const noting = (flag: object): StepMiddleware => ({
      ...flag,
      async *model(request, _info, next) {
        for await (const event of next(request)) {
          if (event.type === "finish") answers.push(event.generation.text);
          yield event;
        }
      },
    });
    const model = new ScriptedModel([part("It is "), "a stork."]);
    const agent = new Agent({ name: "A", model, middleware: [noting({}), noting({ wholeAnswers })] });
    expect(await run(agent, "?")).toMatchObject({ text: "It is a stork.", turns: wholeAnswers ? 1 : 2 });
    const [one, two] = ["It is ", "a stork."];
    expect(answers).toEqual(wholeAnswers ? [one + two, one + two] : [one, one, two, two]);
  }
});

test("a guard that judges inputs alone leaves parts as they come", async () => {
  const model = new ScriptedModel([part("It is "), "a stork."]);
  const agent = new Agent({ name: "A", model, middleware: [guard({ input: noHerons })] });
  expect(await run(agent, "?")).toMatchObject({ text: "It is a stork.", turns: 2 });
});
