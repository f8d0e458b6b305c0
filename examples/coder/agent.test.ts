import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Agent, run, type RunResult, stream } from "skein";
import { FunctionModel, ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { todosIn } from "skein/toolkits";
import { afterAll, beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { coder, folder as sample } from "./agent.ts";
import { newProject } from "./sample.ts";
import { standIn } from "./stand-in.ts";

const folders: string[] = [sample];
afterAll(() => {
  for (const each of folders) rmSync(dirname(each), { recursive: true, force: true });
});

let folder: string;
let agent: Agent;
beforeEach(open);

async function open(): Promise<void> {
  folder = await newProject();
  folders.push(folder);
  agent = coder(folder).with({ model: standIn() });
}

const commits = (): string => execFileSync("git", ["-C", folder, "log", "--format=%s"], { encoding: "utf8" });
const source = (): string => readFileSync(join(folder, "src/money.js"), "utf8");
const fixed = "share + (index < rest ? 1 : 0)";

function decide({ state, pending }: RunResult, decision: "approve" | "deny"): Promise<RunResult> {
  const approvals = pending.flatMap(({ approvalId }) =>
    approvalId === undefined ? [] : [{ approvalId, decision, reason: "Not on a Friday." }],
  );
  return run(agent, JSON.parse(JSON.stringify(state)), { approvals });
}

/** What the model read of its calls of a tool. */
function resultsOf({ messages }: Pick<RunResult, "messages">, name: string): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "tool" && message.result.toolName === name
      ? [JSON.stringify(message.result.content)]
      : [],
  );
}

test("mends the bug, has it explored and reviewed, and commits once a person approves", async () => {
  const paused = await run(agent, "Mend the failing test");
  expect(paused.agentRuns.map(({ agent: name, status }) => [name, status])).toEqual([
    ["Explorer", "completed"],
    ["Reviewer", "completed"],
  ]);
  expect(resultsOf(paused, "bash")).toEqual([
    expect.stringMatching(/5\.17.*\[exit code 1\]/s),
    expect.stringContaining("[exit code 0]"),
  ]);
  expect(source()).toContain(fixed);
  expect(commits()).toBe("Begin\n");

  expect((await decide(paused, "approve")).text).toContain("the tests pass");
  expect(commits()).toBe("Give the rest of a split to the first parts\nBegin\n");
});

test("it keeps a list of its steps, follows AGENTS.md, and remembers in the next conversation what it has found out", async () => {
  const paused = await run(agent, "Mend the failing test");
  expect(todosIn(paused.state.messages).map(({ status }) => status)).toEqual([
    "completed",
    "completed",
    "in_progress",
  ]);
  await decide(paused, "approve");

  const view: ScriptedToolCall = {
    toolName: "memory",
    arguments: { command: "view", path: "/memories/money.md" },
  };
  const model = new ScriptedModel([{ toolCalls: [view] }, "Whole cents."]);
  const next = await run(coder(folder), "What are amounts?", { model });
  expect(model.requests[0]?.instructions).toContain("Amounts are whole cents, never fractions.");
  expect(resultsOf(next, "memory")).toEqual([expect.stringContaining("gives the rest to the first parts")]);
});

test("without an approval nothing is committed, and the model reads why", async () => {
  const denied = await decide(await run(agent, "Mend the failing test"), "deny");
  expect(resultsOf(denied, "bash")).toEqual([expect.stringContaining("Not on a Friday.")]);
  expect(denied.text).toContain("not committed");
  expect(commits()).toBe("Begin\n");
});

test.each([
  [
    "completed",
    [
      "ls",
      "ls -la src/lib",
      "cat package.json",
      "git diff HEAD",
      "git log --format=%s",
      "node --test test/bill.test.js",
    ],
  ],
  [
    "paused",
    [
      "git commit -am x",
      "git push",
      "rm -rf src",
      "ls; rm -rf src",
      "ls && rm -rf src",
      "ls\nrm -rf src",
      "cat $(rm -rf src)",
      "cat `rm -rf src`",
      "cat x > src/money.js",
      "git log | sh",
      "node test/bill.test.js",
      " ls",
      "lsof",
    ],
  ],
])("a run is %s by the command", async (status, commands) => {
  for (const command of commands) {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "bash", arguments: { command } }] }, "Done."]);
    expect([command, (await run(agent, "Go", { model })).status]).toEqual([command, status]);
  }
  expect(source()).not.toBe("");
});

test("the explorer and the reviewer have no tool that changes anything", async () => {
  const offered: Record<string, readonly string[]> = {};
  const model = new FunctionModel(({ tools = [], instructions = "" }) => {
    offered[instructions.slice(0, 24)] = tools.map(({ name }) => name);
    const names = new Set(tools.map(({ name }) => name));
    const count = Object.keys(offered).length;
    if (!names.has("edit") || count > 1) return "Done.";
    return {
      toolCalls: ["explorer", "reviewer"].map((toolName) => ({ toolName, arguments: { input: "Look." } })),
    };
  });
  await run(agent, "Look", { model });
  expect(offered).toEqual({
    "You mend bugs in the pro":
      "bash read write edit glob grep write_todos memory search_memory load_skill read_skill_file run_skill_script explorer reviewer".split(
        " ",
      ),
    "You find out how a proje": ["read", "glob", "grep"],
    "You review a change: rea": ["diff", "read", "glob", "grep"],
  });
});

test("long work goes on after its history was summed up", async () => {
  writeFileSync(join(folder, "long.txt"), "a line of a long file\n".repeat(1_000));
  const read: ScriptedToolCall = { toolName: "read", arguments: { path: "long.txt" } };
  const work = [...Array.from({ length: 8 }, () => read), ...mending];
  let step = 0;
  const model = new FunctionModel(({ tools }) => {
    if (!tools) return "The bug is in split() of src/money.js.";
    const call = work[step++];
    return call ? { toolCalls: [call] } : "Mended.";
  });
  const running = stream(agent, "Mend the failing test", {
    model,
    compaction: { maxTokens: 20_000, summarize: true },
  });
  const dropped: number[] = [];
  for await (const event of running) if (event.type === "compaction") dropped.push(event.dropped);
  const done = await running.result;
  expect(dropped.length).toBeGreaterThan(0);
  expect(JSON.stringify(done.state.messages)).toContain("The bug is in split() of src/money.js.");
  expect([done.status, done.text]).toEqual(["completed", "Mended."]);
  expect(resultsOf(done, "bash")).toEqual([expect.stringContaining("[exit code 0]")]);
});

const mending: readonly ScriptedToolCall[] = [
  {
    toolName: "edit",
    arguments: {
      path: "src/money.js",
      edits: [
        {
          oldText: "() => share",
          newText: `(_, index) => share + (index < cents % parts ? 1 : 0)`,
        },
      ],
    },
  },
  { toolName: "bash", arguments: { command: "node --test" } },
];

test("wherever it is stopped, the project is as the history tells", { timeout: 240_000 }, async () => {
  const places = await stopAtEveryTool({
    open: async () => {
      await open();
      return { agent, model: standIn(), input: "Mend the failing test", decision: "approve" };
    },
    check: (done) => {
      expect(source().includes(fixed)).toBe(done.includes("edit"));
      expect(commits().includes("Give the rest")).toBe(done.filter((name) => name === "bash").length === 3);
    },
  });
  expect(places).toBe(25);
});
