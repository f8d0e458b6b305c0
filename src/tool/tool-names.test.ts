import { expect, test } from "vitest";
import { ToolTable } from "./table.ts";
import { tool } from "./define.ts";
import { ToolNames } from "./tool-names.ts";

const table = (
  isDynamic: boolean,
  ...tools: readonly (readonly [name: string, origin: readonly string[]])[]
): ToolTable => {
  const created = new ToolTable([], undefined, { isDynamic, originOf: () => undefined });
  for (const [name, origin] of tools)
    created.register(tool({ name, input: { type: "object" }, execute: () => "" }), "here", origin);
  return created;
};

test("a name leads where it first led, for each agent by itself", () => {
  const names = new ToolNames();
  names.set("A", "pay", ["bank", "pay"]);
  names.set("A", "pay", ["shop", "pay"]);
  names.set("B", "pay", ["shop", "pay"]);
  names.set("A", "none", undefined);
  expect(names.entries).toEqual([
    { agent: "A", toolName: "pay", origin: ["bank", "pay"] },
    { agent: "B", toolName: "pay", origin: ["shop", "pay"] },
  ]);
  expect([names.originOf("A", "pay"), names.originOf("B", "pay"), names.originOf("C", "pay")]).toEqual([
    ["bank", "pay"],
    ["shop", "pay"],
    undefined,
  ]);
  names.release("A", "pay");
  expect(names.originOf("A", "pay")).toBeUndefined();
  expect(names.originOf("B", "pay")).toEqual(["shop", "pay"]);
});

test("only a table that may change is noted, and calls without an agent are those of none", () => {
  const names = new ToolNames();
  names.note("A", "pay", table(false, ["pay", []]));
  expect(names.entries).toEqual([]);
  names.note("A", "pay", table(true, ["pay", ["bank", "pay"]]));
  names.note(undefined, "pay", table(true, ["pay", []]));
  names.note("A", "none", table(true));
  expect(names.entries).toEqual([
    { agent: "A", toolName: "pay", origin: ["bank", "pay"] },
    { agent: "", toolName: "pay", origin: [] },
  ]);
  expect(names.originOf(undefined, "pay")).toEqual([]);
});

test("what is assumed is the agent's own tool, and is not stored", () => {
  const names = new ToolNames();
  names.set("A", "pay", ["bank", "pay"]);
  names.assume("A", "pay");
  names.assume("A", "add");
  expect(names.originOf("A", "pay")).toEqual(["bank", "pay"]);
  expect(names.originOf("A", "add")).toEqual([]);
  expect(names.entries.map(({ toolName }) => toolName)).toEqual(["pay", "add"]);
  expect(names.stored.map(({ toolName }) => toolName)).toEqual(["pay"]);
});

test("the names of a state take the place of those before", () => {
  const names = new ToolNames();
  names.set("A", "old", []);
  const stored = [{ agent: "A", toolName: "pay", origin: ["bank", "pay"] }];
  names.continueFrom(stored);
  expect(names.entries).toEqual(stored);
  names.continueFrom();
  expect(names.entries).toEqual([]);
});

test("calls by a name were for the tools that it led to, of the agent if that is known", () => {
  const names = new ToolNames();
  names.set("A", "pay", ["bank", "pay"]);
  names.set("B", "pay", ["shop", "pay"]);
  names.set("B", "add", []);
  expect(names.originsOf("pay", undefined)).toEqual([
    ["bank", "pay"],
    ["shop", "pay"],
  ]);
  expect(names.originsOf("pay", "B")).toEqual([["shop", "pay"]]);
  expect(names.originsOf("add", "A")).toEqual([[]]);
  expect(new ToolNames(false).originsOf("add", "A")).toBeUndefined();
});

test("names fit a table where each of the agent's leads to the same tool", () => {
  const names = new ToolNames();
  names.set("A", "pay", ["bank", "pay"]);
  names.set("A", "add", []);
  names.set("B", "gone", ["bank", "gone"]);
  expect(names.fit("A", table(true, ["pay", ["bank", "pay"]], ["add", []]))).toBe(true);
  expect(names.fit("A", table(true, ["pay", ["shop", "pay"]], ["add", []]))).toBe(false);
  expect(names.fit("A", table(true, ["pay", ["bank", "pay"]]))).toBe(false);
  expect(names.fit("B", table(true))).toBe(false);
  expect(names.fit("C", table(true))).toBe(true);
});
