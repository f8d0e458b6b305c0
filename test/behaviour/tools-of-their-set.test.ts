/** Toolsets list what they like at any time: a call, an approval and a success stay those of the tool that they were for. */
import {
  Agent,
  run,
  tool,
  toolset,
  ToolRegistry,
  type RunOptions,
  type RunResult,
  type Tool,
  type ToolContext,
  type Toolset,
} from "skein";
import { memorySession } from "skein/sessions";
import { describe, expect, test } from "vitest";
import { calls, decide, effects, empty, keepers, plain } from "./test-nested.ts";
import { files, mail, remove, set } from "./test-toolsets.ts";
import { memoryJournal } from "./test-journal.ts";

type Tools = NonNullable<ConstructorParameters<typeof Agent>[0]["tools"]>;

const none = (name: string): Toolset => set(name);

const registry = (owner: string): Toolset => new ToolRegistry("tools").register(remove(owner));

interface Change {
  readonly before: () => readonly (Tool | Toolset)[];
  readonly after: () => readonly (Tool | Toolset)[];
  /** By which the model calls it; `remove` by default. */
  readonly name?: string;
  readonly expected: readonly string[];
}

const changes: Readonly<Record<string, Change>> = {
  "nothing changes": {
    before: () => [files(), mail()],
    after: () => [files(), mail()],
    expected: ["remove of files"],
  },
  "a set takes the place of the agent's own tool": {
    before: () => [remove("the program")],
    after: () => [files()],
    expected: [],
  },
  "another set lists the name too": {
    before: () => [none("mail"), files()],
    after: () => [mail(), files()],
    expected: ["remove of files"],
  },
  "the set is gone": { before: () => [files(), mail()], after: () => [mail()], expected: [] },
  "the set's tool is gone": {
    before: () => [files(), mail()],
    after: () => [none("files"), mail()],
    expected: [],
  },
  "the order is another": {
    before: () => [files(), mail()],
    after: () => [mail(), files()],
    expected: ["remove of files"],
  },
  "a third set comes first": {
    before: () => [files(), mail()],
    after: () => [set("web", remove("web")), mail(), files()],
    expected: ["remove of files"],
  },
  "the set that it clashed with is gone": {
    before: () => [files(), mail()],
    after: () => [mail()],
    name: "mail_remove",
    expected: ["remove of mail"],
  },
  "it clashes with another set": {
    before: () => [files(), mail()],
    after: () => [set("web", remove("web")), mail()],
    name: "mail_remove",
    expected: ["remove of mail"],
  },
  "a function has the name of the set's tool": {
    before: () => [files()],
    after: () => [remove("the program"), none("files")],
    expected: [],
  },
  "a function comes beside the set's tool": {
    before: () => [files()],
    after: () => [remove("the program"), files()],
    expected: ["remove of files"],
  },
  "a set's tool has the name of the function": {
    before: () => [remove("the program"), none("mail")],
    after: () => [mail()],
    expected: [],
  },
  "a set is gone from a set of sets": {
    before: () => [toolset([files(), mail()])],
    after: () => [toolset([mail()], "toolset")],
    expected: [],
  },
  "a set of sets has another order": {
    before: () => [toolset([files(), mail()], "both").withTimeout(5_000)],
    after: () => [toolset([mail(), files()], "both").withTimeout(5_000)],
    expected: ["remove of files"],
  },
  "a set of sets with prefixes has another order": {
    before: () => [toolset([files(), mail()], "both").prefixed("x").withTimeout(5_000)],
    after: () => [toolset([mail(), files()], "both").prefixed("x").withTimeout(5_000)],
    name: "x_remove",
    expected: ["remove of files"],
  },
  "a function is gone from a set": {
    before: () => [toolset([remove("the program"), mail()], "both")],
    after: () => [toolset([mail()], "both")],
    expected: [],
  },
  "a set is gone from a set with a function": {
    before: () => [toolset([files(), tool(() => "", { name: "look", input: empty })], "both")],
    after: () => [toolset([remove("the program")], "both")],
    expected: [],
  },
  "the set is wrapped": {
    before: () => [files(), mail()],
    after: () => [toolset(mail()), toolset(files()).withTimeout(5_000)],
    expected: ["remove of files"],
  },
  "functions are all there is": {
    before: () => [files()],
    after: () => [remove("the program")],
    expected: [],
  },
  "one of two registries of one name is gone": {
    before: () => [registry("files"), registry("mail")],
    after: () => [registry("mail")],
    expected: [],
  },
  "wrapped sets have another order": {
    before: () => [toolset([files()], "a").withApproval(), toolset([mail()], "b").filtered(() => true)],
    after: () => [toolset([mail()], "b").filtered(() => true), toolset([files()], "a").withApproval()],
    expected: ["remove of files"],
  },
};

/** Ways in which a call is made. */
const ways: Readonly<Record<string, (tools: Tools, name: string) => Agent>> = {
  "of the model": (tools, name) => new Agent({ name: "Boss", model: calls(name), tools }),
  "of a tool": (tools, name) => {
    const go = tool({
      name: "go",
      input: empty,
      execute: (_input: unknown, { call }: ToolContext) => call(name, {}),
    });
    const all = Array.isArray(tools) ? [go, ...tools] : [];
    return new Agent({ name: "Boss", model: calls("go"), tools: all });
  },
  "of an agent within": (tools, name) => {
    const clerk = new Agent({ name: "Clerk", model: calls(name), tools });
    return new Agent({ name: "Boss", model: calls("clerk"), tools: [clerk.asTool()] });
  },
  "of a tool of an agent within": (tools, name) => {
    const go = tool({
      name: "go",
      input: empty,
      execute: (_input: unknown, { call }: ToolContext) => call(name, {}),
    });
    const all = Array.isArray(tools) ? [go, ...tools] : [];
    const clerk = new Agent({ name: "Clerk", model: calls("go"), tools: all });
    return new Agent({ name: "Boss", model: calls("clerk"), tools: [clerk.asTool()] });
  },
};

const approvalCases = Object.keys(changes).flatMap((change) =>
  Object.keys(ways).flatMap((way) =>
    keepers.map(([keeper, optionsOf]) => ({ change, way, keeper, optionsOf })),
  ),
);

function resume(agent: Agent, paused: RunResult, options: RunOptions): Promise<RunResult> {
  const input = options.session ? [] : plain(paused.state);
  return run(agent, input, { ...options, approvals: decide(paused) });
}

function changeOf(name: string): Change {
  const change = changes[name];
  if (!change) throw new Error(name);
  return change;
}

test.each(approvalCases)(
  "an approved call $way reaches its own tool or none: $change, with $keeper",
  async ({ change, way, optionsOf }) => {
    const { before, after, name = "remove", expected } = changeOf(change);
    const agentOf = ways[way];
    const options = optionsOf();
    const paused = await run(agentOf!(before(), name), "go", options);
    expect(paused.pending).toMatchObject([{ toolName: name }]);
    const done = await resume(agentOf!(after(), name), paused, options);
    expect([done.status, effects]).toEqual(["completed", expected]);
  },
);

describe("a call whose result comes from elsewhere", () => {
  const question = (): Tool => tool({ name: "remove", input: empty });

  test.each(keepers)("is not executed by the tool of another set, with %s", async (_title, optionsOf) => {
    const agentOf = (...tools: readonly Toolset[]): Agent =>
      new Agent({ name: "Boss", model: calls("remove"), tools });
    const options = optionsOf();
    const paused = await run(agentOf(set("files", question())), "go", options);
    expect(paused.pending).toMatchObject([{ toolName: "remove" }]);
    const input = options.session ? [] : plain(paused.state);
    const done = await run(agentOf(set("mail", remove("mail", {}))), input, options);
    expect([done.status, effects]).toEqual(["completed", []]);
    expect(done.text).toContain("There is no tool named");
  });

  test.each(keepers)("gets its result, whatever the sets list, with %s", async (_title, optionsOf) => {
    const agentOf = (...tools: readonly Toolset[]): Agent =>
      new Agent({ name: "Boss", model: calls("remove"), tools });
    const options = optionsOf();
    const paused = await run(agentOf(set("files", question())), "go", options);
    const input = options.session ? [] : plain(paused.state);
    const results = paused.pending.map(({ toolCallId }) => ({ toolCallId, content: "done elsewhere" }));
    const done = await run(agentOf(mail(), set("files", question())), input, { ...options, results });
    expect([done.status, effects]).toEqual(["completed", []]);
    expect(done.text).toContain("done elsewhere");
  });
});

describe("a success in the history", () => {
  const login = (owner: string): Tool => remove(owner, {});
  const pay = tool({
    name: "pay",
    input: empty,
    requires: ["remove"],
    execute: () => void effects.push("pay"),
  });

  test("is not that of another set's tool, in a later turn", async () => {
    let turn = 0;
    const changing: Toolset = { name: "files", tools: () => (turn++ === 0 ? [login("files")] : []) };
    const model = calls("remove", "pay");
    const agent = new Agent({ name: "Boss", model, tools: [changing, set("mail", login("mail"), pay)] });
    const done = await run(agent, "go");
    expect([done.status, effects]).toEqual(["completed", ["remove of files"]]);
  });

  test.each(keepers)(
    "is not that of another set's tool after a pause, with %s",
    async (_title, optionsOf) => {
      const agentOf = (...tools: readonly Toolset[]): Agent =>
        new Agent({ name: "Boss", model: calls("remove", "ask", "pay"), tools });
      const ask = set("people", tool({ name: "ask", input: empty, approval: true, execute: () => "yes" }));
      const options = optionsOf();
      const first = await run(
        agentOf(ask, set("files", login("files")), set("mail", login("mail"), pay)),
        "go",
        options,
      );
      const done = await resume(agentOf(ask, set("mail", login("mail"), pay)), first, options);
      expect([done.status, effects]).toEqual(["completed", ["remove of files"]]);
    },
  );

  test("is not that of another set's tool in a later run of a session", async () => {
    const session = memorySession();
    const agentOf = (names: readonly string[], ...tools: readonly Toolset[]): Agent =>
      new Agent({ name: "Boss", model: calls(...names), tools });
    await run(agentOf(["remove"], set("files", login("files"))), "Log in.", { session });
    await run(agentOf(["", "pay"], set("mail", login("mail"), pay)), "Pay.", { session });
    expect(effects).toEqual(["remove of files"]);
    await run(agentOf(["", "", "mail_remove", "pay"], set("mail", login("mail"), pay)), "Pay.", { session });
    expect(effects).toEqual(["remove of files", "remove of mail", "pay"]);
  });
});

test("a run that is started again with its journal asks for the same tool", async () => {
  const journal = memoryJournal();
  const options = { journal, runId: "run_1" };
  const agentOf = (...tools: readonly Toolset[]): Agent =>
    new Agent({ name: "Boss", model: calls("remove"), tools });
  const first = await run(agentOf(files(), mail()), "go", options);
  const second = await run(agentOf(mail(), files()), "go", options);
  expect(second.pending).toEqual(first.pending);
  const done = await run(agentOf(mail(), files()), plain(second.state), {
    journal,
    approvals: decide(second),
  });
  expect([done.status, effects]).toEqual(["completed", ["remove of files"]]);
});

test.each(["the model", "a tool"])(
  "a run that is started again with the answer of its journal calls the same tool, for %s",
  async (caller) => {
    const journal = memoryJournal();
    const options = { journal, runId: "run_1" };
    const go = tool({
      name: "go",
      input: empty,
      execute: (_input: unknown, { call }: ToolContext) => call("remove", {}),
    });
    const agentOf = (...tools: readonly Toolset[]): Agent =>
      new Agent({ name: "Boss", model: calls(caller === "a tool" ? "go" : "remove"), tools: [go, ...tools] });
    const first = await run(agentOf(files(), mail()), "go", options);
    for (const key of journal.steps.keys())
      if (caller !== "a tool" && key.includes("tool")) journal.steps.delete(key);
    const again = await run(agentOf(mail(), files()), "go", options);
    expect(again.pending).toEqual(first.pending);
    const done = await run(agentOf(mail(), files()), plain(again.state), {
      journal,
      approvals: decide(again),
    });
    expect([done.status, effects]).toEqual(["completed", ["remove of files"]]);
  },
);

test("a function that has the name of a called toolset's tool is left out, with a warning", async () => {
  const agentOf = (...tools: readonly (Tool | Toolset)[]): Agent =>
    new Agent({ name: "Boss", model: calls("remove"), tools });
  const paused = await run(agentOf(files()), "go");
  const done = await resume(agentOf(remove("the program"), none("files")), paused, {});
  expect(done.warnings).toEqual([
    "The tool remove is left out: this run has called another tool by that name, which comes from a toolset.",
  ]);
});

test("a copy of an agent has the same tools", async () => {
  const agent = new Agent({ name: "Boss", model: calls("remove"), tools: [files(), mail()] });
  const paused = await run(agent, "go");
  const done = await resume(agent.with({ tools: [mail(), files()] }), paused, {});
  expect(effects).toEqual(["remove of files"]);
  expect(done.status).toBe("completed");
});

test("tools of a class keep their methods in a set of sets", async () => {
  class Remover implements Tool {
    readonly name = "remove";
    readonly inputSchema = remove("files").inputSchema;
    readonly annotations = {};
    readonly policy = {};
    execute(): string {
      effects.push("remove of files");
      return "removed";
    }
  }
  const both = toolset([set("files", new Remover()), mail()], "both");
  await run(new Agent({ name: "Boss", model: calls("remove"), tools: [both] }), "go");
  expect(effects).toEqual(["remove of files"]);
});
