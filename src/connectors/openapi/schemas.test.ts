import { expect, test } from "vitest";
import { openapi } from "./index.ts";
import { documentOf } from "./test-documents.ts";

/** What a body's schema becomes for the model: itself and its definitions. */
async function converted(schema: unknown, schemas: object = {}): Promise<{ body: unknown; $defs: unknown }> {
  const operation = { requestBody: { content: { "application/json": { schema } } } };
  const document = documentOf(operation, { method: "post", components: { schemas } });
  const [tool] = await openapi(document, { baseUrl: "https://a.example" }).tools();
  const { properties, $defs } = (tool?.inputSchema.jsonSchema ?? {}) as {
    properties: { body: unknown };
    $defs: unknown;
  };
  return { body: properties.body, $defs };
}

/** Whether a body fits. */
async function takes(schema: unknown, body: unknown, schemas: object = {}): Promise<boolean> {
  const operation = { requestBody: { content: { "application/json": { schema } } } };
  const document = documentOf(operation, { method: "post", components: { schemas } });
  const [tool] = await openapi(document, { baseUrl: "https://a.example" }).tools();
  return tool?.inputSchema.validate({ body }).ok === true;
}

test.each([
  [
    "what is read-only",
    { properties: { id: { type: "integer", readOnly: true } }, required: ["id"] },
    { properties: {} },
  ],
  [
    "what is read-only by its reference",
    { properties: { id: { $ref: "#/components/schemas/Id" }, a: {} }, required: ["id", "a"] },
    { properties: { a: {} }, required: ["a"] },
  ],
  [
    "what is read-only in another part",
    { allOf: [{ properties: { id: { readOnly: true } } }, { required: ["id", "a"] }] },
    { allOf: [{ properties: {} }, { required: ["a"] }] },
  ],
  [
    "examples, XML and extensions",
    { type: "string", example: "x", xml: {}, "x-y": 1, externalDocs: {}, title: "T" },
    { type: "string" },
  ],
  [
    "keywords that make no sense",
    { type: "any", required: true, enum: [], maxLength: "5", items: [], minimum: null },
    {},
  ],
  ["expressions of other languages", { type: "string", pattern: "(?i)^\\p{Alpha}++$" }, { type: "string" }],
  [
    "references that name nothing",
    { $ref: "#/components/schemas/None", description: "d" },
    { description: "d" },
  ],
  ["references beyond the document", { $ref: "#anchor" }, {}],
])("%s is left out", async (_what, schema, expected) => {
  const schemas = { Id: { type: "integer", readOnly: true } };
  expect((await converted(schema, schemas)).body).toEqual(expected);
});

test("expressions of other languages for names refuse no name", async () => {
  const schema = { patternProperties: { "(?i)^x-": { type: "string" } }, additionalProperties: false };
  expect(await takes(schema, { "X-a": 1 })).toBe(true);
});

test("ignores unknown formats", async () => {
  expect(await takes({ type: "string", format: "iso-country" }, "anything")).toBe(true);
});

test("write-only properties are there, and descriptions are cut", async () => {
  const { body } = await converted({
    properties: {
      secret: { type: "string", writeOnly: true, description: `<i>A</i> secret. ${"word ".repeat(200)}` },
    },
  });
  const { secret } = (body as { properties: { secret: { description: string } } }).properties;
  expect(secret.description).toMatch(/^A secret\. word/);
  expect(secret.description.length).toBeLessThanOrEqual(240);
});

test("recursion stays recursion", async () => {
  const Node = {
    type: "object",
    properties: { next: { $ref: "#/components/schemas/Node" } },
    additionalProperties: false,
  };
  expect(await converted({ $ref: "#/components/schemas/Node" }, { Node })).toEqual({
    body: { $ref: "#/$defs/Node" },
    $defs: { Node: { ...Node, properties: { next: { $ref: "#/$defs/Node" } } } },
  });
  expect(await takes({ $ref: "#/components/schemas/Node" }, { next: { next: {} } }, { Node })).toBe(true);
  expect(await takes({ $ref: "#/components/schemas/Node" }, { next: { other: 1 } }, { Node })).toBe(false);
});

test("schemas that only refer to each other take anything", async () => {
  const A = { $ref: "#/components/schemas/B" };
  const B = { $ref: "#/components/schemas/A" };
  expect(await takes({ $ref: "#/components/schemas/A" }, 5, { A, B })).toBe(true);
});

test("uses a discriminator to distinguish the kinds", async () => {
  const schemas = {
    Cat: { type: "object", properties: { kind: { type: "string" }, lives: { type: "integer" } } },
    Dog: { type: "object", properties: { kind: { enum: ["hound"] }, barks: { type: "boolean" } } },
  };
  const oneOf = [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }];
  const mapped = {
    oneOf,
    discriminator: { propertyName: "kind", mapping: { c: "#/components/schemas/Cat", d: "Dog" } },
  };
  expect((await converted(mapped, schemas)).body).toEqual({
    oneOf: [
      { $ref: "#/$defs/Cat", properties: { kind: { const: "c" } }, required: ["kind"] },
      { $ref: "#/$defs/Dog", properties: { kind: { const: "d" } }, required: ["kind"] },
    ],
  });
  const plain = { oneOf, discriminator: { propertyName: "kind" } };
  expect((await converted(plain, schemas)).body).toEqual({
    oneOf: [
      { $ref: "#/$defs/Cat", properties: { kind: { const: "Cat" } }, required: ["kind"] },
      { $ref: "#/$defs/Dog" },
    ],
  });
  expect(await takes(plain, { kind: "hound", barks: true }, schemas)).toBe(true);
  expect(await takes(plain, { kind: "bird" }, schemas)).toBe(false);
});

test("kinds of kinds are found, and the base within them stays what it is", async () => {
  const extend = (base: string, properties: object): object => ({
    allOf: [{ $ref: `#/components/schemas/${base}` }, { type: "object", properties }],
  });
  const schemas = {
    Animal: {
      type: "object",
      required: ["kind"],
      properties: { kind: { type: "string" } },
      discriminator: { propertyName: "kind" },
    },
    Dog: extend("Animal", { barks: { type: "boolean" } }),
    Hound: extend("Dog", { speed: { type: "number" } }),
  };
  const { body, $defs } = await converted({ $ref: "#/components/schemas/Animal" }, schemas);
  const kind = (name: string): object => ({
    $ref: `#/$defs/${name}`,
    properties: { kind: { const: name } },
    required: ["kind"],
  });
  expect(body).toEqual({ anyOf: [kind("Dog"), kind("Hound"), { $ref: "#/$defs/Animal" }] });
  expect($defs).toMatchObject({
    Hound: { allOf: [{ $ref: "#/$defs/Dog" }, {}] },
    Dog: { allOf: [{ $ref: "#/$defs/Animal" }, {}] },
  });
});

test("properties called as parts of objects are called so", async () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}',
  );
  const { body } = await converted(schema);
  expect(JSON.stringify(body)).toBe(JSON.stringify(schema));
});

test("describes the nearest of endless schemas, names the others, and reports it", async () => {
  const wide = (next: number): object => ({
    type: "object",
    properties: Object.fromEntries([
      ...Array.from({ length: 60 }, (_, index) => [
        `property_${index}`,
        { type: "string", description: "d".repeat(50) },
      ]),
      ["next", { $ref: `#/components/schemas/S${next}` }],
    ]),
  });
  const schemas = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`S${index}`, wide((index + 1) % 50)]),
  );
  const operation = {
    requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } } },
  };
  const api = openapi(documentOf(operation, { method: "post", components: { schemas } }), {
    baseUrl: "https://a.example",
  });
  const [tool] = await api.tools();
  expect(JSON.stringify(tool?.inputSchema.jsonSchema).length).toBeLessThan(45_000);
  expect(Object.values(Object(tool?.inputSchema.jsonSchema["$defs"])).at(-1)).toEqual({
    description: expect.stringMatching(/^S\d+, as the API documents it$/),
  });
  expect((await api.report()).notes).toEqual([
    "The arguments of ask are described in part: 1 schemas found no room.",
  ]);
  expect(tool?.inputSchema.validate({ body: { next: { next: {} } } }).ok).toBe(true);
});
