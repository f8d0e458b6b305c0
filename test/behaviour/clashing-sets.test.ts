/** What a toolset lists never ends a run: every tool gets a free name, which stays its own. */
import { Agent, run, tool, toolset, type RunResult, type Tool, type Toolset } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { calls, decide, does, effects, empty, plain } from "./test-nested.ts";
import { set } from "./test-toolsets.ts";

/** A tool of a server that notes whose it is. */
const of = (owner: string, name: string, approval = false): Tool =>
  tool({
    name,
    input: empty,
    approval,
    execute: () => {
      effects.push(`${name} of ${owner}`);
      return name;
    },
  });

const listing = (...names: readonly string[]): Toolset =>
  set("github", ...names.map((name) => of("github", name)));

async function namesOf(agent: Omit<ConstructorParameters<typeof Agent>[0], "name">): Promise<unknown> {
  const model = new ScriptedModel(["Done."]);
  const { status } = await run(new Agent({ ...agent, name: "A" }), "go", { model });
  expect(status).toBe("completed");
  return model.requests[0]?.tools?.map(({ name }) => name);
}

test.each([
  ["a name and the same behind its own", ["search", "github_search"], ["github_search_2", "github_search"]],
  [
    "all names that would be next",
    ["search", "github_search_2", "github_search"],
    ["github_search_3", "github_search_2", "github_search"],
  ],
  ["a name three times", ["a", "a", "a"], ["a", "github_a", "github_a_2"]],
])("a set lists %s", async (_title, listed, expected) => {
  expect(await namesOf({ tools: [does("search"), listing(...listed)] })).toEqual(["search", ...expected]);
  expect(await namesOf({ tools: [listing(...listed), does("search")] })).toEqual([...expected, "search"]);
});

test("a set lists the name of a handoff", async () => {
  const handoffs = [new Agent({ name: "Boss" })];
  expect(
    await namesOf({ handoffs, tools: [listing("transfer_to_boss", "github_transfer_to_boss")] }),
  ).toEqual(["github_transfer_to_boss_2", "github_transfer_to_boss", "transfer_to_boss"]);
});

test("another set lists the name that a tool would get", async () => {
  const [other, github] = [set("other", of("other", "github_search")), listing("search")];
  expect(await namesOf({ tools: [does("search"), other, github] })).toEqual([
    "search",
    "github_search",
    "github_search_2",
  ]);
  expect(await namesOf({ tools: [does("search"), github, other] })).toEqual([
    "search",
    "github_search",
    "other_github_search",
  ]);
  expect(await namesOf({ tools: [does("search"), github, github, github] })).toEqual([
    "search",
    "github_search",
    "github_search_2",
    "github_search_3",
  ]);
});

test("the program has the name that a tool would get", async () => {
  expect(await namesOf({ tools: [does("search"), does("github_search"), listing("search")] })).toEqual([
    "search",
    "github_search",
    "github_search_2",
  ]);
  expect(
    await namesOf({ tools: [toolset([does("search"), listing("search", "github_search")]).prefixed("x")] }),
  ).toEqual(["x_search", "x_github_search_2", "x_github_search"]);
});

test("a set that lists a clashing name in the middle of a run goes on under the names that were called", async () => {
  let names = ["search"];
  const growing: Toolset = {
    name: "github",
    tools: () => names.map((name) => listed[name]!),
  };
  const listed: Record<string, Tool> = {
    search: of("github", "search"),
    github_search: of("github", "github_search"),
  };
  const grow = tool({ name: "grow", input: empty, execute: () => void (names = Object.keys(listed)) });
  const model = calls("github_search", "grow", "github_search", "github_github_search");
  const agent = new Agent({ name: "A", model, tools: [does("search"), grow, growing] });
  const { status } = await run(agent, "go");
  expect([status, effects]).toEqual([
    "completed",
    ["search of github", "search of github", "github_search of github"],
  ]);
});

test.each([
  ["github_search_2", "search of github"],
  ["github_search", "github_search of github"],
])("an approved call of %s reaches its own tool, whatever is listed by then", async (name, effect) => {
  const model = calls(name);
  const agentOf = (...names: readonly string[]): Agent =>
    new Agent({
      name: "A",
      model,
      tools: [does("search"), set("github", ...names.map((each) => of("github", each, true)))],
    });
  const paused = await run(agentOf("search", "github_search"), "go");
  const resume = (agent: Agent): Promise<RunResult> =>
    run(agent, plain(paused.state), { approvals: decide(paused) });
  expect((await resume(agentOf("github_search", "github_search_2", "search"))).status).toBe("completed");
  expect(effects).toEqual([effect]);
  effects.length = 0;
  const others = ["search", "github_search"].filter((each) => effect !== `${each} of github`);
  expect((await resume(agentOf(...others, "github_search_2"))).status).toBe("completed");
  expect(effects).toEqual([]);
});

test("of two tools that a set cannot tell apart, one that is left alone is called for neither", async () => {
  const twins = (...owners: readonly string[]): Toolset =>
    set("github", ...owners.map((owner) => of(owner, "a", true)));
  const agentOf = (...owners: readonly string[]): Agent =>
    new Agent({ name: "A", model: calls("github_a"), tools: [twins(...owners)] });
  const paused = await run(agentOf("one", "two"), "go");
  const approvals = decide(paused);
  expect((await run(agentOf("one"), plain(paused.state), { approvals })).status).toBe("completed");
  expect(effects).toEqual([]);
  await run(agentOf("one", "two"), plain(paused.state), { approvals });
  expect(effects).toEqual(["a of two"]);
});

test("a set that is searched leaves out a tool with the name of its search, with a warning", async () => {
  const searched = toolset(listing("search_tools", "search")).deferred();
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "search_tools", arguments: { query: "search tools" } }] },
    "Done.",
  ]);
  const { status, warnings } = await run(new Agent({ name: "A", model, tools: [searched] }), "go");
  expect(status).toBe("completed");
  expect(model.requests[1]?.tools?.map(({ name }) => name)).toEqual(["search_tools", "search"]);
  expect(warnings).toEqual([
    'The toolset github lists a tool "search_tools", which is left out: its search is called that. Set deferred({ name }).',
  ]);
});
