import { expect, test } from "vitest";
import { Agent, run, type JsonSchema, type RunOptions } from "skein";
import { ScriptedModel, type ScriptedTurn } from "skein/testing";
import { flawsOf, noting } from "./kit.ts";

const output: JsonSchema = {
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
  additionalProperties: false,
};
const look = { toolName: "look", arguments: { n: 1 } };

/** How the answer is given: by a tool, or as text where the model can be held to its form. */
const ways: readonly (readonly [
  name: string,
  supportsOutput: boolean,
  answer: (json: string) => ScriptedTurn,
])[] = [
  ["a tool", false, (json) => ({ toolCalls: [{ toolName: "final_answer", arguments: json }] })],
  ["its text", true, (json) => ({ text: json })],
];

async function ask(supportsOutput: boolean, turns: readonly ScriptedTurn[], options: RunOptions = {}) {
  const done: string[] = [];
  const model = new ScriptedModel([{ toolCalls: [look] }, ...turns], { supportsOutput });
  const agent = new Agent({ name: "A", model, tools: [noting(done, "look")], output });
  return { done, running: run(agent, "Go.", options) };
}

test.each(ways)(
  "a model that uses tools gives its answer in the form that is asked for, by %s",
  async (_, supportsOutput, answer) => {
    const { done, running } = await ask(supportsOutput, [answer('{"total":"much"}'), answer('{"total":12}')]);
    expect(await running).toMatchObject({ status: "completed", output: { total: 12 } });
    expect(done).toEqual(["look 1"]);
  },
);

test("an answer that did not wait for its tools is not the last word", async () => {
  const [, , answer] = ways[0] ?? [];
  const hasty = { toolCalls: [look, { toolName: "final_answer", arguments: '{"total":1}' }] };
  const { done, running } = await ask(false, [hasty, answer?.('{"total":12}') ?? {}]);
  const { output, state } = await running;
  expect(output).toEqual({ total: 12 });
  expect(done).toEqual(["look 1", "look 1"]);
  expect(flawsOf(state.messages)).toEqual([]);
});

test.each(ways)(
  "a model that never does ends the run with all that was done, by %s",
  async (_, supportsOutput, answer) => {
    const wrong = answer('{"total":"much"}');
    const { done, running } = await ask(supportsOutput, [wrong, wrong, wrong], { maxCorrections: 2 });
    const result = await running;
    expect(result).toMatchObject({ status: "corrections", output: undefined });
    expect(JSON.stringify(result.state.messages)).toContain("look 1 is done");
    expect(flawsOf(result.state.messages)).toEqual([]);
    expect(done).toEqual(["look 1"]);
  },
);
