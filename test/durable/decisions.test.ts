/** What comes for calls that wait, and cannot be carried out, or not in time. */
import { afterEach, expect, test, vi } from "vitest";
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { approve, clerk, order } from "./agents.ts";
import { newFile, testRuns, until } from "./test-runs.ts";

afterEach(() => {
  vi.useRealTimers();
});

const day = 86_400_000;

/** Lets the clock go on. */
function pass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

/** An agent that pays and ships with approvals, and waits for a scan. */
function shop(note: (what: string) => void): Agent {
  const execute = (name: string) => () => {
    note(name);
    return `${name} done`;
  };
  const tools = [
    tool({ name: "pay", input: order, approval: true, execute: execute("pay") }),
    tool({ name: "ship", input: order, approval: true, execute: execute("ship") }),
    tool({ name: "scan", input: order }),
  ];
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { toolCalls: tools.map(({ name }) => ({ toolName: name, arguments: { order: 7 } })) }
      : "All done.",
  );
  return new Agent({ name: "Shop", model, tools });
}

test("a decision that cannot be carried out loses none of what came with it, and says why", async () => {
  const effects: string[] = [];
  const agent = shop((what) => void effects.push(what));
  const file = newFile();
  const first = testRuns(file, { agents: [agent] });
  void first.work();
  const { pending } = await (await first.start(agent, "Do it", { id: "r" })).result();
  await first.close();
  const callOf = (name: string) => pending.find(({ toolName }) => toolName === name);
  const approvalOf = (name: string) => callOf(name)?.approvalId ?? "";
  const errors: unknown[] = [];
  const second = testRuns(file, { agents: [agent], onError: (error) => void errors.push(error) });
  const run = second.get("r");
  await run.decide([{ approvalId: approvalOf("ship"), decision: "approve", arguments: { order: "seven" } }]);
  await run.resolve(callOf("scan")?.toolCallId ?? "", "scanned");
  await run.decide([{ approvalId: approvalOf("pay"), decision: "deny" }]);
  void second.work();
  await until(async () => (await run.state()).status === "paused");
  const paused = await run.state();
  expect(paused.pending.map(({ toolName }) => toolName)).toEqual(["ship"]);
  expect(paused.error).toMatchObject({ code: "invalid-input", message: expect.stringContaining("order") });
  expect(JSON.stringify(paused.messages)).toContain("scanned");
  await expect(run.decide([{ approvalId: approvalOf("pay"), decision: "approve" }])).rejects.toThrow(
    "A decision cannot be changed.",
  );
  await approve(run);
  expect(await run.result()).toMatchObject({ status: "completed", text: "All done." });
  expect(await run.state()).not.toHaveProperty("error");
  expect(effects).toEqual(["ship"]);
  expect(errors.length).toBeGreaterThan(0);
});

test("the approvalTimeout holds after a decision that could not be carried out", async () => {
  const refund = vi.fn<() => string>(() => "refunded");
  const agent = clerk(refund, { approval: true });
  const app = testRuns(newFile(), { agents: [agent], approvalTimeout: day });
  void app.work();
  const run = await app.start(agent, "Refund it");
  const { pending } = await run.result();
  const approvalId = pending[0]?.approvalId ?? "";
  await run.decide([{ approvalId, decision: "approve", arguments: { order: "seven" } }]);
  await until(async () => (await run.state()).error !== undefined);
  expect(await run.state()).toMatchObject({ status: "paused" });
  pass(day + 1_000);
  await until(async () => (await run.state()).status === "completed");
  expect(JSON.stringify((await run.state()).messages)).toContain("No person decided on it in time.");
  expect(refund).not.toHaveBeenCalled();
});

test("only the calls that a run paused for are denied after the approvalTimeout, also if its process dies then", async () => {
  const file = newFile();
  const slow = Promise.withResolvers<string>();
  const refund = vi.fn<() => string>(() => "refunded");
  const tools = [
    tool({ name: "refund", input: order, approval: true, execute: refund }),
    tool({ name: "scan", input: order, execute: () => slow.promise }),
  ];
  const call = (toolName: string, number: number) => ({ toolName, arguments: { order: number } });
  const model = new FunctionModel(({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    if (turn === 0) return { toolCalls: [call("refund", 1)] };
    return turn === 1 ? { toolCalls: [call("scan", 1), call("refund", 2)] } : "It is done.";
  });
  const agent = new Agent({ name: "Clerk", model, tools });
  const first = testRuns(file, { agents: [agent], approvalTimeout: day });
  void first.work();
  await (await first.start(agent, "Refund both", { id: "r" })).result();
  pass(day + 1_000);
  await until(async () => JSON.stringify((await first.get("r").state()).messages).includes("scan"));
  await first.close({ drain: 0 });
  slow.resolve("scanned");
  const second = testRuns(file, { agents: [agent], approvalTimeout: day });
  void second.work();
  const { status, pending } = await second.get("r").result();
  expect(status).toBe("paused");
  expect(pending).toMatchObject([{ toolName: "refund", input: { order: 2 } }]);
});

test("what is not JSON is refused as a result at once", async () => {
  const agent = shop(() => {});
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Do it");
  const { pending } = await run.result();
  const id = pending.find(({ toolName }) => toolName === "scan")?.toolCallId ?? "";
  await expect(run.resolve(id, undefined)).rejects.toThrow("but is undefined. Pass null or a text.");
  await expect(run.resolve(id, { scan: () => 1 })).rejects.toThrow("The result.content.scan must be JSON");
  expect((await run.state()).pending).toHaveLength(3);
});
