import { expect, test } from "vitest";
import { tool } from "./define.ts";
import { resolveTools } from "./register-tools.ts";
import { keepOrigin, originWithin, renameTools, toolFrom } from "./rename-tools.ts";
import { toolset } from "./toolset.ts";
import type { Tool, Toolset } from "./types.ts";

const named = (name: string): Tool =>
  tool({ name, input: { type: "object", properties: {} }, execute: () => name });
const listed = (name: string, ...tools: readonly Tool[]): Toolset => ({ name, tools: () => tools });

/** A function of the program. */
function pay(amount: number): number {
  return amount;
}

test("tools of every kind are registered in order, each with where it comes from", async () => {
  const table = await resolveTools([listed("bank", named("send")), pay, named("add")]);
  expect(table.names).toEqual(["send", "pay", "add"]);
  expect(table.names.map((name) => table.originOf(name))).toEqual([["bank", "send"], [], []]);
  expect(table.isDynamic).toBe(true);
  expect((await resolveTools([pay])).isDynamic).toBe(false);
  expect((await resolveTools(listed("bank", named("send")))).names).toEqual(["send"]);
});

test("of sets of one name each is known by its place among them", async () => {
  const table = await resolveTools([
    listed("bank", named("a")),
    listed("shop", named("b")),
    listed("bank", named("c")),
  ]);
  expect(table.names.map((name) => table.originOf(name))).toEqual([
    ["bank 1/2", "a"],
    ["shop", "b"],
    ["bank 2/2", "c"],
  ]);
});

test("a tool of a set whose name is taken gets the name of its set in front", async () => {
  const table = await resolveTools([
    listed("bank", named("pay"), named("a")),
    pay,
    listed("shop", named("a")),
  ]);
  expect(table.names).toEqual(["bank_pay", "a", "pay", "shop_a"]);
  expect(table.originOf("bank_pay")).toEqual(["bank", "pay"]);
  const both = await resolveTools([listed("bank", named("pay")), pay, named("bank_pay")]);
  expect(both.names).toEqual(["bank_pay_2", "pay", "bank_pay"]);
  expect(both.originOf("bank_pay_2")).toEqual(["bank", "pay"]);
});

test("toolsets are asked with the context of the caller", async () => {
  const seen: unknown[] = [];
  const set: Toolset = { name: "bank", tools: (context) => (seen.push(context), []) };
  await resolveTools([set]);
  await resolveTools([set], { context: { user: "Ada" } });
  expect(seen).toEqual([
    { context: {}, agent: undefined, messages: [], path: ["bank"] },
    { context: { user: "Ada" }, agent: undefined, messages: [], path: ["bank"] },
  ]);
});

test("within a set of sets, a tool comes from its set, and from the only one as if there were no other", async () => {
  const scope = { context: {}, agent: undefined, messages: [] };
  const originsOf = async (set: Toolset): Promise<unknown> => (await set.tools(scope)).map(originWithin);
  expect(await originsOf(toolset([named("a"), listed("bank", named("b"))]))).toEqual([
    ["", "a"],
    ["bank", "b"],
  ]);
  expect(
    await originsOf(
      toolset([listed("bank", named("b"))])
        .prefixed("x")
        .withTimeout(5),
    ),
  ).toEqual([["b"]]);
  expect(
    await originsOf(toolset([toolset([listed("bank", named("b")), named("a")]).prefixed("x"), named("c")])),
  ).toEqual([
    ["toolset", "bank", "b"],
    ["toolset", "", "a"],
    ["", "c"],
  ]);
});

test("a tool comes from where it was first said to, and a copy from where its tool does", () => {
  const [a, b] = [named("a"), named("b")];
  expect(originWithin(a)).toEqual(["a"]);
  const placed = toolFrom(a, ["bank", "a"]);
  expect(placed).not.toBe(a);
  expect([originWithin(placed), originWithin(a)]).toEqual([["bank", "a"], ["a"]]);
  expect(toolFrom(a, ["bank", "a"])).toBe(placed);
  expect(toolFrom(a, ["shop", "a"])).not.toBe(placed);
  expect(originWithin(keepOrigin({ ...b }, placed))).toEqual(["bank", "a"]);
  expect(originWithin(keepOrigin(placed, b))).toEqual(["bank", "a"]);
});

test("what a class made is the same object wherever it comes from first", () => {
  class Own {
    readonly name = "own";
    readonly inputSchema = named("x").inputSchema;
    readonly annotations = {};
    readonly policy = {};
  }
  const own = new Own();
  expect(toolFrom(own, ["bank", "own"])).toBe(own);
  expect(toolFrom(own, ["shop", "own"])).toBe(own);
  expect(originWithin(own)).toEqual(["bank", "own"]);
});

test("tools are renamed with what they refer to, once for each name, and the others stay", () => {
  const pay = tool({
    name: "pay",
    input: { type: "object" },
    requires: ["login", "other"],
    deprecated: { use: "send" },
  });
  const plain = named("login");
  const tools = [plain, pay, named("send")];
  expect(renameTools(tools, ["login", "pay", "send"])).toBe(tools);
  const renamed = renameTools(tools, ["x_login", "pay", "x_send"]);
  expect(renamed[1]).toMatchObject({
    name: "pay",
    policy: { requires: ["x_login", "other"] },
    annotations: { deprecated: { use: "x_send" } },
  });
  expect(renameTools(tools, ["x_login", "pay", "x_send"])[1]).toBe(renamed[1]);
  expect(renamed[0]?.policy).toBe(plain.policy);
  const some = renameTools(tools, ["login", "pay", "x_send"]);
  expect(some[0]).toBe(plain);
  expect(some[1]).toMatchObject({ policy: { requires: ["login", "other"] } });
  const [first, second] = renameTools(
    [named("a"), named("a"), tool({ name: "b", input: { type: "object" }, requires: ["a"] })],
    ["x", "y", "b"],
  );
  expect([first?.name, second?.name]).toEqual(["x", "y"]);
});
