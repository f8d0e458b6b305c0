import { expect, test } from "vitest";
import { Agent, run, tool } from "../index.ts";
import { ScriptedModel } from "../testing/index.ts";
import { toolset } from "./toolset.ts";
import type { Tool, Toolset, ToolsetContext } from "./types.ts";

const scope: ToolsetContext = { context: { role: "guest" }, agent: undefined, messages: [] };
const named = (name: string, description = ""): Tool =>
  tool({ name, description, input: { type: "object", properties: {} }, execute: () => `${name} was called` });
const listed = (name: string, ...tools: readonly Tool[]): Toolset => ({ name, tools: () => tools });
const namesOf = async (set: Toolset): Promise<string[]> => (await set.tools(scope)).map(({ name }) => name);

test("tools, lists and sets become one set", async () => {
  const set = toolset([listed("github", named("search")), listed("web", named("search")), named("add")]);
  expect(await namesOf(set)).toEqual(["search", "web_search", "add"]);
});

test("each wrapper gives a new set and leaves the old one as it is", async () => {
  const plain = toolset([named("search"), named("remove")]);
  const wrapped = plain.filtered(["search"]).renamed({ search: "find" }).prefixed("web");
  expect(await namesOf(wrapped)).toEqual(["web_find"]);
  expect(await namesOf(plain)).toEqual(["search", "remove"]);
});

test("calls a filter with the context of each run", async () => {
  const set = toolset([named("read"), named("remove")]).filtered(
    ({ name }, { context }) => name === "read" || (context as { role?: string }).role === "admin",
  );
  expect(await namesOf(set)).toEqual(["read"]);
  const forAdmin = await set.tools({ ...scope, context: { role: "admin" } });
  expect(forAdmin.map(({ name }) => name)).toEqual(["read", "remove"]);
});

test("a set that has nothing new is the same list with the same tools", async () => {
  const set = toolset([named("a"), named("b")])
    .prefixed("x")
    .withTimeout(5)
    .filtered(() => true);
  expect(await set.tools(scope)).toBe(await set.tools(scope));
});

test("policies go before the tools' own", async () => {
  const strict = tool({ name: "a", timeout: 1, input: { type: "object", properties: {} } });
  const [made] = await toolset([strict])
    .withTimeout(2_000)
    .withApproval()
    .withPolicy({ retries: 1 })
    .tools(scope);
  expect(made?.policy).toEqual({ timeout: 2_000, approval: true, retries: 1 });
  expect(() => toolset([strict]).withTimeout(0)).toThrow(/timeout of withPolicy\(\) must be .*, not 0/);
});

test("closing a set closes those that it is made of", async () => {
  const closed: string[] = [];
  const closable = (name: string): Toolset => ({
    ...listed(name),
    close: async () => void closed.push(name),
  });
  await toolset([closable("one"), toolset(closable("two")).prefixed("x"), named("a")]).close();
  expect(closed).toEqual(["one", "two"]);
});

const catalogue = Array.from({ length: 2_000 }, (_, index) =>
  named(`report_${index}`, `Makes report ${index}`),
);

test("of 2,000 deferred tools the model sees one that searches, and what it has found", async () => {
  const tools = [
    toolset([...catalogue, named("convertCurrency", "Converts an amount of money")]).deferred({ limit: 3 }),
  ];
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "search_tools", arguments: { query: "convert money" } }] },
    { toolCalls: [{ toolName: "convertCurrency", arguments: {} }] },
    { text: "done" },
  ]);
  const agent = new Agent({ name: "Bank", model, tools });
  const result = await run(agent, "How many euros are 5 dollars?");
  const offered = model.requests.map(({ tools: specs = [] }) => specs.map(({ name }) => name));
  expect(offered).toEqual([
    ["search_tools"],
    ["search_tools", "convertCurrency"],
    ["search_tools", "convertCurrency"],
  ]);
  expect(model.requests[1]?.tools).toBe(model.requests[2]?.tools);

  const again = new ScriptedModel([{ text: "as before" }]);
  const { messages }: typeof result.state = JSON.parse(JSON.stringify(result.state));
  await run(agent.with({ model: again }), [...messages, { role: "user", content: "And 6?" }]);
  expect(again.requests[0]?.tools?.map(({ name }) => name)).toEqual(["search_tools", "convertCurrency"]);
});

test("what one conversation has found, another does not see", async () => {
  const set = toolset([named("convert", "Converts money"), named("add")]).deferred();
  const search = {
    toolCallId: "1",
    toolName: "search_tools",
    content: [],
    isError: false,
    outcome: "success",
  } as const;
  const found = {
    role: "tool",
    result: { ...search, structuredContent: { tools: [{ name: "add" }, { name: 5 }] } },
  } as const;
  expect((await set.tools({ ...scope, messages: [found] })).map(({ name }) => name)).toEqual([
    "search_tools",
    "add",
  ]);
  expect((await set.tools({ ...scope, messages: [] })).map(({ name }) => name)).toEqual(["search_tools"]);
});

test.each([undefined, null, { tools: [] }])("a set whose tools() returns %j is named", async (returned) => {
  const sets = [{ name: "crm", tools: async () => JSON.parse(JSON.stringify({ returned })).returned }];
  const agent = new Agent({ name: "Desk", model: new ScriptedModel(["Done."]), tools: sets });
  await expect(run(agent, "Go")).rejects.toMatchObject({
    code: "invalid-tool",
    message: expect.stringContaining('tools() of the toolset "crm" must return a list of tools, not'),
  });
});
