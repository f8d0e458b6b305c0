import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, SchemaNotFoundError, type Compiler, type FunctionDescription } from "./index.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
let compiler: Compiler;

beforeAll(async () => {
  compiler = await openCompiler();
});

afterAll(() => compiler.close());

/** The untyped parts of a function's signature; its schema's properties where it has none. */
function partsOf(description: FunctionDescription | undefined): unknown {
  if (!(description instanceof SchemaNotFoundError)) return description?.inputSchema["properties"];
  const { problems } = description.data;
  return (Array.isArray(problems) ? problems : []).map((problem: unknown) =>
    typeof problem === "object" && problem !== null && "parameter" in problem && "kind" in problem
      ? [problem.parameter, problem.kind]
      : problem,
  );
}

function describeNamed(file: string, name: string): FunctionDescription | undefined {
  return compiler.functionsLike(fixture(file), { name })[0]?.describe();
}

const untyped = (...names: readonly string[]): unknown => names.map((name) => [name, "untyped"]);

test.each([
  ["none", untyped("a", "b")],
  ["one", untyped("b")],
  ["withDefault", { a: { type: "number" }, b: { type: "number", default: 2 } }],
  ["described", untyped("a")],
  ["rest", untyped("all")],
  ["destructured", untyped("a", "b", "others")],
  ["pair", untyped("[a]")],
  ["hidden", untyped("arguments")],
  ["named", untyped("arguments")],
  ["inner", {}],
  ["anything", { a: {} }],
  ["forecast", { city: { type: "string" }, days: { type: "number", default: 3 } }],
  ["empty", {}],
  ["injected", {}],
])("in JavaScript, what JSDoc does not say of %s is not known", (name, expected) => {
  expect(partsOf(describeNamed("untyped.js", name))).toEqual(expected);
});

test.each([
  [
    "defaults",
    {
      a: { type: "number", default: 1 },
      options: {
        type: "object",
        properties: { b: { type: "string", default: "x" }, c: { type: "boolean", default: true } },
        additionalProperties: false,
        default: {},
      },
    },
  ],
  ["written", { a: {}, b: {} }],
  ["byContext", { a: {} }],
  ["contextual", { a: { type: "string" }, more: { type: "array", items: { type: "number" } } }],
  ["implicit", untyped("a", "b", "more")],
  ["wrapped", untyped("args")],
  ["remembered", untyped("args")],
  ["put", untyped("item")],
  ["label", { name: { type: "string" } }],
  ["own", { value: {} }],
])("in TypeScript, %s is described as far as its types are written", (name, expected) => {
  expect(partsOf(describeNamed("untyped.ts", name))).toEqual(expected);
});

test("a function without a type where a tool is expected is refused, but for what its defaults say", () => {
  const [found] = compiler.functionsLike(fixture("untyped.ts"), { name: "", parameters: ["a", "b"] });
  expect(partsOf(found?.describe())).toEqual(untyped("a"));
});

test("the error says what to write, in the words of the file's language", () => {
  expect(describeNamed("untyped.js", "described")).toHaveProperty(
    "message",
    expect.stringContaining("Write its type in a JSDoc comment, such as @param {string} a"),
  );
  expect(describeNamed("untyped.ts", "implicit")).toHaveProperty(
    "message",
    expect.stringContaining("Write their types, such as a: string."),
  );
});
