/** What has gone wrong in the durable runs of other frameworks: their issues, as tests. */
import { Agent, type Message, run, tool, type ToolContext } from "skein";
import { sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { approve } from "./agents.ts";
import { newFile, testRuns, until } from "./test-runs.ts";

const input = { type: "object", properties: {} } as const;

interface Named {
  readonly [toolName: string]: (context: ToolContext) => unknown;
}

/** An agent that calls all of its tools at once, and then is done; `instructionsSeen` counts its model calls. */
function together(
  tools: Named,
  options: { readonly approval?: string; readonly instructionsSeen?: string[] } = {},
): Agent {
  const model = new FunctionModel(({ messages, instructions = "" }) => {
    options.instructionsSeen?.push(instructions);
    return messages.at(-1)?.role === "user"
      ? {
          toolCalls: Object.keys(tools).map((toolName) => ({
            toolCallId: toolName,
            toolName,
            arguments: {},
          })),
        }
      : "Done.";
  });
  return new Agent({
    name: "Together",
    model,
    tools: Object.entries(tools).map(([name, execute]) =>
      tool({ name, input, approval: name === options.approval, execute: (_, context) => execute(context) }),
    ),
  });
}

/** The text of each call's result. */
function resultsOf(messages: readonly Message[]): Readonly<Record<string, string>> {
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  return Object.fromEntries(
    results.map(({ toolCallId, content }) => [
      toolCallId,
      content.flatMap((part) => (part.type === "text" ? part.text : [])).join(""),
    ]),
  );
}

/** A process that is killed while some calls are under way: nothing of it comes after that. */
async function killedWhen(file: string, agent: Agent, isTime: () => boolean): Promise<void> {
  let isDead = false;
  const store = sqliteStore(file);
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new Error("dead");
    return work();
  };
  const dying = {
    ...store,
    claim: (request) => alive(() => store.claim(request)),
    renew: (owner, lease, ids) => alive(() => store.renew(owner, lease, ids)),
    commit: (lease, write) => alive(() => store.commit(lease, write)),
  } satisfies typeof store;
  const app = testRuns(dying, { agents: [agent], lease: 200 });
  await app.start(agent, "Go", { id: "r" });
  void app.work();
  await until(isTime);
  // What has ended is stored by now.
  await new Promise((resolve) => setTimeout(resolve, 100));
  isDead = true;
}

async function finish(file: string, agent: Agent): Promise<readonly Message[]> {
  const app = testRuns(file, { agents: [agent], lease: 200 });
  void app.work();
  expect(await app.get("r").result()).toMatchObject({ status: "completed", text: "Done." });
  return (await app.get("r").state()).messages;
}

/** A run that one process pauses, and a person approves in another one, which does not execute it. */
async function pauseAndApprove(file: string, agent: Agent): Promise<void> {
  const app = testRuns(file, { agents: [agent] });
  void app.work();
  await (await app.start(agent, "Go", { id: "r" })).result();
  await app.close();
  const other = testRuns(file, { agents: [agent] });
  await approve(other.get("r"));
  await other.close();
}

const never = (): Promise<never> => new Promise(() => {});

test("calls side by side that end in any order keep their own results after a crash (Vercel Workflow #1266, #3070)", async () => {
  const file = newFile();
  const done: string[] = [];
  const names = ["a", "b", "c", "d", "e", "f"];
  const work = (name: string, delay: number): Promise<string> =>
    new Promise((resolve) => {
      setTimeout(() => {
        done.push(name);
        resolve(`the result of ${name}`);
      }, delay);
    });
  const before = names.map((name, index) => [
    name,
    () => (index < 2 ? never() : work(name, 60 - 10 * index)),
  ]);
  await killedWhen(file, together(Object.fromEntries(before)), () => done.length === 4);
  expect(done).toEqual(["f", "e", "d", "c"]);
  const after = names.map((name, index) => [name, () => work(name, 10 * index)]);
  const messages = await finish(file, together(Object.fromEntries(after)));
  expect(resultsOf(messages)).toEqual(
    Object.fromEntries(names.map((name) => [name, `the result of ${name}`])),
  );
  expect(done).toEqual(["f", "e", "d", "c", "a", "b"]);
});

test("calls that have ended beside one that waits for a person are not made again (LangGraph)", async () => {
  const file = newFile();
  const done: string[] = [];
  const agent = together({ mail: () => done.push("mail"), pay: () => done.push("pay") }, { approval: "pay" });
  await pauseAndApprove(file, agent);
  await finish(file, agent);
  expect(done).toEqual(["mail", "pay"]);
});

test("a crash in one call repeats neither the others of its answer nor the model call (eve)", async () => {
  const file = newFile();
  const done: string[] = [];
  const instructionsSeen: string[] = [];
  const before = together({ quick: () => done.push("quick"), slow: () => never() }, { instructionsSeen });
  await killedWhen(file, before, () => done.length === 1);
  await finish(
    file,
    together({ quick: () => done.push("quick"), slow: () => done.push("slow") }, { instructionsSeen }),
  );
  expect(done).toEqual(["quick", "slow"]);
  expect(instructionsSeen).toHaveLength(2);
});

test("what is under way moves to a build that is deployed meanwhile (eve)", async () => {
  const file = newFile();
  const instructionsSeen: string[] = [];
  const isStarted = { value: false };
  const slow = (): Promise<never> => {
    isStarted.value = true;
    return never();
  };
  const old = together({ slow }, { instructionsSeen }).with({ instructions: "The old ones." });
  await killedWhen(file, old, () => isStarted.value);
  const current = together({ slow: () => "now" }, { instructionsSeen });
  await finish(file, current.with({ instructions: "The new ones." }));
  expect(instructionsSeen).toEqual(["The old ones.", "The new ones."]);
});

test("a process that has never had a run takes it up (Mastra #18031, #19301), and all that were under way (#19056)", async () => {
  const file = newFile();
  let started = 0;
  const waiting = together({
    slow: () => {
      started += 1;
      return never();
    },
  });
  const before = testRuns(file, { agents: [waiting], lease: 200 });
  for (const id of ["r", "s", "t"]) await before.start(waiting, "Go", { id });
  void before.work();
  await until(() => started === 3);
  await before.close({ drain: 0 });
  const agent = together({ slow: () => "now" });
  await finish(file, agent);
  const app = testRuns(file, { agents: [agent] });
  for (const id of ["s", "t"])
    expect(await app.get(id).result()).toMatchObject({ status: "completed", text: "Done." });
});

test("an agent within a run that waits goes on under the id that it began with (Mastra #20213)", async () => {
  const file = newFile();
  const keys: string[] = [];
  const inner = together(
    {
      look: ({ idempotencyKey }) => keys.push(idempotencyKey),
      pay: ({ idempotencyKey }) => keys.push(idempotencyKey),
    },
    { approval: "pay" },
  ).with({ name: "Inner" });
  const agent = new Agent({
    name: "Together",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "user"
        ? { toolCalls: [{ toolCallId: "ask", toolName: "inner", arguments: { input: "Go" } }] }
        : "Done.",
    ),
    tools: [inner.asTool()],
  });
  await pauseAndApprove(file, agent);
  await finish(file, agent);
  const [look = "", pay = ""] = keys;
  expect(keys).toHaveLength(2);
  expect(look.slice(0, look.lastIndexOf("/"))).toBe(pay.slice(0, pay.lastIndexOf("/")));
  expect(look).toMatch(/^r\/turn-1\/tool\/ask\/run\//);
});

test("a run is stored while it works, call by call (OpenAI Agents JS #441)", async () => {
  const file = newFile();
  const agent = together({ quick: () => "quick", slow: () => never() });
  const app = testRuns(file, { agents: [agent] });
  void app.work();
  const working = await app.start(agent, "Go", { id: "r" });
  await until(async () => (await working.state()).messages.some(({ role }) => role === "tool"));
  expect(resultsOf((await working.state()).messages)).toEqual({ quick: "quick" });
  expect(await working.state()).toMatchObject({ status: "running" });
});

test("a run is resumed by its history: no model call of before is made again (LangGraph's time travel)", async () => {
  const instructionsSeen: string[] = [];
  const agent = together({ pay: () => "paid" }, { approval: "pay", instructionsSeen });
  const { state, pending } = await run(agent, "Go");
  const approvals = pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const);
  for (let times = 0; times < 3; times += 1)
    expect((await run(agent, structuredClone(state), { approvals })).text).toBe("Done.");
  expect(instructionsSeen).toHaveLength(4);
});
