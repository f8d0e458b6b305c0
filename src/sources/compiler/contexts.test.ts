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
    const schema = compiler.exports(file).get(name);
    expect(schema).toHaveProperty("parameters", expect.arrayContaining([{ kind: "context" }]));
    expect(schema).toHaveProperty("inputSchema.properties", { a: { type: "string" } });
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
  const schema = compiler.exports(file).get(name);
  expect(schema).toBeInstanceOf(SchemaNotFoundError);
  const data = schema instanceof SchemaNotFoundError ? schema.data : {};
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

describe("a type that says nothing of the context within it is refused all the same", () => {
  let program: MadeUpProgram;
  let schemas: ReadonlyMap<string, unknown>;

  beforeAll(async () => {
    program = await madeUpProgram({
      "swallowed.ts": `
        import type { ToolContext } from "skein";
        import type * as skein from "skein";
        declare const proto: ToolContext<{ user: string }>;
        declare function take(a: string, caller: ToolContext): void;
        interface Holder { inner: ToolContext }
        interface Loose { inner: ToolContext | any }
        interface Nested extends Array<Holder> {}
        interface Endless { next: Endless; inner?: Holder }
        class Held { caller!: ToolContext }
        export function imported(a: string, caller: import("skein").ToolContext | any) { return [a, caller]; }
        export function qualified(a: string, caller: skein.ToolContext | any) { return [a, caller]; }
        export function queried(a: string, caller: typeof proto | any) { return [a, caller]; }
        export function indexed(a: string, caller: Parameters<typeof take>[1] | any) { return [a, caller]; }
        export function held(a: string, caller: Holder | unknown) { return [a, caller]; }
        export function loose(a: string, caller: Loose) { return [a, caller]; }
        export function nested(a: string, caller: Nested | any) { return [a, caller]; }
        export function endless(a: string, caller: Endless | any) { return [a, caller]; }
        export function classy(a: string, caller: Held | any) { return [a, caller]; }
        export function awaited(a: string, caller: Awaited<Promise<Holder>> | any) { return [a, caller]; }
        interface Plain { a: string; then: (caller: ToolContext) => void }
        export function plain(a: { b: string } | any, call: (caller: ToolContext) => void = () => {}) { return [a, call]; }
        export function passing(a: Plain | any) { return a; }
      `,
      "comment.js": `
        /**
         * @param {string} a
         * @param {import("skein").ToolContext | any} caller
         */
        export function inComment(a, caller) { return [a, caller]; }
      `,
    });
    compiler.refresh();
    const files = ["swallowed.ts", "comment.js"].map((each) => program.path(each));
    schemas = new Map(files.flatMap((each) => [...compiler.exports(each)]));
  });

  afterAll(() => program.remove());

  test.each([
    "imported",
    "qualified",
    "queried",
    "indexed",
    "held",
    "loose",
    "nested",
    "endless",
    "classy",
    "awaited",
    "inComment",
  ])("%s", (name) => {
    expect(schemas.get(name)).toHaveProperty(
      "message",
      expect.stringContaining("a ToolContext is injected only as a parameter of its own"),
    );
    expect(schemas.get(name)).not.toHaveProperty("data.parameters");
  });

  test.each(["plain", "passing"])("%s has none but in a function's type: it is described", (name) => {
    expect(schemas.get(name)).toHaveProperty("inputSchema.properties.a");
  });
});

describe("recognises a ToolContext by the package that declares it, in any folder", () => {
  let program: MadeUpProgram;

  const declared = `
    declare const contextType: unique symbol;
    export interface ContextType<C> { readonly [contextType]?: C }
    export interface ToolContext<C = unknown> extends ContextType<C> { readonly context: C; readonly signal: AbortSignal }
  `;
  const plain =
    "export interface ToolContext<C = unknown> { readonly context: C; readonly toolCallId: string }";
  const use = (from: string): string => `
    import type { ToolContext } from "${from}";
    export function taken(a: string, caller: ToolContext<{ user: string }>) { return [a, caller]; }
    export function optional(a: string, caller?: ToolContext<{ user: string }>) { return [a, caller]; }
  `;
  const lines = ["taken", "optional"];

  beforeAll(async () => {
    program = await madeUpProgram({
      "copies/linked/package.json": '{ "name": "skein", "types": "./dist/index.d.ts" }',
      "copies/linked/dist/index.d.ts": plain,
      "copies/linked/dist/inner/package.json": '{ "type": "module" }',
      "copies/linked/dist/inner/context.d.ts": plain,
      "copies/vendored.d.ts": declared,
      "copies/other.d.ts": plain,
      "copies/own.ts": plain,
      "linked.ts": use("./copies/linked/dist/index.js"),
      "inner.ts": use("./copies/linked/dist/inner/context.js"),
      "vendored.ts": use("./copies/vendored.js"),
      "other.ts": use("./copies/other.js"),
      "own.ts": use("./copies/own.ts"),
      "node_modules/lib/package.json": '{ "name": "lib", "types": "./index.d.ts" }',
      "node_modules/lib/index.d.ts": `
        import type { ToolContext } from "not-installed";
        import type { ToolContext as Caller } from "not-installed";
        import type { Options } from "not-installed";
        export declare function taken(a: string, caller: ToolContext): string;
        export declare function optional(a: string, caller?: Caller): string;
        export declare function imported(a: string, caller?: import("not-installed").ToolContext): string;
        export declare function other(a: string, options?: Options): string;
      `,
      "lib.ts": 'export { taken, optional, imported, other } from "lib";',
    });
    compiler.refresh();
  });

  afterAll(() => program.remove());

  test.each(["linked.ts", "inner.ts", "vendored.ts"])("%s: it is injected", (name) => {
    const schemas = compiler.exports(program.path(name));
    for (const line of lines) {
      expect(schemas.get(line)).toHaveProperty("parameters", [
        { kind: "property", name: "a" },
        { kind: "context" },
      ]);
    }
  });

  test("that of another package is refused", () => {
    const schemas = compiler.exports(program.path("other.ts"));
    for (const line of lines) {
      expect(schemas.get(line)).toHaveProperty(
        "message",
        expect.stringMatching(/a ToolContext (of another|is inj)/),
      );
      expect(schemas.get(line)).not.toHaveProperty("data.parameters");
    }
  });

  test("that of the program itself is an ordinary type", () => {
    expect(compiler.exports(program.path("own.ts")).get("taken")).toHaveProperty(
      "inputSchema.properties.caller.properties.toolCallId",
    );
  });

  test.each(["taken", "optional", "imported"])(
    "%s: what a package calls so and is not found, is refused",
    (name) => {
      const schema = compiler.exports(program.path("lib.ts")).get(name);
      expect(schema).toHaveProperty("message", expect.stringMatching(/the type .* cannot be resolved/));
    },
  );

  test("what else a package lacks is left out", () => {
    expect(compiler.exports(program.path("lib.ts")).get("other")).toHaveProperty("inputSchema");
  });
});

describe("what a program writes of a context and TypeScript does not inject, is refused with what to write", () => {
  let program: MadeUpProgram;
  let schemas: ReadonlyMap<string, unknown>;

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
        export function byImport(caller: import("not-there").ToolContext) { return caller; }
        import type * as gone from "not-there";
        export function byQualifier(caller?: gone.ToolContext) { return caller; }
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
    schemas = new Map(files.flatMap((each) => [...compiler.exports(each)]));
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
    ["byImport", "the type ToolContext cannot be resolved"],
    ["byQualifier", "the type gone.ToolContext cannot be resolved"],
    ["ofNoPackage", 'parameter "caller": the type Gone cannot be resolved'],
    ["asAlternative", 'parameter "a": the type Missing cannot be resolved'],
    ["asMember", 'parameter "own.at": the type Missing cannot be resolved'],
  ])("%s", (name, message) => {
    expect(schemas.get(name)).toBeInstanceOf(SchemaNotFoundError);
    expect(schemas.get(name)).toHaveProperty("message", expect.stringContaining(message));
  });

  test("what can be resolved is described", () => {
    expect(schemas.get("found")).toHaveProperty("inputSchema.required", ["a", "b", "c"]);
  });
});
