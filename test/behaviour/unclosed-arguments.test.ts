/** JSON whose text ends before its brackets are closed: used only where the schema lets nothing more follow. */
import { describe, expect, test } from "vitest";
import { Agent, run, tool, type JsonSchema } from "skein";
import { ScriptedModel } from "skein/testing";

const text = { type: "string" };
const number = { type: "number" };

function closed(properties: JsonSchema, required = Object.keys(properties)): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

const payment = closed({ to: text, amount: number }, ["to"]);
const circle = closed({ kind: { const: "circle" }, label: text });
const box = closed({ kind: { const: "box" }, label: text, sides: { type: "array" } }, ["kind"]);
const shape = { anyOf: [circle, box] };
const tree = {
  ...closed({ root: { $ref: "#/$defs/node" } }),
  $defs: { node: closed({ name: text, next: { $ref: "#/$defs/node" } }, ["name"]) },
};
const pair = { type: "array", prefixItems: [text, text], items: false };
const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };
const referring = { $ref: "#/definitions/open", ...closed({ a: text }) };

/** What becomes of a call with `half`, in a run whose model then sends `whole`. */
async function callWith(inputSchema: JsonSchema, half: string, whole = half) {
  const inputs: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pay.",
    input: inputSchema,
    execute: (input: unknown) => void inputs.push(input),
  });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "pay", arguments: half }] },
    { toolCalls: [{ toolName: "pay", arguments: whole }] },
    "Done.",
  ]);
  const { messages } = await run(new Agent({ name: "Clerk", model, tools: [pay] }), "Pay.");
  const [first] = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const [part] = first?.content ?? [];
  return { inputs, outcome: first?.outcome, message: part?.type === "text" ? part.text : "" };
}

describe("where more could follow, nothing is executed", () => {
  test.each([
    ["an optional property", payment, '{"to":"Ada"', "the arguments"],
    ["a required property", closed({ to: text, amount: number }), '{"to":"Ada"', "the arguments"],
    ["a property of any name", { type: "object", properties: { to: text } }, '{"to":"Ada"', "the arguments"],
    ["anything, without a schema", {}, '{"to":"Ada"', "the arguments"],
    [
      "a property by its pattern",
      { ...closed({ to: text }), patternProperties: { "^x": {} } },
      '{"to":"Ada"',
      "the arguments",
    ],
    ["an item", closed({ to: { type: "array", items: text } }), '{"to":["Ada"', "$.to"],
    ["an item, within an object that is closed", closed({ to: { type: "array" } }), '{"to":["Ada"}', "$.to"],
    ["an item of an empty list", closed({ to: { type: "array" } }), '{"to":[}', "$.to"],
    ["an item of a tuple", closed({ to: pair }), '{"to":["Ada"', "$.to"],
    ["a member within", closed({ to: payment }), '{"to":{"to":"Ada"', "$.to"],
    [
      "a member around",
      closed({ in: closed({ to: text }), amount: number }),
      '{"in":{"to":"A"}',
      "the arguments",
    ],
    [
      "a member of an item",
      closed({ to: { type: "array", items: payment, maxItems: 1 } }),
      '{"to":[{"to":"Ada"',
      "$.to[0]",
    ],
    ["a property of an alternative", closed({ to: shape }), '{"to":{"kind":"box","label":"A"', "$.to"],
    ["the kind of an alternative", closed({ to: shape }), '{"to":{"label":"A"', "$.to"],
    ["an alternative in another case", closed({ to: shape }), '{"to":{"kind":"Circle","label":"A"', "$.to"],
    [
      "an alternative of any kind",
      closed({ to: { anyOf: [circle, {}] } }),
      '{"to":{"kind":"circle","label":"A"',
      "$.to",
    ],
    ["a level of a tree", tree, '{"root":{"name":"a","next":{"name":"b"', "$.root.next"],
    [
      "what draft 7 allows, which ignores all beside a reference",
      { ...draft7, definitions: { open: {} }, ...closed({ to: referring }) },
      '{"to":{"a":"A"',
      "$.to",
    ],
    ["more, the second time", payment, '{"to":"Ada"}{"to":"Ada"', "the arguments"],
    ["a property, in a fence", payment, '```json\n{"to":"Ada"\n```', "the arguments"],
    ["a property, in a string", payment, JSON.stringify('{"to":"Ada"'), "the arguments"],
  ])("%s", async (_title, schema, half, place) => {
    const { inputs, outcome, message } = await callWith(schema, half);
    expect(inputs).toEqual([]);
    expect(outcome).toBe("invalid-arguments");
    expect(message).toContain(`- ${place}: not valid JSON: the text ends before`);
  });
});

describe("where nothing could follow, the brackets are added", () => {
  test.each([
    ["all properties are there", payment, '{"to":"Ada","amount":5 ', { to: "Ada", amount: 5 }],
    [
      "an array has its last item",
      closed({ to: { type: "array", maxItems: 1 } }),
      '{"to":["A"',
      { to: ["A"] },
    ],
    ["a tuple has its last item", closed({ to: pair }), '{"to":["A","B"', { to: ["A", "B"] }],
    [
      "a tuple of draft 7 has its last item",
      { ...draft7, ...closed({ to: { items: [text], additionalItems: false } }) },
      '{"to":["A"',
      { to: ["A"] },
    ],
    ["an object has its last property", { type: "object", maxProperties: 1 }, '{"to":"A"', { to: "A" }],
    [
      "an alternative is whole",
      closed({ to: shape }),
      '{"to":{"kind":"circle","label":"A"',
      { to: { kind: "circle", label: "A" } },
    ],
    [
      "the other alternative is a text",
      closed({ to: { anyOf: [text, circle] } }),
      '{"to":{"kind":"circle","label":"A"',
      { to: { kind: "circle", label: "A" } },
    ],
    [
      "one of the parts is whole",
      { allOf: [{ type: "object" }, payment] },
      '{"to":"A","amount":5 ',
      { to: "A", amount: 5 },
    ],
    [
      "a tree ends where it says",
      tree,
      '{"root":{"name":"a","next":{"name":"b","next":{"name":"c"}}',
      undefined,
    ],
  ])("%s", async (_title, schema, half, input) => {
    const { inputs, outcome } = await callWith(schema, half);
    expect(inputs[0]).toEqual(input ?? { root: { name: "a", next: { name: "b", next: { name: "c" } } } });
    expect(outcome).toBe("success");
  });
});

test("the model reads where its text ended and what to do, and its next call works", async () => {
  const whole = '{"to":"Ada","amount":5}';
  const { inputs, message } = await callWith(payment, '{"to":"Ada"', whole);
  expect(message).toBe(
    [
      "pay was not called, because its arguments are invalid:",
      '- the arguments: not valid JSON: the text ends before "}", and more could follow there; send all of it again (line 1, column 12)',
      'You sent:\n{"to":"Ada" <-- wrong from here: ',
      "Call the tool again with corrected arguments.",
    ].join("\n"),
  );
  expect(inputs).toEqual([{ to: "Ada", amount: 5 }]);
});

describe("an answer of a schema", () => {
  async function answerOf(outputSchema: JsonSchema, half: string, whole: string) {
    const model = new ScriptedModel([half, whole]);
    const result = await run(new Agent({ name: "Clerk", model, output: outputSchema }), "Pay.");
    return { output: result.output, requests: model.requests.length };
  }

  test("is not taken where more could follow", async () => {
    const whole = '{"to":"Ada","amount":5}';
    expect(await answerOf(payment, '{"to":"Ada"', whole)).toEqual({
      output: { to: "Ada", amount: 5 },
      requests: 2,
    });
  });

  test("is taken where nothing could follow", async () => {
    const half = '{"to":"Ada","amount":5\n';
    expect(await answerOf(payment, half, "")).toEqual({ output: { to: "Ada", amount: 5 }, requests: 1 });
  });

  test("is held to the same as the value of an object", async () => {
    const list = { type: "array", items: text, maxItems: 2 };
    expect(await answerOf(list, '{"value":["a"]', "")).toEqual({ output: ["a"], requests: 1 });
    expect(await answerOf(list, '{"value":["a","b"', "")).toEqual({ output: ["a", "b"], requests: 1 });
    expect(await answerOf(list, '{"value":["a"', '["a","b"]')).toEqual({ output: ["a", "b"], requests: 2 });
    expect(await answerOf(list, '["a"', '["a","b"]')).toEqual({ output: ["a", "b"], requests: 2 });
  });
});
