/** Guards of the outputs of runs, and of results that end them. */
import { expect, test } from "vitest";
import { Agent, run, type RunEvent, type RunOptions, tool } from "skein";
import { guard, type Verdict } from "skein/guards";
import { ScriptedModel } from "skein/testing";

const isBad = ({ text }: { readonly text: string }): Verdict =>
  text.includes("bad") ? "it is bad" : undefined;

async function eventsOf(agent: Agent, input: string, options: RunOptions) {
  const events: RunEvent[] = [];
  const outcome = await run(agent, input, { ...options, onEvent: (event) => void events.push(event) });
  return { events, outcome };
}

test.each([
  ["as arguments", undefined],
  ["as text", () => true],
] as const)("an output that the model writes %s is judged by its values", async (_, supportsOutput) => {
  const hidden = JSON.stringify({ word: "bad" }).replace("b", "\\u0062");
  const answer = supportsOutput ? hidden : { toolCalls: [{ toolName: "final_answer", arguments: hidden }] };
  const model = new ScriptedModel([answer]);
  const typed = supportsOutput ? Object.assign(model, { supportsOutput }) : model;
  const output = { type: "object", properties: { word: { type: "string" } }, required: ["word"] } as const;
  const agent = new Agent({ name: "A", model: typed, output });
  const { events, outcome } = await eventsOf(agent, "go", {
    middleware: [guard({ output: isBad }, { hold: true })],
  });
  expect(outcome).toMatchObject({ status: "blocked", output: undefined });
  expect(events.some(({ type }) => type === "output-delta")).toBe(false);
});

const hiddenWord = String.raw`{"word":"\u0062ad"}`;
const wordOutput = { type: "object", properties: { word: { type: "string" } }, required: ["word"] } as const;
const textOutput = { type: "string" } as const;
const listOutput = { type: "array", items: { type: "string" } } as const;

test.each([
  [wordOutput, hiddenWord],
  [wordOutput, `\`\`\`json\n${hiddenWord}\n\`\`\``],
  [wordOutput, `Here it is: ${hiddenWord}`],
  [wordOutput, String.raw`{'word':'\u0062ad',}`],
  [wordOutput, JSON.stringify(hiddenWord)],
  [wordOutput, `[${hiddenWord}]`],
  [textOutput, String.raw`"\u0062ad"`],
  [textOutput, String.raw`{"value":"\u0062ad"}`],
  [listOutput, String.raw`["\u0062ad"]`],
  [listOutput, String.raw`{"value":["\u0062ad"]}`],
])("no form hides an output from a guard: %j of %s", async (output, answer) => {
  const asCall = { toolCalls: [{ toolName: "final_answer", arguments: answer }] };
  for (const supportsOutput of [true, false])
    for (const step of [answer, asCall]) {
      const model = new ScriptedModel(
        Array.from({ length: 5 }, () => step),
        { supportsOutput },
      );
      const { events, outcome } = await eventsOf(new Agent({ name: "A", model, output }), "go", {
        middleware: [guard({ output: isBad }, { hold: true })],
      });
      expect(outcome.output).toBeUndefined();
      expect(outcome.status).not.toBe("completed");
      expect(events.some(({ type }) => type === "output-delta")).toBe(false);
    }
});

test("a guard judges the output that a schema makes of an answer", async () => {
  const output = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({ value: { word: "bad" } }),
      jsonSchema: { input: () => wordOutput, output: () => wordOutput },
    },
  } as const;
  const agent = new Agent({ name: "A", model: new ScriptedModel(['{"word":"good"}']), output });
  const outcome = await run(agent, "go", { middleware: [guard({ output: isBad })] });
  expect(outcome).toMatchObject({ status: "blocked", output: undefined });
});

test("the output in the result of a tool that ends the run is judged by its values", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "act", arguments: {} }] }]);
  const act = tool({ name: "act", input: { type: "object" }, final: true, execute: () => hiddenWord });
  const outcome = await run(new Agent({ name: "A", model, tools: [act], output: wordOutput }), "go", {
    middleware: [guard({ output: isBad })],
  });
  expect(outcome).toMatchObject({ status: "blocked", output: undefined });
});

test("the result of a tool that ends the run is an answer", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "act", arguments: {} }] }]);
  const act = tool({ name: "act", input: { type: "object" }, final: true, execute: () => "a bad end" });
  const outcome = await run(new Agent({ name: "A", model, tools: [act] }), "go", {
    middleware: [guard({ output: isBad })],
  });
  expect(outcome).toMatchObject({ status: "blocked", blocked: { stage: "output" } });
  expect(JSON.stringify(outcome.state.messages)).not.toContain("bad");
});
