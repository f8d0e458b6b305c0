/** What becomes of durable runs when the program changes between two turns: they complete, or say why they do not. */
import { runInThisContext } from "node:vm";
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test, vi } from "vitest";
import { approve } from "./agents.ts";
import { newFile, testRuns, until } from "./test-runs.ts";

const calling = (toolName: string, args: { readonly [name: string]: number }): FunctionModel =>
  new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName, arguments: args }] } : "It is done.",
  );

/** A build of the program: an agent with one tool that needs approval. */
function build(
  name: string,
  property: string,
  execute: () => unknown,
  model = calling("refund", { order: 7 }),
) {
  const input = { type: "object", properties: { [property]: { type: "integer" } }, required: [property] };
  return new Agent({ name: "Clerk", model, tools: [tool({ name, input, approval: true, execute })] });
}

async function pausedIn(file: string, agent: Agent): Promise<void> {
  const app = testRuns(file, { agents: [agent] });
  void app.work();
  expect(await (await app.start(agent, "Refund it", { id: "r" })).result()).toMatchObject({
    status: "paused",
  });
  await app.close();
}

test("the tool of an approved call is gone: the run is stuck with its decision, until a build has the tool", async () => {
  const file = newFile();
  const refund = vi.fn<() => string>(() => "refunded");
  await pausedIn(file, build("refund", "order", refund));
  const renamed = testRuns(file, { agents: [build("repay", "order", refund)] });
  const run = renamed.get("r");
  await approve(run);
  void renamed.work();
  expect(await run.result()).toMatchObject({
    status: "stuck",
    missing: expect.stringContaining('waits for the tool "refund" of Clerk'),
  });
  const { pending } = await run.state();
  expect(pending).toEqual([]);
  await renamed.close();
  expect(refund).not.toHaveBeenCalled();
  const back = testRuns(file, { agents: [build("refund", "order", refund)] });
  void back.work();
  await until(async () => (await back.get("r").state()).status === "completed");
  expect(refund).toHaveBeenCalledTimes(1);
});

test("the schema of an approved call has changed: the model reads what does not fit, and nothing is executed", async () => {
  const file = newFile();
  const refund = vi.fn<() => string>(() => "refunded");
  await pausedIn(file, build("refund", "order", refund));
  const app = testRuns(file, { agents: [build("refund", "orderNumber", refund)] });
  await approve(app.get("r"));
  void app.work();
  expect(await app.get("r").result()).toMatchObject({ status: "completed" });
  expect(refund).not.toHaveBeenCalled();
  expect(JSON.stringify((await app.get("r").state()).messages)).toMatch(/orderNumber/);
});

test("the model of the new build answers from its next turn on", async () => {
  const file = newFile();
  const refund = vi.fn<() => string>(() => "refunded");
  await pausedIn(file, build("refund", "order", refund));
  const other = new FunctionModel(() => "Another model answers.");
  const app = testRuns(file, { agents: [build("refund", "order", refund, other)] });
  void app.work();
  await approve(app.get("r"));
  expect(await app.get("r").result()).toMatchObject({ status: "completed", text: "Another model answers." });
  expect(refund).toHaveBeenCalledTimes(1);
});

test("the agent that was active is gone: the run is stuck, and goes on where it is back", async () => {
  const file = newFile();
  const refunding = new FunctionModel(({ messages }) =>
    JSON.stringify(messages).includes("refunded")
      ? "It is done."
      : { toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] },
  );
  const refunds = build("refund", "order", () => "refunded", refunding).with({ name: "Refunds" });
  const triage = (handoffs: readonly Agent[]): Agent =>
    new Agent({ name: "Triage", model: calling("transfer_to_refunds", {}), handoffs: [...handoffs] });
  const first = testRuns(file, { agents: [triage([refunds])] });
  void first.work();
  const started = await first.start("Triage", "Refund it", { id: "r" });
  expect(await started.result()).toMatchObject({ status: "paused" });
  await first.close();
  const without = testRuns(file, { agents: [triage([])] });
  await approve(without.get("r"));
  void without.work();
  expect(await without.get("r").result()).toMatchObject({
    status: "stuck",
    missing: expect.stringContaining("Refunds"),
  });
  await without.close();
  const back = testRuns(file, { agents: [triage([refunds])] });
  void back.work();
  await until(async () => (await back.get("r").state()).status === "completed");
});

test("a build that is stuck does not try again, unless retry() asks for it", async () => {
  const file = newFile();
  const refund = vi.fn<() => string>(() => "refunded");
  await pausedIn(file, build("refund", "order", refund));
  const renamed = { agents: [build("repay", "order", refund)], version: "2" };
  const app = testRuns(file, renamed);
  await approve(app.get("r"));
  void app.work();
  await app.get("r").result();
  const { attempts } = await app.get("r").state();
  void testRuns(file, renamed).work();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await app.get("r").state()).toMatchObject({ status: "stuck", attempts });
  await app.get("r").retry();
  await until(async () => (await app.get("r").state()).attempts === attempts + 1);
  expect(await app.get("r").result()).toMatchObject({ status: "stuck" });
});

test("a build that lacks the schemas of its tools leaves a run to one that has them", async () => {
  const file = newFile();
  const model = calling("refund", { order: 7 });
  // Nothing says what a function without a source takes.
  const refund: (order: number) => string = runInThisContext("(function refund(order) { return 'done'; })");
  const built = testRuns(file, { agents: [new Agent({ name: "Clerk", model, tools: [refund] })] });
  const run = await built.start("Clerk", "Refund it", { id: "r" });
  void built.work();
  expect(await run.result()).toMatchObject({
    status: "stuck",
    missing: expect.stringContaining("refund"),
  });
  await built.close();
  const input = { type: "object", properties: { order: { type: "integer" } } } as const;
  const withSchema = tool({ name: "refund", input, execute: () => "done" });
  const back = testRuns(file, { agents: [new Agent({ name: "Clerk", model, tools: [withSchema] })] });
  void back.work();
  await until(async () => (await back.get("r").state()).status === "completed");
});
