/** A schema that a program has written is checked where it is written; what others have written does not end a run. */
import { expect, test } from "vitest";
import { Agent, compileSchema, run, tool, type JsonSchema } from "skein";
import { openapi } from "skein/openapi";
import { ScriptedModel } from "skein/testing";

const of = (property: JsonSchema): JsonSchema => ({ type: "object", properties: { city: property } });

/** Schemas with a mistake, and where it is. */
const mistakes: readonly (readonly [JsonSchema, string, string])[] = [
  [of({ type: "strng" }), "#/properties/city", "type"],
  [of({ pattern: "(" }), "#/properties/city", "pattern"],
  [of({ $ref: "#/$defs/city" }), "#/properties/city", "$ref"],
  [{ type: "object", required: "city" }, "#", "required"],
  [{ type: "object", properties: [] }, "#", "properties"],
];

test.each(mistakes)("tool({ input }) refuses %j", (input, at, keyword) => {
  const place = "the input of the tool getWeather";
  expect(() => tool({ name: "getWeather", input, execute: () => 1 })).toThrow(
    expect.objectContaining({
      name: "ConfigurationError",
      code: "invalid-schema",
      data: expect.objectContaining({ place, at }),
      message: expect.stringContaining(`The JSON Schema of ${place} is not valid at ${at}: "${keyword}" `),
    }),
  );
});

test.each(mistakes)("tool({ output }) refuses %j", (output) => {
  expect(() => tool({ name: "getWeather", input: of({}), output, execute: () => 1 })).toThrow(
    "The JSON Schema of the output of the tool getWeather is not valid at #",
  );
});

test.each(mistakes)(
  "a function's own schema and an agent's are refused at the first run: %j",
  async (schema) => {
    const model = new ScriptedModel(["hello"]);
    const getWeather = ({ city }: { city: string }): string => city;
    const agents = [
      new Agent({ name: "A", model, tools: [tool(getWeather, { input: schema })] }),
      new Agent({ name: "A", model, output: schema }),
    ];
    for (const agent of agents)
      await expect(run(agent, "go")).rejects.toMatchObject({
        code: "invalid-schema",
        message: expect.stringContaining("is not valid at #"),
      });
    expect(model.requests).toEqual([]);
  },
);

test("what a document of others has that cannot be is left out of the schema", async () => {
  const parameters = [{ name: "q", in: "query", schema: { type: "strng", pattern: "(" } }];
  const paths = { "/a": { get: { operationId: "a", parameters, responses: {} } } };
  const document = { openapi: "3.1.0", info: { title: "x", version: "1" }, paths };
  const model = new ScriptedModel(["hello"]);
  const tools = [openapi(document, { baseUrl: "http://127.0.0.1:1" })];
  const { status } = await run(new Agent({ name: "A", model, tools }), "go");
  expect(status).toBe("completed");
  expect(model.requests[0]?.tools?.[0]?.inputSchema).toMatchObject({ properties: { q: {} } });
});

test("a tool of a set whose schema cannot be used is answered, and is in the warnings", async () => {
  const set = {
    name: "others",
    tools: () => [
      {
        name: "odd",
        inputSchema: compileSchema(of({ type: "strng" })),
        annotations: {},
        policy: {},
        execute: () => 1,
      },
    ],
  };
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "odd", arguments: { city: "Paris" } }] },
    "done",
  ]);
  const { status, warnings } = await run(new Agent({ name: "A", model, tools: [set] }), "go");
  expect(status).toBe("completed");
  expect(warnings).toEqual([
    expect.stringMatching(
      /^odd threw ConfigurationError: The JSON Schema is not valid at #\/properties\/city/,
    ),
  ]);
});
