import { expect, test } from "vitest";
import { openapi } from "./index.ts";
import { documentOf } from "./test-documents.ts";

async function read(
  schema: unknown,
  more: object = {},
): Promise<{ body: unknown; notes: readonly string[] }> {
  const operation = { requestBody: { content: { "application/json": { schema } } }, ...more };
  const api = openapi(documentOf(operation, { method: "post" }), { baseUrl: "https://a.example" });
  const [tool] = await api.tools();
  const { notes } = await api.report();
  return { body: Object(tool?.inputSchema.jsonSchema["properties"]).body, notes };
}

const tag = "\u{E0041}";

test("the report names references that name nothing, each once", async () => {
  const none = { $ref: "#/components/schemas/None" };
  const { body, notes } = await read({ properties: { a: none, b: none, c: { $ref: "#/x" } } });
  expect(body).toEqual({ properties: { a: {}, b: {}, c: {} } });
  expect(notes).toEqual([
    "Schemas have references that name nothing; any value is accepted there: #/components/schemas/None, #/x.",
  ]);
});

test("the report names constraints that cannot be checked, ten at most", async () => {
  const { notes } = await read({
    properties: {
      a: { type: "any", pattern: String.raw`(?i)^a\z`, minLength: "5", format: 5, uniqueItems: false },
      b: { patternProperties: { "(?i)b": { type: "string" } } },
    },
  });
  expect(notes).toEqual([
    String.raw`Constraints that cannot be checked are left out of schemas: pattern "(?i)^a\\z", minLength "5", pattern "(?i)b".`,
  ]);
  const many = Array.from({ length: 12 }, (_, index) => [`p${index}`, { pattern: `(?i)${index}` }]);
  expect((await read({ properties: Object.fromEntries(many) })).notes[0]).toMatch(/"\(\?i\)9" and 2 more\.$/);
});

test("invisible characters do not reach the model", async () => {
  const hidden = `Read${tag}\u{200B} this\u{2060}.`;
  const { body, notes } = await read(
    {
      description: hidden,
      required: ["a", `b${tag}`],
      properties: {
        a: { enum: ["x", `y${tag}`], default: `y${tag}` },
        [`b${tag}`]: { type: "string" },
        c: { const: `c\u{200B}`, pattern: `^${tag}$` },
        d: { enum: [tag] },
        e: { description: "👩‍👩‍👧 می‌خواهم" },
      },
    },
    { parameters: [{ name: `q${tag}`, in: "query", description: hidden, schema: {} }], summary: hidden },
  );
  expect(body).toEqual({
    description: "Read this.",
    required: ["a"],
    properties: { a: { enum: ["x"] }, c: {}, d: {}, e: { description: "👩‍👩‍👧 می‌خواهم" } },
  });
  expect(notes).toEqual(["Names and values with invisible characters are left out of schemas."]);
});

test("a path that stands for a description has no invisible characters", async () => {
  const api = openapi(documentOf({}, { path: `/a${tag}b` }), { baseUrl: "https://a.example" });
  expect((await api.tools())[0]?.description).toBe("GET /ab");
});
