import { expect, test } from "vitest";
import { openapi } from "./openapi.ts";
import { call, serveTest } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

const many = <T>(count: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, make(index)]));
const paths = (count: number, operation: object): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`/p${index}`, { post: operation }] as const),
  );
const key = (index: number): object => ({ type: "apiKey", in: "query", name: `n${index}` });
const query = { name: "q", in: "query", schema: { type: "string" } };
const names = (index: number): string => `a${String.fromCodePoint(0x4e00 + index)}`;
const text = { type: "string" };

test.each<readonly [string, Record<string, unknown>]>([
  [
    "security of a document",
    {
      paths: paths(3_000, {}),
      security: [many(4_000, () => [])],
      components: { securitySchemes: many(4_000, key) },
    },
  ],
  [
    "credentials beside a query",
    { paths: paths(4_000, { parameters: [query] }), components: { securitySchemes: many(6_000, key) } },
  ],
  [
    "servers of a document",
    {
      paths: paths(4_000, {}),
      servers: Array.from({ length: 8_000 }, (_, index) => ({ url: `https://a${index}.example` })),
    },
  ],
  [
    "a form that operations share",
    {
      paths: paths(4_000, {
        requestBody: {
          content: { "application/x-www-form-urlencoded": { schema: { $ref: "#/components/schemas/Form" } } },
        },
      }),
      components: { schemas: { Form: { type: "object", properties: many(12_000, () => text) } } },
    },
  ],
  [
    "a response that operations share",
    {
      paths: paths(4_000, { responses: { 200: { $ref: "#/components/responses/Shared" } } }),
      components: { responses: { Shared: { content: many(20_000, () => ({ schema: text })) } } },
    },
  ],
  [
    "an item that paths share",
    {
      paths: many(4_000, () => ({ $ref: "#/components/pathItems/Shared" })),
      components: { pathItems: { Shared: { get: { tags: ["a"] }, ...many(20_000, () => text) } } },
    },
  ],
  [
    "a parameter that operations share",
    {
      paths: paths(4_000, { parameters: [{ $ref: "#/components/parameters/Shared" }] }),
      components: { parameters: { Shared: { ...query, content: many(20_000, () => ({ schema: text })) } } },
    },
  ],
  [
    "the kinds of a discriminator",
    documentOf(
      {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                oneOf: Object.keys(many(8_000, key)).map((name) => ({
                  $ref: `#/components/schemas/${name}`,
                })),
                discriminator: {
                  propertyName: "kind",
                  mapping: many(8_000, (index) => `#/components/schemas/k${index}`),
                },
              },
            },
          },
        },
      },
      { method: "post", components: { schemas: many(8_000, () => ({})) } },
    ),
  ],
  [
    "parameters of one name",
    documentOf({
      parameters: Array.from({ length: 3_000 }, (_, index) => ({ ...query, name: names(index) })),
    }),
  ],
])("documents with much of %s are read in linear time", { timeout: 20_000 }, async (_title, parts) => {
  const set = openapi(
    { servers: [{ url: "https://api.example" }], ...documentOf({}), ...parts },
    { fetch: async () => Response.json({}) },
  );
  expect((await set.report()).notes).toBeDefined();
});

test("a form of 25,000 fields is sent in linear time", { timeout: 20_000 }, async () => {
  const api = await serveTest((_request, response) => void response.end("{}"));
  const schema = { type: "object", properties: many(25_000, () => text) };
  const content = { "application/x-www-form-urlencoded": { schema } };
  const set = openapi(documentOf({ requestBody: { content } }, { method: "post" }), {
    baseUrl: api.url,
    approval: "none",
  });
  await call(set, "ask", { body: many(25_000, () => "x") });
  expect(api.requests.join("\n")).toContain("k24999=x");
});
