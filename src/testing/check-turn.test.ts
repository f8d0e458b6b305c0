import { expect, test } from "vitest";
import { Agent, ConfigurationError, run } from "../index.ts";
import { FunctionModel, ScriptedModel } from "./index.ts";

/** A script as JavaScript may write it. */
function script(turns: unknown): ScriptedModel {
  return Reflect.construct(ScriptedModel, [turns]);
}

test.each([
  [undefined, 'The turns of a ScriptedModel must be a list: new ScriptedModel(["Hello."]).'],
  ["Hello.", "must be a list"],
  [["a", null], 'turns[1] is null. Expected text or an object, such as { text: "Hello." }.'],
  [[7], "turns[0] is the number 7."],
  [[["Hello."]], "turns[0] is a list."],
  [[{ content: "Hello." }], 'turns[0] has no property "content". Did you mean "text"?'],
  [[{ role: "assistant", text: "Hello." }], 'turns[0] has no property "role". Expected: text, reasoning, '],
  [[{ text: 7 }], "turns[0].text must be text, not the number 7."],
  [[{ toolCalls: { toolName: "add" } }], "turns[0].toolCalls must be a list, not an object."],
  [
    ["a", { toolCalls: [{ name: "add" }] }],
    'turns[1].toolCalls[0] has no property "name". Did you mean "toolName"?',
  ],
  [[{ toolCalls: ["add"] }], "turns[0].toolCalls[0] is the string add."],
  [[{ toolCalls: [{}] }], "turns[0].toolCalls[0].toolName must be the name of a tool, not undefined."],
  [
    [{ toolCalls: [{ toolName: "add", arguments: [1] }] }],
    "turns[0].toolCalls[0].arguments must be an object",
  ],
])("a script that cannot be played is refused when it is written: %j", (turns, message) => {
  expect(() => script(turns)).toThrow(message);
  expect(() => script(turns)).toThrow(ConfigurationError);
});

test("what a function answers is checked when it answers", async () => {
  const answer = (): string => Reflect.apply(JSON.parse, undefined, ['{"content":"Hello."}']);
  for (const model of [new FunctionModel(answer), new ScriptedModel([answer])]) {
    await expect(run(new Agent({ name: "A", model }), "Hi")).rejects.toThrow(
      'The answer of the function has no property "content". Did you mean "text"?',
    );
  }
});

test.each([
  ["chunkSize", [0, -1, 1.5, Number.NaN, "2", null]],
  ["delay", [-1, Number.NaN, Infinity, "1"]],
  ["errorAfter", [-1, 0.5, Number.NaN, "1"]],
])("a turn whose %s cannot be played is refused at once", async (name, values) => {
  for (const value of values) {
    expect(() => script(["a", { text: "abc", [name]: value }])).toThrow(`turns[1].${name} must be `);
  }
});
