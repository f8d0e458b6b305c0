/** A request that is refused leaves its session as it was: the corrected one does what the first one could not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, describe } from "vitest";
import { Agent, run, tool, type RunOptions } from "skein";
import { fileSession, memorySession, readSession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";

const folder = mkdtempSync(join(tmpdir(), "skein-refused-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const empty = { type: "object", properties: {} } as const;

/** An agent that pays, which needs approval, and asks somebody elsewhere. */
function clerk() {
  const paid: number[] = [];
  const pay = tool({ name: "pay", input: empty, approval: true, execute: () => paid.push(1) });
  const ask = tool({ name: "ask", input: empty });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "pay" }, { toolName: "ask" }] },
  );
  return { paid, agent: new Agent({ name: "A", model, tools: [pay, ask] }) };
}

describe.each([
  ["memory", () => memorySession()],
  ["a file", () => fileSession(join(folder, `${crypto.randomUUID()}.jsonl`))],
  ["a database", () => sqliteSession(join(folder, `${crypto.randomUUID()}.db`), "one")],
])("in %s", (_, open) => {
  test.each<[string, string, (approvalId: string) => RunOptions]>([
    [
      "an unknown decision beside a result",
      "",
      (approvalId) => ({
        approvals: [
          { approvalId, decision: "approve" },
          { approvalId: "other", decision: "approve" },
        ],
        results: [{ toolCallId: "call_2", content: "large" }],
      }),
    ],
    [
      "a decision beside a new message",
      "Yes, do it",
      (approvalId) => ({ approvals: [{ approvalId, decision: "approve" }] }),
    ],
    ["a result without content", "", () => ({ results: [{ toolCallId: "call_2" } as never] })],
  ])("%s changes nothing", async (__, text, options) => {
    const { agent, paid } = clerk();
    const session = open();
    const { pending } = await run(agent, "Pay", { session });
    const approvalId = pending[0]?.approvalId ?? "";
    const before = await readSession(session);
    const refused = run(agent, text === "" ? [] : text, { session, ...options(approvalId) });
    await expect(refused).rejects.toMatchObject({ code: "invalid-input" });
    expect(await readSession(session)).toEqual(before);
    const done = await run(agent, [], {
      session,
      approvals: [{ approvalId, decision: "approve" }],
      results: [{ toolCallId: "call_2", content: "large" }],
    });
    expect(done).toMatchObject({ status: "completed", text: "Done." });
    expect(paid).toEqual([1]);
  });
});
