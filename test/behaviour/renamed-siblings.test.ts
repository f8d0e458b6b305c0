/** A tool calls others by the names that the model sees, also where a toolset renames it and them. */
import { Agent, run, tool, toolset } from "skein";
import { expect, test } from "vitest";
import { calls, does, effects, empty } from "./test-nested.ts";

const order = (name: string) =>
  tool({ name: "order", input: empty, execute: (_, context) => context.call(name, {}) });
const shop = (name: string) => toolset([order(name), does("pay")]);

test.each([
  ["prefixed", (name: string) => shop(name).prefixed("shop"), "shop_pay"],
  ["renamed", (name: string) => shop(name).renamed({ order: "shop_order", pay: "settle_pay" }), "settle_pay"],
])("in a toolset that is %s, another tool has the new name", async (_title, tools, name) => {
  const agent = (called: string): Agent =>
    new Agent({ name: "A", model: calls("shop_order"), tools: [tools(called)] });
  expect((await run(agent(name), "go")).text).toContain("pay is done");
  expect(effects).toEqual(["pay"]);
  const { text } = await run(agent("pay"), "go");
  expect(text).toContain(name);
  expect(effects).toEqual(["pay"]);
});
