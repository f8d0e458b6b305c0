import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCompiler, SchemaNotFoundError, type Compiler } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

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
  expect(data["placement"]).toBeUndefined();
});

test("a type whose base is not found is refused: what it would have held is not known", () => {
  expect(compiler.exports(file).get("misspelt")).toHaveProperty(
    "message",
    expect.stringContaining("the type InjectedContext cannot be resolved"),
  );
});

describe("what a program writes of a context and TypeScript does not inject, is refused with what to write", () => {
  let program: MadeUpProgram;
  let found: ReadonlyMap<string, unknown>;

  beforeAll(async () => {
    program = await madeUpProgram({
      "contexts.ts": `
        import type { ToolContext as Injected } from "skein";
        import type { Gone } from "not-there";
        type Alias = Omit<Missing, "x">;
        interface Own { at?: Missing; a: string }
        export function asThis(this: Injected, a: string) { return [this, a]; }
        export function withoutImport(a: string, caller?: ToolContext<{ user: string }>) { return [a, caller]; }
        export function without(a: string, caller: Omit<Missing, "call">) { return [a, caller]; }
        export function byAlias(caller: Alias) { return caller; }
        export function ofNoPackage(caller: Gone) { return caller; }
        export function asAlternative(a: string | Missing[]) { return a; }
        export function asMember(own: Own) { return own; }
        export function found<T extends { a: 1 }>(a: Omit<{ x: 1 }, "x">, b: T, c: Record<Uppercase<"a">, T>) { return [a, b, c]; }
      `,
      "contexts.js": `
        /** @this {import("skein").ToolContext}
         * @param {string} a */
        export function asThisInScript(a) { return [this, a]; }
        /** @param {ToolContext} caller */
        export function inScript(caller) { return caller; }
      `,
    });
    compiler.refresh();
    const files = ["contexts.ts", "contexts.js"].map((each) => program.path(each));
    found = new Map(files.flatMap((each) => [...compiler.exports(each)]));
  });

  afterAll(() => program.remove());

  test.each([
    ["asThis", 'parameter "this": it is not injected: write the ToolContext as a parameter of its own'],
    ["asThisInScript", 'parameter "this": it is not injected'],
    [
      "withoutImport",
      'the type ToolContext cannot be resolved: write import type { ToolContext } from "skein"',
    ],
    ["inScript", 'the type ToolContext cannot be resolved: write import("skein").ToolContext'],
    ["without", 'parameter "caller": the type Missing cannot be resolved'],
    ["byAlias", 'parameter "caller": the type Missing cannot be resolved'],
    ["ofNoPackage", 'parameter "caller": the type Gone cannot be resolved'],
    ["asAlternative", 'parameter "a": the type Missing cannot be resolved'],
    ["asMember", 'parameter "own.at": the type Missing cannot be resolved'],
  ])("%s", (name, message) => {
    expect(found.get(name)).toBeInstanceOf(SchemaNotFoundError);
    expect(found.get(name)).toHaveProperty("message", expect.stringContaining(message));
  });

  test("what can be resolved is described", () => {
    expect(found.get("found")).toHaveProperty("inputSchema.required", ["a", "b", "c"]);
  });
});
