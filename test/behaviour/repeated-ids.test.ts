/** Servers that number the calls of each answer from 0: a call of a later answer is not the one that a person has decided on. */
import { Agent, run, type Session, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test, vi } from "vitest";
import { empty } from "./test-nested.ts";

/** What another process finds once this one is gone: its claim does not hold. */
async function afterDeath(session: Session): Promise<Session> {
  const { entries } = await session.load();
  const copy = memorySession();
  await copy.append(
    entries.map((entry) => {
      if (entry.type !== "claim") return entry;
      const { process: _, ...claim } = entry;
      return { ...claim, until: 1 };
    }),
  );
  return copy;
}

test("a call with the id of one that was approved before is not executed again after a crash", async () => {
  const effects: string[] = [];
  const does = (name: string, approval = false) =>
    tool({ name, input: empty, approval, execute: () => effects.push(name) });
  const started = Promise.withResolvers<void>();
  let isDying = true;
  const wait = tool({
    name: "wait",
    input: empty,
    execute: () => {
      started.resolve();
      return isDying ? Promise.withResolvers<never>().promise : "waited";
    },
  });
  const batches = [["pay"], ["book", "wait"]];
  const model = new FunctionModel(({ messages }) => {
    const names = batches[messages.filter(({ role }) => role === "assistant").length];
    if (!names) return "Done.";
    return { toolCalls: names.map((toolName, index) => ({ toolName, toolCallId: `call_${index}` })) };
  });
  const agent = new Agent({ name: "Clerk", model, tools: [does("pay", true), does("book"), wait] });
  const session = memorySession();

  const { pending } = await run(agent, "Go.", { session });
  const controller = new AbortController();
  const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }] as const;
  const dying = run(agent, [], { session, approvals, signal: controller.signal });
  await started.promise;
  await vi.waitFor(async () => expect(JSON.stringify(await session.load())).toContain("turn-2/tool/call_0"));
  const copy = await afterDeath(session);
  controller.abort();
  await dying;
  isDying = false;

  expect((await run(agent, [], { session: copy })).text).toBe("Done.");
  expect(effects).toEqual(["pay", "book"]);
});
