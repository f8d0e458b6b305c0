import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, SchemaNotFoundError, type Compiler } from "./index.ts";

const file = fileURLToPath(new URL("fixtures/contexts.ts", import.meta.url));
let compiler: Compiler;

beforeAll(async () => {
  compiler = await openCompiler();
});

afterAll(() => compiler.close());

test.each(["plain", "alias", "optional"])(
  "the context of %s is injected, and the model never sees it",
  (name) => {
    const found = compiler.exports(file).get(name);
    expect(found).toHaveProperty("parameters", expect.arrayContaining([{ kind: "context" }]));
    expect(found).toHaveProperty("inputSchema.properties", { a: { type: "string" } });
  },
);

test.each([
  "inUnion",
  "inObject",
  "inOptionalProperty",
  "inArray",
  "inTuple",
  "picked",
  "omitted",
  "partial",
  "extended",
  "intersected",
  "restOfThem",
  "inMap",
  "inPromise",
  "orAnything",
  "orUnknown",
  "inRecordOfAnything",
  "byDefault",
  "overloaded",
])("no model writes the context that %s would take: it is refused", (name) => {
  const found = compiler.exports(file).get(name);
  expect(found).toBeInstanceOf(SchemaNotFoundError);
  const data = found instanceof SchemaNotFoundError ? found.data : {};
  expect(data["problems"]).toEqual([expect.objectContaining({ kind: "inexpressible" })]);
  // Nor is it placed for a schema of its own, tool(fn, { input }).
  expect(data["parameters"]).toBeUndefined();
});

test("a type whose base is not found is refused: what it would have held is not known", () => {
  expect(compiler.exports(file).get("misspelt")).toHaveProperty(
    "message",
    expect.stringContaining("the type InjectedContext cannot be resolved"),
  );
});
