import { expect, test } from "vitest";
import type { JsonObject } from "../../base/util/json.ts";
import { openapi } from "./index.ts";
import { call, serveTest } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

const int64 = { type: "integer", format: "int64" };
const Id = { $ref: "#/components/schemas/Id" };
const schemas = {
  Id: int64,
  MaybeId: { type: ["integer", "null"], format: "int64" },
  Range: { type: "object", properties: { from: Id } },
  Tree: { type: "object", properties: { id: Id, next: { $ref: "#/components/schemas/Tree" } } },
};

const digits = "9007199254740993";

/** Sends a value as the parameter `x`: the query that arrives, or that the call is refused. */
async function sent(schema: JsonObject, value: unknown, version = "3.1.0"): Promise<string> {
  const server = await serveTest((_request, response) => void response.end());
  const parameters = [{ name: "x", in: "query", schema }];
  const document = { ...documentOf({ parameters }), openapi: version, components: { schemas } };
  const api = openapi(document, { baseUrl: server.url });
  const { isError } = await call(api, "ask", { x: value });
  return isError
    ? "refused"
    : decodeURIComponent(/\?([^ \n]*)/.exec(server.requests.at(-1) ?? "")?.[1] ?? "");
}

test.each<readonly [string, JsonObject]>([
  ["in place", int64],
  ["by reference", Id],
  ["or null", { type: ["integer", "null"], format: "int64" }],
  ["or null, by reference", { $ref: "#/components/schemas/MaybeId" }],
  ["in allOf", { allOf: [Id] }],
  ["in allOf, with a bound", { allOf: [Id, { minimum: 1 }] }],
  ["in allOf, with its type outside", { type: "integer", allOf: [Id] }],
  ["in allOf, with its format outside", { format: "int64", allOf: [{ type: "integer" }] }],
  ["in anyOf", { anyOf: [Id, { type: "boolean" }] }],
  ["in oneOf", { oneOf: [int64, { type: "boolean" }] }],
  ["in oneOf with any text", { oneOf: [Id, { type: "string" }] }],
  ["in oneOf of integers", { oneOf: [int64, { type: "integer", format: "int32" }] }],
])("takes the digits of an integer beyond 2^53: %s", async (_place, schema) => {
  expect(await sent(schema, digits)).toBe(`x=${digits}`);
});

test.each<readonly [string, JsonObject, unknown, string]>([
  ["items", { type: "array", items: int64 }, [digits], `x=${digits}`],
  ["items by reference", { type: "array", items: Id }, [digits, 7], `x=${digits}&x=7`],
  ["properties", { type: "object", properties: { a: int64 } }, { a: digits }, `a=${digits}`],
  ["properties by reference", { $ref: "#/components/schemas/Range" }, { from: digits }, `from=${digits}`],
  ["other properties", { type: "object", additionalProperties: Id }, { a: digits }, `a=${digits}`],
  ["a schema that has itself", { $ref: "#/components/schemas/Tree" }, { id: digits }, `id=${digits}`],
])("takes the digits within %s", async (_place, schema, value, expected) => {
  expect(await sent(schema, value)).toBe(expected);
});

test("takes the digits of what OpenAPI 3.0 calls nullable", async () => {
  expect(await sent({ ...int64, nullable: true }, digits, "3.0.3")).toBe(`x=${digits}`);
});

test.each<readonly [string, JsonObject, unknown]>([
  ["an integer without a format", { type: "integer" }, digits],
  ["a word", Id, "seven"],
  ["more digits than 64 bits hold", Id, `${digits}0000`],
  ["an integer of an enumeration", { ...int64, enum: [1, 2] }, digits],
  ["a negative one with a minimum", { ...int64, minimum: 0 }, `-${digits}`],
  ["a positive one with a maximum", { ...int64, maximum: 100 }, digits],
  ["one with a maximum in a branch", { oneOf: [{ ...int64, maximum: 100 }, { type: "null" }] }, digits],
  ["one with a maximum in another part", { allOf: [int64, { maximum: 100 }] }, digits],
])("refuses the digits of %s", async (_what, schema, value) => {
  expect(await sent(schema, value)).toBe("refused");
});

test("a parameter that is written as JSON takes no digits as a text", async () => {
  const server = await serveTest((_request, response) => void response.end());
  const parameters = [{ name: "x", in: "query", content: { "application/json": { schema: int64 } } }];
  const api = openapi(documentOf({ parameters }), { baseUrl: server.url });
  expect((await call(api, "ask", { x: digits })).isError).toBe(true);
  expect((await call(api, "ask", { x: 7 })).isError).toBe(false);
});

test("a body of the same schema takes none: JSON has no such form for a number", async () => {
  const server = await serveTest((_request, response) => void response.end());
  const requestBody = { content: { "application/json": { schema: { $ref: "#/components/schemas/Range" } } } };
  const parameters = [{ name: "x", in: "query", schema: { $ref: "#/components/schemas/Range" } }];
  const document = documentOf({ parameters, requestBody }, { method: "post", components: { schemas } });
  const api = openapi(document, { baseUrl: server.url, approval: "none" });
  const both = { x: { from: digits }, body: { from: 7 } };
  expect((await call(api, "ask", both)).isError).toBe(false);
  expect((await call(api, "ask", { ...both, body: { from: digits } })).isError).toBe(true);
});
