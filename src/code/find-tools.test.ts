import { expect, test } from "vitest";
import { Agent, run, tool, type Tool } from "skein";
import { codeMode, type CodeModeOptions } from "skein/code";
import { FunctionModel } from "skein/testing";
import { textsOf } from "./test-run.ts";

const define = (name: string, description: string, execute: (input: unknown) => unknown = () => name): Tool =>
  tool({
    name,
    description,
    input: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    output: { type: "string" },
    execute,
  });

const many = (count: number): Tool[] =>
  Array.from({ length: count }, (_, index) => define(`tool${index}`, `Does the thing number ${index}.`));

const shop = [
  ...many(31),
  define("refundOrder", "Give the money for an order back."),
  define("findOrders", "Find the orders of a user."),
];

/** What the model sees of the tool. */
async function descriptionOf(tools: readonly Tool[], options?: CodeModeOptions): Promise<string | undefined> {
  let description: string | undefined;
  const model = new FunctionModel(({ tools: specs = [] }) => {
    description = specs[0]?.description;
    return "Done.";
  });
  await run(new Agent({ name: "A", model, tools: [codeMode(tools, options)] }), "Go.");
  return description;
}

test("above thirty tools the description is the same, whichever there are", async () => {
  const description = await descriptionOf(shop);
  expect(await descriptionOf(many(40))).toBe(description);
  expect(description).toContain("search(words: string, limit?: number)");
  expect(description).not.toContain("tool3");
  expect(await descriptionOf(many(30))).toContain("tool29");
  expect(await descriptionOf(many(30), { search: true })).toBe(description);
  expect(await descriptionOf(shop, { search: false })).toContain("refundOrder");
});

test("a program finds tools, reads their declarations and calls them", async () => {
  const texts = await textsOf(
    [
      "return await tools.search('refund an order', 1);",
      "return await tools.describe('findOrders');",
      "const [{ name }] = await tools.search('refund an order'); return [name, await tools.refundOrder({ id: 1 })];",
      "try { await tools.describe('refundOrdr') } catch (error) { return error.message }",
    ],
    shop,
    {},
  );
  const declaration = "tools.refundOrder(input: { id: number }): Promise<string>;";
  expect(JSON.parse(texts[0] ?? "")).toEqual([
    { name: "refundOrder", declaration: `/** Give the money for an order back. */\n${declaration}` },
  ]);
  expect(texts[1]).toBe(
    "/** Find the orders of a user. */\ntools.findOrders(input: { id: number }): Promise<string>;",
  );
  expect(texts[2]).toBe('["refundOrder","refundOrder"]');
  expect(texts[3]).toBe('Unknown tool "refundOrdr". Did you mean "refundOrder"?');
});

test("calls are checked where the tools are not in the description", async () => {
  const [text] = await textsOf(["return await tools.refundOrder({ order: 1 });"], shop, {});
  expect(text).toContain("'order' does not exist");
  expect(text).toContain("The declaration: tools.refundOrder(input: { id: number }): Promise<string>;");
});

test("a tool that is called as a search is has another name for programs", async () => {
  const own = [define("search", "Search the web."), define("search_tool", "Search for tools in shops.")];
  expect(
    await textsOf(
      ["return await tools.search_tool_tool({ id: 1 });", "return (await tools.search('web', 1))[0].name;"],
      own,
      { search: true, check: false },
    ),
  ).toEqual(["search", "search_tool_tool"]);
});

test("searches count as calls, and return twenty tools at most", async () => {
  const texts = await textsOf(
    [
      "return (await tools.search('thing number', 1000)).length;",
      "for (let i = 0; i < 5; i++) await tools.search('thing');",
    ],
    many(40),
    { check: false, limits: { calls: 3 } },
  );
  expect(texts[0]).toBe("20");
  expect(texts[1]).toContain("a program may make 3 calls");
});
