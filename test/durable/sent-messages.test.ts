/** What the user sends to a durable run that works: from any process, once, and never lost. */
import { expect, test } from "vitest";
import { Agent, type Message, tool } from "skein";
import { type DurableStore, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { approve, textOf } from "./agents.ts";
import { dyingStore } from "./dying-store.ts";
import { newFile, testRuns } from "./test-runs.ts";

/** What was said, and where there were results. */
function brief(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    if (message.role === "tool") return "result";
    if (message.role !== "assistant") return textOf(message);
    return message.toolCalls.length > 0 ? "calls" : "answer";
  });
}

/** An agent that works once, and then says what it was told last. */
function worker(work: () => unknown, options: { readonly approval?: boolean } = {}): Agent {
  return new Agent({
    name: "Worker",
    model: new FunctionModel(({ messages }) => {
      if (!messages.some(({ role }) => role === "tool"))
        return { toolCalls: [{ toolName: "work", arguments: {} }] };
      const last = messages.findLast(({ role }) => role === "user");
      return `Read: ${last ? textOf(last) : ""}`;
    }),
    tools: [tool({ name: "work", input: { type: "object", properties: {} }, execute: work, ...options })],
  });
}

test("steer() and queue() from another process: before the next model call, and after the answer", async () => {
  const file = newFile();
  const released = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const agent = worker(() => {
    started.resolve();
    return released.promise;
  });
  const app = testRuns(file, { agents: [agent] });
  const run = await app.start(agent, "Work.", { id: "r" });
  void app.work();
  await started.promise;
  const other = testRuns(file, { agents: [] }).get("r");
  await other.queue("And then?");
  await other.steer({ role: "user", content: "Quickly." });
  released.resolve("Done.");
  expect(await run.result()).toMatchObject({ status: "completed", text: "Read: And then?", attempts: 1 });
  const { messages } = await run.state();
  expect(brief(messages)).toEqual(["Work.", "calls", "result", "Quickly.", "answer", "And then?", "answer"]);
});

test("a message for a run that has not begun, or has paused, is read when it goes on", async () => {
  const agent = worker(() => "Done.", { approval: true });
  const app = testRuns(newFile(), { agents: [agent] });
  const run = await app.start(agent, "Work.");
  await run.steer("Carefully.");
  void app.work();
  expect(await run.result()).toMatchObject({ status: "paused" });
  await run.steer("Really.");
  await approve(run);
  expect(await run.result()).toMatchObject({ status: "completed", text: "Read: Really." });
  expect(brief((await run.state()).messages)).toEqual([
    "Work.",
    "Carefully.",
    "calls",
    "result",
    "Really.",
    "answer",
  ]);
});

test("a message that comes between the answer and the end of the run is answered", async () => {
  const agent = worker(() => "Done.");
  const store = sqliteStore(newFile());
  let send: (() => Promise<void>) | undefined;
  const late: DurableStore = {
    ...store,
    commit: async (lease, write) => {
      const sending = write.change?.status === "completed" ? send : undefined;
      send = sending ? undefined : send;
      await sending?.();
      return store.commit(lease, write);
    },
  };
  const app = testRuns(late, { agents: [agent] });
  const run = await app.start(agent, "Work.");
  send = () => run.queue("One more thing.");
  void app.work();
  expect(await run.result()).toMatchObject({ status: "completed", text: "Read: One more thing." });
  expect(send).toBeUndefined();
});

test("a run that has ended takes no message, and no run takes anything else", async () => {
  const agent = worker(() => "Done.");
  const app = testRuns(newFile(), { agents: [agent] });
  const run = await app.start(agent, "Work.");
  const wrong = { role: "assistant", content: "I did." };
  await expect(Reflect.apply(run.steer, run, [wrong])).rejects.toMatchObject({
    code: "invalid-input",
  });
  void app.work();
  await run.result();
  await expect(run.steer("More.")).rejects.toMatchObject({ code: "run-ended" });
  await expect(run.queue("More.")).rejects.toMatchObject({ code: "run-ended" });
  await expect(app.get("other").queue("More.")).rejects.toMatchObject({ code: "run-not-found" });
});

test("however a process dies, each message is in the conversation once", async () => {
  const agent = worker(() => "Done.");
  for (let at = 1; ; at++) {
    const file = newFile();
    const dead = Promise.withResolvers<void>();
    const first = dyingStore(sqliteStore(file), { at, isAfter: at % 2 === 0 }, () => {
      dead.resolve();
      throw new Error("dead");
    });
    const doomed = testRuns(first.store, { agents: [agent], lease: 200 });
    const other = testRuns(file, { agents: [agent], lease: 200 });
    const run = await other.start(agent, "Work.", { id: "r" });
    await run.steer("Quickly.");
    await run.queue("And then?");
    void doomed.work();
    const isDead = await Promise.race([
      dead.promise.then(() => true),
      run.result({ until: "end" }).then(() => false),
    ]);
    void other.work();
    expect(await run.result({ until: "end" })).toMatchObject({
      status: "completed",
      text: "Read: And then?",
    });
    const texts = brief((await run.state()).messages);
    expect(texts.filter((text) => text === "Quickly.")).toHaveLength(1);
    expect(texts.filter((text) => text === "And then?")).toHaveLength(1);
    if (!isDead) return;
  }
}, 60_000);
