import { expect, test } from "vitest";
import {
  Agent,
  executeToolCalls,
  result,
  run,
  tool,
  toolset,
  type ToolAnnotations,
  type ToolArguments,
  type ToolPolicy,
} from "skein";
import { ScriptedModel } from "skein/testing";
import { resultsOf, textsOf, type Turns } from "./test-clerk.ts";

interface Visitor {
  readonly isAdmin?: boolean;
}

const input = { type: "object", properties: {} } as const;

/** An agent with a tool for administrators, one that makes the visitor one, and one for everybody. */
function desk(
  turns: Turns,
  policy: ToolPolicy<ToolArguments, Visitor> = { allow: ({ context }) => context.isAdmin === true },
) {
  const done: string[] = [];
  const erase = tool({
    name: "erase",
    description: "Erase everything.",
    input: { ...input, properties: { table: { type: "string" } }, required: ["table"] },
    ...policy,
    execute: () => `${done.push("erase")} done`,
  });
  const login = tool({
    name: "login",
    input,
    execute: () => result({ value: "welcome", context: { isAdmin: true } }),
  });
  const logout = tool({
    name: "logout",
    input,
    execute: () => result({ value: "goodbye", context: { isAdmin: false } }),
  });
  const model = new ScriptedModel(turns);
  return { agent: new Agent({ name: "Desk", model, tools: [erase, login, logout] }), model, done };
}

const erase = { toolName: "erase", arguments: { table: "all" } };
const namesIn = (model: ScriptedModel) => model.requests.map(({ tools }) => tools?.map(({ name }) => name));

test("a tool is there as long as the context allows it, which a tool can change", async () => {
  const { agent, model, done } = desk([
    { toolCalls: [erase, { toolName: "login" }] },
    { toolCalls: [erase, { toolName: "logout" }] },
    { toolCalls: [erase] },
    "Done.",
  ]);
  const ended = await run(agent, "go");
  expect(namesIn(model)).toEqual([
    ["login", "logout"],
    ["erase", "login", "logout"],
    ["login", "logout"],
    ["login", "logout"],
  ]);
  expect(resultsOf(ended).map(({ outcome }) => outcome)).toEqual([
    "denied",
    "success",
    "success",
    "success",
    "denied",
  ]);
  expect(done).toEqual(["erase"]);
});

test("a model reads the same of a refused tool as of an unknown one", async () => {
  const other = { toolName: "axolotl", arguments: { table: "all" } };
  const wrong = { toolName: "erase", arguments: {} };
  const turns = [{ toolCalls: [erase, wrong, other] }, { toolCalls: [erase, wrong, other] }, "Done."];
  const { agent, done } = desk(turns);
  const texts = textsOf(await run(agent, "go", { maxCorrections: 10 }));
  const [first, second, third, ...repeated] = texts;
  expect(first).toBe(
    'There is no tool named "erase". The tools are: "login", "logout". Call one of them, or answer without a tool.',
  );
  expect(second).toBe(first);
  expect(third).toBe(first?.replace("erase", "axolotl"));
  expect(repeated.map((text) => text.replace("erase", "axolotl"))).toEqual([...Array(3).fill(repeated[2])]);
  expect(done).toEqual([]);
});

test("the list of tools is the same from turn to turn as long as the same ones are allowed", async () => {
  const { agent, model } = desk([
    { toolCalls: [{ toolName: "login" }] },
    { toolCalls: [erase] },
    "Done.",
    "Hello.",
  ]);
  await run(agent, "go");
  await run(agent, "go", { context: { isAdmin: true } });
  const [none, once, twice, again] = model.requests.map(({ tools }) => tools);
  expect(twice).toBe(once);
  expect(again).toBe(once);
  expect(none).not.toBe(once);
});

test.each([
  ["throws", () => expect.fail("the directory is down")],
  ["rejects", () => Promise.reject(new Error("the directory is down"))],
  ["gives nothing", () => undefined as never],
])("a tool is refused if the function that allows it %s", async (how, allow) => {
  const { agent, model, done } = desk([{ toolCalls: [erase] }, "Done."], { allow });
  const ended = await run(agent, "go");
  expect(namesIn(model)[0]).toEqual(["login", "logout"]);
  expect(resultsOf(ended)).toMatchObject([{ outcome: "denied" }]);
  expect(done).toEqual([]);
  const warning = "The tool erase is refused, because its allow failed: the directory is down";
  expect(ended.warnings).toEqual(how === "gives nothing" ? [] : [warning]);
});

test("a tool that has to be called first is not forced upon a model that may not use it", async () => {
  const { agent, model } = desk(["Hello.", "Hello."]);
  const forced = agent.with({ toolChoice: { tool: "erase" } });
  await run(forced, "go");
  await run(forced, "go", { context: { isAdmin: true } });
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", { tool: "erase" }]);
});

test("what a tool calls on behalf of the model is refused, too", async () => {
  const { agent, model: _, done } = desk([]);
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer" }] }, "Done."]);
  const outer = tool({ name: "outer", input, execute: (__, { call }) => call("erase", { table: "all" }) });
  const ended = await run(agent.with({ model, tools: [outer, ...(agent.tools as [])] }), "go");
  expect(textsOf(ended)[0]).toContain('There is no tool named "erase"');
  expect(done).toEqual([]);
});

test("permission is looked at again before a call that waited for approval", async () => {
  const { agent, done } = desk([{ toolCalls: [erase] }, "Done."], {
    allow: ({ context }) => context.isAdmin === true,
    approval: true,
  });
  const paused = await run(agent, "go", { context: { isAdmin: true } });
  const approvals = [{ approvalId: paused.pending[0]?.approvalId ?? "", decision: "approve" as const }];
  const resumed = await run(agent, paused.state, { approvals, context: { isAdmin: false } });
  expect(resultsOf(resumed)).toMatchObject([{ outcome: "denied" }]);
  expect(done).toEqual([]);
});

test("outside a run, the context given decides", async () => {
  const { agent, done } = desk([]);
  const calls = [{ toolCallId: "1", toolName: "erase", arguments: '{"table":"all"}' }];
  const [refused] = await executeToolCalls(calls, agent.tools);
  const [allowed] = await executeToolCalls(calls, agent.tools, { context: { isAdmin: true } });
  expect([refused?.outcome, allowed?.outcome, done]).toEqual(["denied", "success", ["erase"]]);
});

test("a search finds no tool that is refused", async () => {
  const { agent } = desk([]);
  const search = { toolName: "search_tools", arguments: { query: "erase everything" } };
  const model = new ScriptedModel([{ toolCalls: [search] }, { toolCalls: [erase] }, "Done."]);
  const shop = agent.with({ model, tools: [toolset(agent.tools).deferred()] });
  const refused = await run(shop, "go");
  expect(resultsOf(refused)[0]?.structuredContent).toMatchObject({ tools: [] });
  const again = new ScriptedModel([{ toolCalls: [search] }, { toolCalls: [erase] }, "Done."]);
  const allowed = await run(shop.with({ model: again }), "go", { context: { isAdmin: true } });
  expect(resultsOf(allowed).map(({ outcome }) => outcome)).toEqual(["success", "success"]);
});

test("a run that is cancelled during the permission check ends", async () => {
  const controller = new AbortController();
  const { agent, model } = desk([], {
    allow: () => {
      controller.abort();
      return new Promise<boolean>(() => undefined);
    },
  });
  const cancelled = await run(agent, "go", { signal: controller.signal });
  expect([cancelled.status, model.requests.length, cancelled.warnings]).toEqual(["cancelled", 0, []]);
});

test("a tool cannot give a context another prototype, and with it a permission", async () => {
  const changes: object = JSON.parse('{"__proto__":{"isAdmin":true}}');
  const learn = tool({
    name: "learn",
    input: { type: "object", properties: {} },
    execute: () => result({ value: "learned", context: changes }),
  });
  const erase = tool({
    name: "erase",
    input: { type: "object", properties: {} },
    allow: ({ context }: { context: { readonly isAdmin?: boolean } }) => context.isAdmin === true,
    execute: () => "erased",
  });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "learn" }] },
    { toolCalls: [{ toolName: "erase" }] },
    "done",
  ]);
  const agent = new Agent<{ isAdmin?: boolean }>({ name: "A", model, tools: [learn, erase] });
  const { context, messages } = await run(agent, "go", { context: {} });
  expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
  expect(context.isAdmin).toBeUndefined();
  expect(JSON.stringify(messages)).not.toContain("erased");
});

test("a deprecated tool may be used only by those who may use the one to use instead", async () => {
  const executed: string[] = [];
  const logged = (name: string, options: Pick<ToolPolicy, "allow"> & ToolAnnotations) =>
    tool({ name, input, execute: () => executed.push(name), ...options });
  const tools = [
    logged("oldest", { deprecated: { use: "older" } }),
    logged("older", { deprecated: { use: "newest" } }),
    logged("newest", { allow: () => false }),
    logged("other", {}),
  ];
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "oldest" }, { toolName: "older" }] }, "Done."]);
  const erased = await run(new Agent({ name: "Desk", model, tools }), "Erase");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["other"]);
  expect(executed).toEqual([]);
  expect(resultsOf(erased).map(({ outcome }) => outcome)).toEqual(["denied", "denied"]);
});
