/** A run that fails before it has done anything: what to resume. */
import { expect, test } from "vitest";
import { Agent, run, SkeinError, tool, type Session } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { empty } from "./test-nested.ts";

async function errorOf(running: Promise<unknown>): Promise<SkeinError> {
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SkeinError)) throw new Error("The run did not fail.", { cause: error });
  return error;
}

/** Desk runs Helper, which ships and then fails at its session; the ways that its session fails are `failing`. */
function desk() {
  const shipped: string[] = [];
  const ship = tool({
    name: "ship",
    input: empty,
    execute: (_, { idempotencyKey }) => `shipped ${shipped.push(idempotencyKey)}`,
  });
  const turn = { toolCalls: [{ toolName: "ship", arguments: {} }] };
  const helper = new Agent({
    name: "Helper",
    model: new FunctionModel(({ messages }) => (messages.length > 1 ? "Shipped." : turn)),
    tools: [ship],
  });
  const call = { toolCalls: [{ toolName: "helper", arguments: { input: "Ship." } }] };
  const model = new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : call));
  return { agent: new Agent({ name: "Desk", model, tools: [helper.asTool()] }), shipped };
}

/** A session that fails at one of its entries, before it stores anything, or after. */
function failing(stored: Session, isDue: (text: string) => boolean, place: "before" | "after"): Session {
  return {
    load: () => stored.load(),
    clear: () => stored.clear(),
    async append(entries) {
      const isFailing = isDue(JSON.stringify(entries));
      if (isFailing && place === "before") throw new Error("disk full");
      await stored.append(entries);
      if (isFailing) throw new Error("disk full");
    },
  };
}

test("a run that cannot claim its session leaves it at that: nothing is executed again, whatever is resumed", async () => {
  const stored = memorySession();
  const { agent, shipped } = desk();
  const isResult = (text: string): boolean => text.includes("shipped 1");
  await errorOf(run(agent, "Go", { session: failing(stored, isResult, "after") }));
  const refused = await errorOf(run(agent, [], { session: failing(stored, () => true, "before") }));
  expect(refused).toMatchObject({ code: "session-failed", message: expect.stringContaining("Resume from") });
  expect(refused.state).toBeUndefined();
  const done = await run(agent, [], { session: stored });
  expect([done.text, shipped.length]).toEqual(["Done.", 1]);
});

test("a session whose decisions are refused stands where it was, signed or not", async () => {
  const pay = tool({ name: "pay", input: empty, approval: true, execute: () => "paid" });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }, "Done."]);
  const agent = new Agent({ name: "Clerk", model, tools: [pay] });
  const options = { stateSecret: "a secret of this test", session: memorySession() };
  const paused = await run(agent, "Pay", options);
  const refused = await errorOf(
    run(agent, [], { ...options, approvals: [{ approvalId: "unknown", decision: "approve" }] }),
  );
  expect(refused.state).toBeUndefined();
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  expect((await run(agent, [], { ...options, approvals })).text).toBe("Done.");
});
