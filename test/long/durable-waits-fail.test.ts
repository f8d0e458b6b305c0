/** Runs that wait, and what fails meanwhile: nothing that they wait for, or that has come for them, is lost. */
import { Agent, tool } from "skein";
import { sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { worker } from "../durable/agents.ts";
import { newFile, testRuns, until } from "../durable/test-runs.ts";

test("maxTurns counts over sleeps, and again from a retry on", async () => {
  let turns = 0;
  const agent = new Agent({
    name: "Restless",
    model: new FunctionModel(() => {
      turns += 1;
      return { toolCalls: [{ toolName: "nap", arguments: {} }] };
    }),
    tools: [
      tool({
        name: "nap",
        input: { type: "object", properties: {} },
        execute: (_, { sleep }) => sleep("nap", 1_001.5),
      }),
    ],
  });
  const app = testRuns(newFile(), { agents: [agent], runOptions: { maxTurns: 2 }, approvalTimeout: 1.5 });
  void app.work();
  const restless = await app.start(agent, "Go");
  expect(await restless.result()).toMatchObject({ status: "failed", ended: "max-turns" });
  expect(turns).toBe(2);
  await restless.retry();
  expect(await restless.result()).toMatchObject({ status: "failed", ended: "max-turns" });
  expect(turns).toBe(4);
}, 20_000);

test("maxToolCalls counts over sleeps, and again from a retry on, which executes the calls that were left", async () => {
  const ids: string[] = [];
  const item = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;
  const answers = ["a b", "c d", "e f"].map((each) => each.split(" "));
  const agent = new Agent({
    name: "Restless",
    model: new FunctionModel(({ messages }) => {
      const answer = answers[messages.filter(({ role }) => role === "assistant").length];
      return answer ? { toolCalls: answer.map((id) => ({ toolName: "nap", arguments: { id } })) } : "Done.";
    }),
    tools: [
      tool({
        name: "nap",
        input: item,
        maxCalls: 5,
        execute: async ({ id }: { id: string }, { sleep }) => {
          await sleep("nap", 1_001.5);
          ids.push(id);
        },
      }),
    ],
  });
  const app = testRuns(newFile(), { agents: [agent], runOptions: { maxToolCalls: 3 } });
  void app.work();
  const restless = await app.start(agent, "Go");
  expect(await restless.result()).toMatchObject({ status: "failed", ended: "max-tool-calls" });
  expect(ids.toSorted()).toEqual(["a", "b", "c"]);
  await restless.retry();
  // The tool has a limit over all of the run, which a retry does not begin again.
  expect(await restless.result()).toMatchObject({ status: "completed", text: "Done." });
  expect(ids.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
}, 30_000);

test.each(["nap", "wait", "pay"])(
  "the write that ends an execution fails: %s goes on by itself",
  async (name) => {
    const agent = new Agent({
      name: "Once",
      model: new FunctionModel(({ messages }) =>
        messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: name, arguments: {} }] },
      ),
      tools: [
        tool({
          name,
          input: { type: "object", properties: {} },
          approval: name === "pay",
          execute: async (_, { sleep, waitFor }) => {
            if (name === "nap") await sleep("nap", 1_500);
            if (name === "wait") await waitFor("x");
          },
        }),
      ],
    });
    const plain = sqliteStore(newFile());
    let failures = 0;
    const commit: typeof plain.commit = async (lease, write) => {
      if (write.change?.data?.report && (failures += 1) === 1) throw new Error("The connection is lost.");
      return plain.commit(lease, write);
    };
    const app = testRuns({ ...plain, commit }, { agents: [agent], approvalTimeout: 500 });
    void app.work();
    const once = await app.start(agent, "Go");
    const { pending } = await once.result();
    if (name === "wait") await once.resolve(pending[0]?.toolCallId ?? "", 1);
    expect(await once.result({ until: "end" })).toMatchObject({ status: "completed", text: "Done." });
    expect(failures).toBeGreaterThan(1);
  },
  20_000,
);

test("what has come is there once a run that failed is tried again, and cannot be changed meanwhile", async () => {
  const file = newFile();
  const agent = worker(({ waitFor }) => waitFor("x"));
  const first = testRuns(file, { agents: [agent] });
  await (await first.start(agent, "Go", { id: "r", here: true })).result();
  await first.close();
  // A build whose tools cannot be loaded.
  const broken = agent.with({
    tools: [
      {
        name: "broken",
        tools: () => Promise.reject(new Error("The server is down.")),
      },
    ],
  });
  const second = testRuns(file, { agents: [broken] });
  await second.get("r").resolve("x", "for good");
  void second.work();
  await until(async () => (await second.get("r").state()).status === "failed");
  await second.close();
  const third = testRuns(file, { agents: [agent] });
  await expect(third.get("r").resolve("x", "changed")).rejects.toMatchObject({ code: "run-ended" });
  await third.get("r").retry();
  await expect(third.get("r").resolve("x", "changed")).rejects.toThrow("has a result already");
  void third.work();
  expect(await third.get("r").result()).toMatchObject({ status: "completed", text: "for good" });
});

test("agents within a run have the turns of maxTurns for themselves, however often the run around them has slept", async () => {
  const nap = tool({
    name: "nap",
    input: { type: "object", properties: {} },
    execute: (_, { sleep }) => sleep("nap", 1_001),
  });
  let asks = 0;
  const inner = new Agent({
    name: "Inner",
    model: new FunctionModel(() =>
      ++asks < 3 ? { toolCalls: [{ toolName: "look", arguments: {} }] } : "Seen.",
    ),
    tools: [tool({ name: "look", input: { type: "object", properties: {} }, execute: () => "nothing" })],
  });
  let turns = 0;
  const agent = new Agent({
    name: "Outer",
    model: new FunctionModel(() => {
      turns += 1;
      if (turns === 1) return { toolCalls: [{ toolName: "nap", arguments: {} }] };
      if (turns === 2) return { toolCalls: [{ toolName: "inner", arguments: { input: "Look." } }] };
      return "Done.";
    }),
    tools: [nap, inner.asTool()],
  });
  const app = testRuns(newFile(), { agents: [agent], runOptions: { maxTurns: 3 } });
  const outer = await app.start(agent, "Go", { here: true });
  expect(await outer.result()).toMatchObject({ status: "completed", text: "Done." });
  expect(JSON.stringify((await outer.state()).messages)).toContain("Seen.");
});
