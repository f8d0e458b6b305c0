import { expect, test } from "vitest";
import {
  Agent,
  compileSchema,
  executeToolCalls,
  generate,
  run,
  tool,
  type JsonSchema,
  type Tool,
} from "skein";
import { ScriptedModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;

/** Of a schema in a schema, 100,000 levels deep. */
const deep = (wrap: (inner: object) => JsonSchema): JsonSchema => {
  let schema: JsonSchema = { type: "string" };
  for (let level = 0; level < 100_000; level++) schema = wrap(schema);
  return { type: "object", properties: { a: schema } };
};
const itself: Record<string, unknown> = { type: "object" };
itself["properties"] = { a: itself };

const schemas: readonly (readonly [what: string, schema: JsonSchema])[] = [
  ["properties", deep((a) => ({ type: "object", properties: { a } }))],
  ["items", deep((items) => ({ type: "array", items }))],
  ["allOf", deep((inner) => ({ allOf: [inner] }))],
  ["a default", deep((inner) => ({ default: inner }))],
  ["itself", itself],
];
const words = "is nested deeper than 300 levels. Write what repeats once, in $defs.";
const agentWith = (own: Tool): Agent => new Agent({ name: "A", model: new ScriptedModel([]), tools: [own] });

test.each(schemas)("a tool of a schema with too deep %s is refused where it is defined", (_, schema) => {
  const own = { name: "work", input, execute: () => 1 };
  expect(() => tool({ ...own, input: schema })).toThrow(
    `The JSON Schema of the input of the tool work ${words}`,
  );
  expect(() => tool({ ...own, output: schema })).toThrow(
    `The JSON Schema of the output of the tool work ${words}`,
  );
});

test.each(schemas)(
  "so is a tool of another source, with too deep %s, where it is passed on",
  async (_, schema) => {
    const own = tool({ name: "work", input, execute: () => 1 });
    const hostile: Tool = { ...own, inputSchema: compileSchema(schema) };
    const code = "invalid-schema";
    expect(() => agentWith(hostile)).toThrow(`the input of the tool work ${words}`);
    expect(() => agentWith({ ...own, outputSchema: compileSchema(schema) })).toThrow(
      `the output of the tool work ${words}`,
    );
    await expect(executeToolCalls([], [hostile])).rejects.toMatchObject({ code });
    await expect(generate(new ScriptedModel([]), { messages: "Go.", tools: [hostile] })).rejects.toThrow(
      `the input of the tool work ${words}`,
    );
  },
);

test.each(schemas)("an output type with too deep %s is refused, too", async (_, output) => {
  const agent = () => new Agent({ name: "A", model: new ScriptedModel([]), output });
  await expect((async () => run(agent(), "Go."))()).rejects.toThrow(words);
});

test("a schema of 100 levels is a schema as any other", async () => {
  let schema: JsonSchema = { type: "string" };
  for (let level = 0; level < 100; level++) schema = { type: "object", properties: { a: schema } };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "work", arguments: { a: {} } }] }, "Done."]);
  const work = tool({ name: "work", input: schema, execute: () => "ok" });
  const { text, stats } = await run(new Agent({ name: "A", model, tools: [work] }), "Go.");
  expect([text, stats.toolErrors]).toEqual(["Done.", 0]);
});
