import { describe, expect, test } from "vitest";
import { tool } from "./define.ts";
import { statisticsOf } from "./statistics.ts";
import { ToolTable } from "./table.ts";
import type { FunctionToolOptions, Tool } from "./types.ts";

const input = { type: "object", properties: { a: { type: "string" } } } as const;
const named = (name: string, options: Omit<FunctionToolOptions, "name" | "input"> = {}): Tool =>
  tool({ ...options, name, input, execute: () => name });

test("tools are found by their names, also those that every object has", () => {
  const own = named("constructor");
  const table = new ToolTable([named("a"), own]);
  expect(table.get("constructor")).toBe(own);
  expect([table.get("toString"), table.originOf("toString"), table.has("toString")]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect([table.has("a"), table.names, table.tools.length]).toEqual([true, ["a", "constructor"], 2]);
});

test("two tools of one name are an error that names both places", () => {
  const table = new ToolTable([named("a")]);
  expect(() => table.register(named("a"))).toThrow(
    expect.objectContaining({
      code: "name-clash",
      data: { name: "a", places: ["tools[0]", "register()"] },
      message: expect.stringMatching(
        /^Two tools are called "a": tools\[0\] and register\(\)\. Give one another name/,
      ),
    }),
  );
  expect(() => new ToolTable([named("a"), named("b"), named("a")])).toThrow("tools[0] and tools[2]");
});

test("what is refused, and where tools come from, is as it was given", () => {
  const plain = new ToolTable([named("a")]);
  expect([plain.isDynamic, plain.refused.size, plain.originOf("a")]).toEqual([false, 0, []]);
  plain.register(named("b"), "the toolset s", ["s", "b"]);
  expect(plain.originOf("b")).toEqual(["s", "b"]);
  const refused = new Set(["c"]);
  const source = { isDynamic: true, originOf: (name: string) => ["set", name] };
  const table = new ToolTable([named("a")], refused, source);
  expect([table.isDynamic, table.refused, table.originOf("a")]).toEqual([true, refused, ["set", "a"]]);
});

test("an incomplete tool is refused, and is not in the table", () => {
  const table = new ToolTable();
  const { inputSchema: _, ...rest } = named("a");
  expect(() => table.register(rest as Tool)).toThrow(expect.objectContaining({ code: "invalid-tool" }));
  expect(table.has("a")).toBe(false);
});

describe("what a model sees of a tool", () => {
  const specOf = (options: Parameters<typeof named>[1]): unknown =>
    new ToolTable([named("a", options)]).specs[0];

  test("is its name and its schema, and its description if there is one", () => {
    expect(specOf({})).toEqual({ name: "a", inputSchema: input });
    expect(specOf({ description: " Does a. " })).toEqual({
      name: "a",
      description: "Does a.",
      inputSchema: input,
    });
    expect(specOf({ description: " " })).toEqual({ name: "a", inputSchema: input });
  });

  test("is whether its schema is enforced, where that was decided", () => {
    expect(specOf({ strict: false })).toEqual({ name: "a", inputSchema: input, strict: false });
    expect(specOf({ strict: true })).toMatchObject({ strict: true });
  });

  test("is that it is deprecated, and why", () => {
    const description = "Does a.";
    expect(specOf({ description, deprecated: true })).toMatchObject({ description: "Does a. Deprecated." });
    expect(specOf({ description, deprecated: "Use b" })).toMatchObject({
      description: "Does a. Deprecated: Use b",
    });
    expect(specOf({ deprecated: true })).toMatchObject({ description: "Deprecated." });
    for (const deprecated of [false, ""] as const)
      expect(specOf({ description, deprecated })).toMatchObject({ description });
  });

  test("is nothing where another tool is used instead, as long as that is there", () => {
    const table = new ToolTable([named("a", { deprecated: { use: "b" } })]);
    expect(table.specs).toMatchObject([{ name: "a", description: "Deprecated." }]);
    table.register(named("b"));
    expect(table.names).toEqual(["b"]);
    expect(table.tools.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

test("what is read of a table is the same until a tool is added", () => {
  const table = new ToolTable([{ ...named("a"), warnings: ["is odd", "is slow"] }]);
  expect([table.specs, table.warnings]).toEqual([[expect.anything()], ["a: is odd", "a: is slow"]]);
  expect([table.specs === table.specs, table.warnings === table.warnings]).toEqual([true, true]);
  table.register({ ...named("b"), warnings: ["is new"] });
  expect([table.names, table.warnings]).toEqual([
    ["a", "b"],
    ["a: is odd", "a: is slow", "b: is new"],
  ]);
});

test("a table is guarded once a tool says who may use it, or what comes first", () => {
  const table = new ToolTable([named("a", { approval: true })]);
  expect(table.isGuarded).toBe(false);
  table.register(named("b", { requires: ["a"] }));
  expect(table.isGuarded).toBe(true);
  expect(new ToolTable([named("a", { allow: () => true })]).isGuarded).toBe(true);
  expect(new ToolTable().isGuarded).toBe(false);
});

test("calls are counted for the tools that there are", () => {
  const registered = named("a");
  const table = new ToolTable([registered]);
  const result = { toolCallId: "1", content: [], isError: false, outcome: "success" } as const;
  table.record({ ...result, toolName: "a" }, 5);
  table.record({ ...result, toolName: "a" }, 5, true);
  expect(() => table.record({ ...result, toolName: "b" }, 5)).not.toThrow();
  expect(statisticsOf(registered).report()).toMatchObject({ a: { calls: 2, cacheHits: 1 } });
  expect(Object.keys(statisticsOf(registered).report())).toEqual(["a"]);
});
