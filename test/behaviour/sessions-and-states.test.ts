/** A run that is in a session, and that a program resumes from its state as well. */
import { Agent, run, tool, type RunResult } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { expect, test } from "vitest";
import { calls, decide, empty } from "./test-nested.ts";

test.each([
  ["the session", true],
  ["the state", false],
])(
  "executes its pending calls once where both are resumed at the same time, %s first",
  async (_title, isSessionFirst) => {
    const keys: string[] = [];
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const pay = tool({
      name: "pay",
      input: empty,
      approval: true,
      execute: async (_input: unknown, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        started.resolve();
        await finish.promise;
        return "paid";
      },
    });
    const agent = new Agent({ name: "A", model: calls("pay"), tools: [pay] });
    const session = memorySession();
    const paused = await run(agent, "Pay", { session });
    const { state } = await readSession(session);
    if (!state) throw new Error("the session has no state");
    const approvals = decide(paused);
    const bySession = (): Promise<RunResult> => run(agent, [], { session, approvals });
    const byState = (): Promise<RunResult> => run(agent, state, { approvals });
    const [first, second] = isSessionFirst ? [bySession, byState] : [byState, bySession];
    const running = first();
    await started.promise;
    await expect(second()).rejects.toMatchObject({ code: "session-busy" });
    finish.resolve();
    expect(await running).toMatchObject({ status: "completed" });
    expect(keys).toHaveLength(1);
    expect(await run(agent, "Again", { session })).toMatchObject({ status: "completed" });
  },
);
