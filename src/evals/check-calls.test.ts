import { expect, test } from "vitest";
import { Agent } from "../agent/agent.ts";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { defineEval } from "./define-eval.ts";

const agent = new Agent({ name: "Shop", model: new ScriptedModel(["Hi."]) });

/** An evaluation as it may stand in a file. */
function define(calls: string): unknown {
  const cases = JSON.parse(`[{ "name": "refund", "input": "Refund 9", "calls": ${calls} }]`);
  return defineEval({ agent, cases });
}

test.each([
  ['[{ "tool": "refund", "args": { "order": 9 } }]', "the call of refund in the case"],
  ['{ "inclde": ["refund"] }', 'Did you mean "include"?'],
  ['{ "anyOrder": ["a"], "include": ["b"] }', "must be a list, { anyOrder: [...] } or { include: [...] }"],
  ['[{ "name": "refund" }]', "must be the name of a tool"],
  ["[7]", "must be the name of a tool"],
  ['"refund"', "must be a list"],
])("calls %s are refused", (calls, words) => {
  expect(() => define(calls)).toThrow(words);
});

test.each([
  "[]",
  '["refund"]',
  '[{ "tool": "refund", "arguments": {}, "example": {} }]',
  '{ "anyOrder": [] }',
])("calls %s are taken", (calls) => {
  expect(define(calls)).toMatchObject({ cases: [{ name: "refund" }] });
});

test.each([
  [{ never: "refund" }, 'never of the case "Refund 9" of'],
  [{ never: [7] }, "must be a list of the names of tools"],
  [{ input: 5, text: "Hi." }, "The input of a case must be a text or a list of messages, not"],
])("%j is refused", (parts, words) => {
  const cases = JSON.parse(JSON.stringify([{ input: "Refund 9", ...parts }]));
  expect(() => defineEval({ agent, cases })).toThrow(words);
});
