import { expect, test } from "vitest";
import { Agent, run, tool } from "../index.ts";
import { ScriptedModel } from "../testing/index.ts";
import { ToolRegistry } from "./registry.ts";
import type { Tool } from "./types.ts";

/** Says which version answers. */
function convert(version: string | undefined, answer: string): Tool {
  return tool({
    name: "convert",
    ...(version !== undefined && { version }),
    input: { type: "object", properties: {} },
    execute: () => answer,
  });
}

/** Adds two numbers. */
function add(left: number, right: number): number {
  return left + right;
}

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

test("a function is registered in one line and found by name", async () => {
  const registry = new ToolRegistry().tool(add, { tags: ["maths"] });
  expect(registry.has("add")).toBe(true);
  expect(namesOf(await registry.tagged("maths"))).toEqual(["add"]);
  expect(await registry.tagged("weather")).toEqual([]);
  expect((await registry.get("add"))?.description).toBe("Adds two numbers.");
});

test("an agent has the tools that are registered at each turn", async () => {
  const registry = new ToolRegistry().register(
    tool({
      name: "learn",
      input: { type: "object", properties: {} },
      execute: () => {
        registry.tool(add);
        registry.unregister("learn");
        return "learnt";
      },
    }),
  );
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "learn", arguments: {} }] },
    { toolCalls: [{ toolName: "add", arguments: { left: 2, right: 3 } }] },
    { text: "5" },
  ]);
  const result = await run(new Agent({ name: "Pupil", model, tools: [registry] }), "Learn, then add 2 and 3");
  expect(model.requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
    ["learn"],
    ["add"],
    ["add"],
  ]);
  expect(
    result.messages.flatMap((message) => (message.role === "tool" ? [message.result.isError] : [])),
  ).toEqual([false, false]);
});

test("a call that is under way keeps the tool that was unregistered meanwhile", async () => {
  const registry = new ToolRegistry();
  const slow = tool({
    name: "slow",
    input: { type: "object", properties: {} },
    execute: async () => {
      registry.unregister("slow");
      await Promise.resolve();
      return "done all the same";
    },
  });
  registry.register(slow);
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "slow", arguments: {} }] },
    { toolCalls: [{ toolName: "slow", arguments: {} }] },
    { text: "ok" },
  ]);
  const { messages } = await run(new Agent({ name: "A", model, tools: [registry] }), "go");
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  expect(results.map(({ outcome }) => outcome)).toEqual(["success", "unknown-tool"]);
});

test("versions stand side by side, and the newest is the default", async () => {
  const registry = new ToolRegistry().register(
    convert("1.9", "old"),
    convert("1.10", "new"),
    convert(undefined, "oldest"),
  );
  expect(registry.names).toEqual(["convert@1.9", "convert@1.10", "convert"]);
  const [listed] = await registry.tools();
  expect(listed?.annotations.version).toBe("1.10");
  expect((await registry.get("convert"))?.annotations.version).toBe("1.10");
  expect((await registry.get("convert@1.9"))?.annotations.version).toBe("1.9");
  expect(await registry.get("convert@2")).toBeUndefined();
});

test("a version is removed alone, a name with all of its versions", () => {
  const registry = new ToolRegistry().register(convert("1", "one"), convert("2", "two"));
  expect(registry.unregister("convert@2")).toBe(true);
  expect(registry.names).toEqual(["convert@1"]);
  expect(registry.unregister("convert")).toBe(true);
  expect(registry.unregister("convert")).toBe(false);
});

test("a clash is an error that names the way out, and nothing of the batch is registered", () => {
  const registry = new ToolRegistry().tool(add);
  expect(() => registry.register(convert("1", "one"), tool(add))).toThrow(
    /has a tool "add" already: unregister\("add"\)/,
  );
  expect(registry.names).toEqual(["add"]);
});

test("a value that is not a tool is refused", () => {
  const registry = new ToolRegistry();
  // @ts-expect-error -- a program without types may pass anything
  expect(() => registry.register({})).toThrow(/takes functions, tool/);
  // @ts-expect-error -- a program without types may pass anything
  expect(() => registry.register(new ToolRegistry())).toThrow(/list a toolset with the agent/);
  expect(() => registry.tool(() => 1)).toThrow(/without a name/);
});

test("a module is loaded with every tool that it exports", async () => {
  const registry = new ToolRegistry();
  const names = await registry.load({ add, convert: convert("3", "three"), limit: 7, Kit: Agent });
  expect(names).toEqual(["add", "convert@3"]);
  expect(namesOf(await registry.tools())).toEqual(["add", "convert"]);
});

test("a module is loaded from a URL while the program runs", async () => {
  const source =
    'export const one = { name: "one", inputSchema: { jsonSchema: {} }, annotations: {}, policy: {} };';
  const names = await new ToolRegistry().load(`data:text/javascript,${encodeURIComponent(source)}`);
  expect(names).toEqual(["one"]);
});

test("a relative path is refused with the way to write it", async () => {
  await expect(new ToolRegistry().load("./tools.ts")).rejects.toThrow(
    /new URL\("\.\/tools\.ts", import\.meta\.url\)/,
  );
  await expect(new ToolRegistry().load({ limit: 7 })).rejects.toThrow(/exports no tools, only: limit/);
});

test("tools are searched by what they do", async () => {
  const named = (name: string, description: string): Tool =>
    tool({ name, description, input: { type: "object", properties: {} }, execute: () => "" });
  const registry = new ToolRegistry().register(
    named("sendEmail", "Sends a message to a person"),
    named("getWeather", "Tells temperature and rain of a city"),
    named("list_invoices", "Lists the invoices of a customer"),
  );
  expect(namesOf(await registry.search("how warm is it, weather in Paris"))).toEqual(["getWeather"]);
  expect(namesOf(await registry.search("invoice"))).toEqual(["list_invoices"]);
  expect(namesOf(await registry.search("email", 1))).toEqual(["sendEmail"]);
  expect(await registry.search("zebra")).toEqual([]);
});

test("a search returns the best tools, no more than its limit: 5 unless it is set", async () => {
  const reports = Array.from({ length: 8 }, (_, index) =>
    tool({
      name: `report${index}`,
      description: index === 6 ? "Report, report, report" : "Prints a report of the sales in a year",
      input: { type: "object", properties: {} },
      execute: () => "",
    }),
  );
  const registry = new ToolRegistry().register(...reports);
  expect(await registry.search("report")).toHaveLength(5);
  expect(await registry.search("report", 7)).toHaveLength(7);
  expect(await registry.search("report", 20)).toHaveLength(8);
  expect(namesOf(await registry.search("report", 1))).toEqual(["report6"]);
});

test("whether there is a tool, or a version of one, is known by its name", () => {
  const registry = new ToolRegistry().register(convert("1", "one"));
  expect([registry.has("convert"), registry.has("convert@1")]).toEqual([true, true]);
  expect([registry.has("convert@2"), registry.has("conv"), registry.has("toString")]).toEqual([
    false,
    false,
    false,
  ]);
});

test("errors of a registry have their code, and a clash the name of the tool", () => {
  const registry = new ToolRegistry("mine").register(convert("1", "one"));
  expect(registry.name).toBe("mine");
  expect(new ToolRegistry().name).toBe("registry");
  expect(() => registry.register(convert("1", "again"))).toThrow(
    expect.objectContaining({ code: "name-clash", data: { name: "convert@1" } }),
  );
  expect(() => registry.register(convert("2", "two"), convert("2", "two"))).toThrow(
    'has a tool "convert@2" already',
  );
  expect(() => registry.tool(() => 1)).toThrow(expect.objectContaining({ code: "invalid-tool" }));
  expect(() => registry.register(7 as never)).toThrow(expect.objectContaining({ code: "invalid-tool" }));
  // A program without types may pass a definition.
  const definition = { name: "pay", input: { type: "object" }, execute: () => "" };
  expect(registry.tool(definition as never).names).toEqual(["convert@1", "pay"]);
});

test("the list of tools is the same until one comes or goes", async () => {
  const registry = new ToolRegistry().tool(add);
  const first = await registry.tools();
  expect(await registry.tools()).toBe(first);
  registry.register(convert("1", "one"));
  const second = await registry.tools();
  expect(namesOf(second)).toEqual(["add", "convert"]);
  expect(second[0], "what is derived stays").toBe(first[0]);
  registry.unregister("convert");
  expect(namesOf(await registry.tools())).toEqual(["add"]);
  expect(await registry.get("add")).toBe(first[0]);
});

test("a function whose schema cannot be found is looked for again", async () => {
  const hidden = new Function("a", "return a") as (a: string) => string;
  const registry = new ToolRegistry().tool(hidden, { name: "hidden" });
  const first = registry.tools();
  await expect(first).rejects.toThrow("No schema is found");
  const second = registry.tools();
  expect(second).not.toBe(first);
  await expect(second).rejects.toThrow("No schema is found");
});

test("calls are counted for each version by itself", async () => {
  const registry = new ToolRegistry().register(convert("1", "one"), convert("2", "two")).tool(add);
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "convert", arguments: {} }] }, { text: "ok" }]);
  await run(new Agent({ name: "A", model, tools: [registry] }), "go");
  expect(registry.stats()).toMatchObject({
    "convert@1": { calls: 0 },
    "convert@2": { calls: 1 },
    add: { calls: 0 },
  });
});

test("functions without a name that a module exports are called as it exports them", async () => {
  const anonymous = [(left: number): number => left][0];
  const registry = new ToolRegistry();
  expect(await registry.load({ double: anonymous, set: new ToolRegistry(), nothing: null })).toEqual([
    "double",
  ]);
  await expect(new ToolRegistry().load({})).rejects.toThrow("exports no tools, only: nothing.");
  await expect(new ToolRegistry().load({ a: 1, b: 2 })).rejects.toMatchObject({
    code: "invalid-tool",
    message: "The module exports no tools, only: a, b.",
  });
});

test.each(["/tools.ts", "./tools.ts", "../tools.ts"])(
  "%s is refused, whatever folder it is meant from",
  async (path) => {
    await expect(new ToolRegistry().load(path)).rejects.toMatchObject({ code: "invalid-tool" });
  },
);

test("a module is loaded from a URL that is an object", async () => {
  const source = 'export const one = { name: "one", inputSchema: { jsonSchema: {} }, annotations: {} };';
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  expect(await new ToolRegistry().load(url)).toEqual(["one"]);
});
