import { expect, test } from "vitest";
import { tool } from "./define.ts";
import { keepNames, type NameKeeper } from "./keep-names.ts";
import { ToolTable } from "./table.ts";
import { ToolNames } from "./tool-names.ts";
import type { Tool } from "./types.ts";

const named = (name: string, requires?: readonly string[]): Tool =>
  tool({ name, input: { type: "object" }, execute: () => "", ...(requires && { requires }) });

/** A table of tools with where each comes from: nothing for a function of the program. */
function tableOf(...tools: readonly (readonly [tool: Tool, ...origin: readonly string[]])[]): ToolTable {
  const table = new ToolTable([], new Set(["refused"]), { isDynamic: true, originOf: () => undefined });
  for (const [each, ...origin] of tools) table.register(each, "here", origin);
  return table;
}

function keeperOf(
  names: ToolNames,
  isResumed = false,
): NameKeeper & { readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  return { agent: "A", names, isResumed, warn: (message) => void warnings.push(message), warnings };
}

test("where no tool was called, all keep their names and places", () => {
  const pay = named("pay");
  const table = keepNames(tableOf([pay, "bank", "pay"], [named("add")]), keeperOf(new ToolNames()));
  expect(table.names).toEqual(["pay", "add"]);
  expect(table.get("pay")).toBe(pay);
  expect([table.originOf("pay"), table.originOf("add"), table.isDynamic]).toEqual([
    ["bank", "pay"],
    [],
    true,
  ]);
  expect(table.refused).toEqual(new Set(["refused"]));
});

test("a tool of a toolset has the name it was called by, and those that refer to it follow", () => {
  const names = new ToolNames();
  names.set("A", "bank_pay", ["bank", "pay"]);
  names.set("A", "later", ["bank", "pay"]);
  names.set("B", "other", ["bank", "pay"]);
  const table = keepNames(
    tableOf([named("pay"), "bank", "pay"], [named("refund", ["pay"]), "bank", "refund"]),
    keeperOf(names),
  );
  expect(table.names).toEqual(["bank_pay", "refund"]);
  expect(table.get("refund")?.policy.requires).toEqual(["bank_pay"]);
});

test("a tool whose name was that of another set's tool gets its set's name in front, without its place", () => {
  const names = new ToolNames();
  names.set("A", "pay", ["bank 1/2", "pay"]);
  const table = keepNames(tableOf([named("pay"), "bank 12/12", "pay"]), keeperOf(names));
  expect(table.names).toEqual(["bank_pay"]);
  const odd = keepNames(tableOf([named("pay"), "bank 1/2 x", "pay"]), keeperOf(names));
  expect(odd.names).toEqual(["bank 1/2 x_pay"]);
});

test("one whose names are all those of other tools is left out, with a warning", () => {
  const names = new ToolNames();
  names.set("A", "pay", ["bank", "pay"]);
  names.set("A", "shop_pay", ["other", "pay"]);
  const keeper = keeperOf(names);
  const table = keepNames(tableOf([named("pay"), "shop", "pay"], [named("add"), "shop", "add"]), keeper);
  expect(table.names).toEqual(["add"]);
  expect(keeper.warnings).toEqual([
    "The tool pay is left out: this run has called another tool by that name, which comes from a toolset.",
  ]);
});

test("a function of the program takes a toolset's name in a new run, and not in one that goes on", () => {
  const names = (): ToolNames => {
    const called = new ToolNames();
    called.set("A", "pay", ["bank", "pay"]);
    return called;
  };
  const tools = tableOf([named("pay")]);
  expect(keepNames(tools, keeperOf(names())).names).toEqual(["pay"]);
  const keeper = keeperOf(names(), true);
  expect(keepNames(tools, keeper).names).toEqual([]);
  expect(keeper.warnings).toHaveLength(1);
});

test("a toolset's tool does not take the name of the program's function in a new run", () => {
  const names = new ToolNames();
  names.set("A", "pay", ["bank", "pay"]);
  const table = keepNames(tableOf([named("other"), "bank", "pay"], [named("pay")]), keeperOf(names));
  expect(table.names).toEqual(["other", "pay"]);
});

test("the table is the same until the tools or the names change", () => {
  const names = new ToolNames();
  const from = tableOf([named("pay"), "bank", "pay"]);
  const first = keepNames(from, keeperOf(names));
  expect(keepNames(from, keeperOf(names))).toBe(first);
  names.set("A", "bank_pay", ["bank", "pay"]);
  const second = keepNames(from, keeperOf(names));
  expect(second.names).toEqual(["bank_pay"]);
  expect(keepNames(tableOf([named("add")]), keeperOf(names)).names).toEqual(["add"]);
});
