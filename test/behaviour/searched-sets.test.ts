/** What a search of a set answers can be called from then on, by the names that it says, and by no other tool's. */
import { Agent, run, tool, toolset, type Message, type Tool, type ToolSource, type Toolset } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";
import { effects, empty, plain } from "./test-nested.ts";

/** A tool that notes whose it is. */
const of = (owner: string, name: string): Tool =>
  tool({
    name,
    description: `The ${name} of ${owner}`,
    input: empty,
    execute: () => {
      effects.push(`${name} of ${owner}`);
      return name;
    },
  });

const searched = (set: string, ...names: readonly string[]): ReturnType<typeof toolset> =>
  toolset(
    names.map((name) => of(set, name)),
    set,
  ).deferred();

const search = (
  toolName: string,
  query: string,
): { readonly toolName: string; readonly arguments: { readonly query: string } } => ({
  toolName,
  arguments: { query },
});

/** The names of the last answer of a search. */
function answered(messages: readonly Message[]): readonly string[] {
  const last = messages.findLast(
    (message) => message.role === "tool" && JSON.stringify(message.result.content).includes("tools"),
  );
  const [part] = last?.role === "tool" ? last.result.content : [];
  const { tools = [] }: { tools?: readonly { name: string }[] } =
    part?.type === "text" ? JSON.parse(part.text) : {};
  return tools.map(({ name }) => name);
}

const offered = (model: ScriptedModel, turn: number): readonly string[] =>
  model.requests[turn]?.tools?.map(({ name }) => name) ?? [];

/** Searches, and calls the first tool of the answer. */
async function callFound(tools: readonly ToolSource[], searches: string, query: string): Promise<string> {
  const first = new ScriptedModel([{ toolCalls: [search(searches, query)] }, "Well."]);
  const agent = new Agent({ name: "A", model: first, tools });
  const { messages, state } = await run(agent, "go");
  const [name = "none"] = answered(messages);
  expect(offered(first, 1)).toContain(name);
  const second = new ScriptedModel([{ toolCalls: [{ toolName: name }] }, "Done."]);
  await run(agent.with({ model: second }), plain(state).messages.concat({ role: "user", content: "on" }));
  expect(offered(second, 0)).toEqual(offered(first, 1));
  return name;
}

const crm = (): ReturnType<typeof toolset> => searched("crm", "clients", "leads");
const searchAlone = of("own", "search_tools");

test.each<[string, readonly ToolSource[], string, string]>([
  ["of its own name", [crm()], "search_tools", "clients"],
  ["of another name", [crm().renamed({ search_tools: "find" })], "find", "clients"],
  ["of a name with a prefix", [crm().prefixed("q")], "q_search_tools", "q_clients"],
  ["of a second set", [searched("shop", "carts"), crm()], "crm_search_tools", "clients"],
  ["beside an own tool of that name", [searchAlone, crm()], "crm_search_tools", "clients"],
  [
    "in a set of sets",
    [toolset([searched("shop", "carts"), crm()]).prefixed("all")],
    "all_crm_search_tools",
    "all_clients",
  ],
  ["of a second set of one name", [searched("crm", "carts"), crm()], "crm_search_tools", "clients"],
  ["in a set of a program's own", [set("mine", crm())], "search_tools", "clients"],
  [
    "in a set that lists copies",
    [set("mine", crm(), (each) => ({ ...each, annotations: { title: each.name } }))],
    "search_tools",
    "clients",
  ],
])("what a search finds can be called: one %s", async (_title, tools, searches, name) => {
  expect(await callFound(tools, searches, "clients")).toBe(name);
  expect(effects).toEqual(["clients of crm"]);
});

/** A program's own set of what another one lists. */
function set(name: string, inner: Toolset, change = (each: Tool): Tool => each): Toolset {
  return {
    name,
    tools: async ({ context, agent, messages }) =>
      (await inner.tools({ context, agent, messages })).map(change),
  };
}

const pays = (): ReturnType<typeof toolset> => searched("crm", "pay", "leads");

test.each<[string, readonly ToolSource[], string, string]>([
  ["the agent's own", [of("own", "pay"), pays()], "search_tools", "crm_pay"],
  ["one of another set", [toolset([of("shop", "pay")], "shop"), pays()], "search_tools", "crm_pay"],
  [
    "the agent's own, behind a prefix",
    [of("own", "q_pay"), pays().prefixed("q")],
    "q_search_tools",
    "crm_q_pay",
  ],
  ["two of the agent's own", [of("own", "pay"), of("own", "crm_pay"), pays()], "search_tools", "crm_pay_2"],
  ["one beside it in a set", [toolset([of("own", "pay"), pays()], "all")], "search_tools", "all_pay"],
  [
    "the agent's own, in a set of a program's own",
    [of("own", "pay"), set("mine", pays())],
    "search_tools",
    "mine_pay",
  ],
])(
  "a search does not answer a name that leads to another tool: %s",
  async (_title, tools, searches, name) => {
    expect(await callFound(tools, searches, "pay")).toBe(name);
    expect(effects).toEqual(["pay of crm"]);
  },
);

test("of two sets that find a tool of one name in one batch, each has the name that its search has answered", async () => {
  const model = new ScriptedModel([
    { toolCalls: [search("crm_search_tools", "pay"), search("search_tools", "pay")] },
    { toolCalls: [{ toolName: "pay" }, { toolName: "shop_pay" }] },
    "Done.",
    { toolCalls: [{ toolName: "pay" }] },
    "Done.",
  ]);
  const tools = [searched("shop", "pay"), searched("crm", "pay")];
  const agent = new Agent({ name: "A", model, tools });
  const { messages } = await run(agent, "go");
  expect(effects).toEqual(["pay of crm", "pay of shop"]);
  await run(agent, [...messages, { role: "user", content: "Again" }]);
  expect(effects.at(-1)).toBe("pay of crm");
});

test("the names of an answer hold in the later runs of a session, although another set lists them by then", async () => {
  const session = memorySession();
  const model = new ScriptedModel([
    { toolCalls: [search("search_tools", "pay")] },
    "Found.",
    { toolCalls: [{ toolName: "pay" }] },
    "Done.",
  ]);
  await run(new Agent({ name: "A", model, tools: [pays()] }), "go", { session });
  const tools = [toolset([of("shop", "pay")], "shop"), pays()];
  await run(new Agent({ name: "A", model, tools }), "Pay", { session });
  expect(offered(model, 2).toSorted()).toEqual(["pay", "search_tools", "shop_pay"]);
  expect(effects).toEqual(["pay of crm"]);
});

test("the names of an answer hold in a run that is performed again from its journal", async () => {
  const journal = memoryJournal();
  const tools = [searched("shop", "pay"), searched("crm", "pay")];
  const script = [
    { toolCalls: [search("crm_search_tools", "pay")] },
    { toolCalls: [search("search_tools", "pay")] },
    { toolCalls: [{ toolName: "pay" }] },
    "Done.",
  ];
  const options = { journal, runId: "r" };
  await run(new Agent({ name: "A", model: new ScriptedModel(script), tools }), "go", options);
  const last = [...journal.steps.keys()].slice(-3);
  for (const key of last) journal.steps.delete(key);
  await run(new Agent({ name: "A", model: new ScriptedModel(script.slice(2)), tools }), "go", options);
  expect(effects.at(-1)).toBe("pay of crm");
});

test("an agent that takes over has what was found under the names of the answer, beside tools of its own", async () => {
  const models = [
    new ScriptedModel([
      { toolCalls: [search("search_tools", "pay clients")] },
      { toolCalls: [{ toolName: "transfer_to_b" }] },
    ]),
    new ScriptedModel([{ toolCalls: [{ toolName: "crm_pay" }, { toolName: "clients" }] }, "Done."]),
  ];
  const sets = [toolset([of("shop", "clients")], "shop"), searched("crm", "pay", "clients")];
  const b = new Agent({ name: "B", model: models[1]!, tools: [of("own", "pay"), ...sets] });
  await run(new Agent({ name: "A", model: models[0]!, tools: [sets[1]!], handoffs: [b] }), "go");
  expect(offered(models[1]!, 0).toSorted()).toEqual([
    "clients",
    "crm_pay",
    "pay",
    "search_tools",
    "shop_clients",
  ]);
  expect(effects).toEqual(["pay of crm", "clients of crm"]);
});

test("a search of one set discovers nothing of another of its name", async () => {
  const model = new ScriptedModel([{ toolCalls: [search("search_tools", "pay")] }, "Done."]);
  const tools = [searched("crm", "pay"), searched("crm", "pay")];
  await run(new Agent({ name: "A", model, tools }), "go");
  expect(offered(model, 1)).toEqual(["search_tools", "pay", "crm_search_tools"]);
});

test("another tool that repeats the answer of a search discovers nothing", async () => {
  let repeated: unknown;
  const echo = tool({ name: "echo", input: empty, execute: () => repeated });
  const asks = new ScriptedModel([{ toolCalls: [search("search_tools", "clients")] }, "Done."]);
  const agent = new Agent({ name: "A", tools: [crm(), echo] });
  const { messages } = await run(agent, "go", { model: asks });
  repeated = messages.flatMap((each) => (each.role === "tool" ? [each.result.structuredContent] : []))[0];
  expect(repeated).toMatchObject({ tools: [{ name: "clients" }] });
  const model = new ScriptedModel([{ toolCalls: [{ toolCallId: "echo", toolName: "echo" }] }, "Done."]);
  await run(agent, "go", { model });
  expect(offered(model, 1)).toEqual(["search_tools", "echo"]);
});

const isAdmin = ({ context }: { readonly context: unknown }): boolean =>
  JSON.stringify(context) === '{"isAdmin":true}';

test.each<[string, Toolset, string, readonly string[], readonly string[]]>([
  ["filtered", crm().filtered(["search_tools", "leads"]), "search_tools", ["leads"], ["leads"]],
  [
    "filtered under new names",
    crm().prefixed("q").filtered(["q_search_tools", "q_leads"]),
    "q_search_tools",
    ["q_leads"],
    ["q_leads"],
  ],
  [
    "filtered for a caller",
    crm().filtered(({ name }, scope) => name !== "clients" || isAdmin(scope)),
    "search_tools",
    ["leads"],
    ["clients", "leads"],
  ],
  [
    "filtered by a set around it",
    toolset([crm(), of("shop", "carts")])
      .prefixed("q")
      .filtered(({ name }, scope) => name !== "q_clients" || isAdmin(scope)),
    "q_search_tools",
    ["q_leads"],
    ["q_clients", "q_leads"],
  ],
])("a search does not answer what its set leaves out: %s", async (_title, tools, searches, names, all) => {
  const answerFor = async (context: object): Promise<readonly string[]> => {
    const model = new ScriptedModel([{ toolCalls: [search(searches, "clients leads crm")] }, "Done."]);
    return answered((await run(new Agent({ name: "A", model, tools: [tools] }), "go", { context })).messages);
  };
  expect((await answerFor({})).toSorted()).toEqual(names);
  expect((await answerFor({ isAdmin: true })).toSorted()).toEqual(all);
});

test("a set that is searched finds the search of another within it, and has what that finds", async () => {
  const inner = toolset([of("crm", "clients"), of("crm", "leads")], "crm").deferred({
    name: "find_customers",
  });
  const model = new ScriptedModel([
    { toolCalls: [search("search_tools", "customers")] },
    { toolCalls: [search("find_customers", "clients")] },
    { toolCalls: [{ toolName: "clients" }] },
    "Done.",
  ]);
  const tools = [toolset([inner, of("own", "look")], "all").deferred()];
  await run(new Agent({ name: "A", model, tools }), "go");
  expect(offered(model, 1)).toEqual(["search_tools", "find_customers"]);
  expect(offered(model, 2)).toEqual(["search_tools", "find_customers", "clients"]);
  expect(effects).toEqual(["clients of crm"]);
});

test("an answer is neither taken from a cache nor hidden, whatever policies its set has", async () => {
  const strict = pays().withPolicy({ cache: { scope: "shared" }, mask: true });
  const answer = async (tools: readonly ToolSource[]): Promise<readonly string[]> => {
    const model = new ScriptedModel([{ toolCalls: [search("search_tools", "pay")] }, "Done."]);
    return answered((await run(new Agent({ name: "A", model, tools }), "go")).messages);
  };
  expect(await answer([strict])).toEqual(["pay"]);
  expect(await answer([of("own", "pay"), strict])).toEqual(["crm_pay"]);
});

test.each([
  ["as it was", {}],
  [
    "with old results left out",
    { compaction: { maxTokens: 2_000, pruneResults: { keepLast: 1, maxChars: 200 } } },
  ],
  ["summed up", { compaction: { maxTokens: 2_000 } }],
])("what was found can be called after a pause and in the next run, the history %s", async (_, options) => {
  const long = "lorem ipsum ".repeat(90);
  const costly = (name: string, approval: boolean): Tool =>
    tool({
      name,
      description: `${name} ${long}`,
      input: empty,
      approval,
      execute: () => String(effects.push(name)),
    });
  const page = tool({ name: "page", input: empty, execute: () => "word ".repeat(1_500) });
  const tools = [
    toolset([costly("pay", true), costly("refund", false)], "shop").deferred({ limit: 2 }),
    page,
  ];
  const pages = Array.from({ length: 5 }, () => ({ toolCalls: [{ toolName: "page" }] }));
  const begin = [{ toolCalls: [search("search_tools", "lorem")] }, ...pages];
  const model = new ScriptedModel([...begin, { toolCalls: [{ toolName: "pay" }] }, "Paid.", "Paid."]);
  const agent = new Agent({ name: "Clerk", model, tools });
  const paused = await run(agent, "Pay.", options);
  const approvals = [{ approvalId: paused.pending[0]?.approvalId ?? "", decision: "approve" as const }];
  expect((await run(agent, plain(paused.state), { ...options, approvals })).status).toBe("completed");
  expect(effects).toEqual(["pay"]);

  const session = memorySession();
  const earlier = new ScriptedModel([...begin, "Well."]);
  await run(agent.with({ model: earlier }), "Look around.", { ...options, session });
  const next = new ScriptedModel([{ toolCalls: [{ toolName: "refund" }] }, "Done."]);
  await run(agent.with({ model: next }), "Refund.", { ...options, session });
  expect(effects).toEqual(["pay", "refund"]);
});
