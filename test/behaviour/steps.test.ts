/** Steps at every depth of a run: what names them, and what remembers them. */
import { Agent, run, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";

/** A key without the fingerprints of what agents were asked. */
const withoutFingerprint = (key: string): string => key.replaceAll(/%2F[0-9a-f]{16}/g, "");

describe("runs within a run", () => {
  /** Calls a tool, and answers once it has the result. */
  function callsOnce(toolName: string, answer: string): FunctionModel {
    return new FunctionModel(({ messages }) =>
      messages.some(({ role }) => role === "tool") ? answer : { toolCalls: [{ toolName, arguments: {} }] },
    );
  }

  function team() {
    const charge = { effects: 0 };
    const pay = tool({
      name: "pay",
      description: "Pays.",
      input: { type: "object", properties: {} },
      execute: () => `paid ${++charge.effects}`,
    });
    const clerk = () => new Agent({ name: "Clerk", model: callsOnce("pay", "Paid."), tools: [pay] });
    const ask = tool({
      name: "ask",
      description: "Asks the clerk.",
      input: { type: "object", properties: {} },
      execute: (_input: unknown, context) => context.runAgent(clerk(), "Pay."),
    });
    const boss = (): Agent =>
      new Agent({ name: "Boss", model: callsOnce("ask", "All is paid."), tools: [ask] });
    return { boss, charge };
  }

  test("share the middlewares, and name the step around them", async () => {
    const seen: string[] = [];
    const { boss } = team();
    await run(boss(), "go", {
      middleware: [
        {
          run(info, next) {
            seen.push(`${info.agent.name} in ${info.parent?.kind}`);
            return next();
          },
          tool(call, info, next) {
            seen.push(`${call.toolName} in ${info.key.parent?.id.split("/")[0]}`);
            return next(call);
          },
        },
      ],
    });
    expect(seen).toEqual(["Boss in undefined", "ask in undefined", "Clerk in run", "pay in Clerk"]);
  });

  test("a run that is started again repeats no step, at any depth", async () => {
    const { boss, charge } = team();
    const journal = memoryJournal();
    const { steps } = journal;
    await run(boss(), "go", { journal });
    expect([...steps.keys()].map(withoutFingerprint)).toEqual(
      [
        "run",
        "turn-1/model",
        "turn-1/tool/ask/run/Clerk/turn-1/model",
        "turn-1/tool/ask/run/Clerk/turn-1/tool/call_1",
        "turn-1/tool/ask/run/Clerk/turn-2/model",
        "turn-1/tool/ask/run/Clerk",
        "turn-1/tool/ask",
        "turn-2/model",
      ].map((key) => key.replaceAll("tool/ask", "tool/call_1")),
    );
    // Interrupted anywhere: with each number of finished steps, the rest is done, and nothing twice.
    const all = [...steps];
    for (let finished = 0; finished < all.length; finished++) {
      steps.clear();
      for (const [key, value] of all.slice(0, finished)) steps.set(key, value);
      charge.effects = 0;
      const { text } = await run(boss(), "go", { journal });
      expect(text).toBe("All is paid.");
      expect(charge.effects).toBe(
        all.slice(0, finished).some(([key]) => withoutFingerprint(key).endsWith("Clerk/turn-1/tool/call_1"))
          ? 0
          : 1,
      );
    }
  });

  test("a session keeps what was done within a call that was interrupted", async () => {
    const { boss, charge } = team();
    const whole = memorySession();
    await run(boss(), "go", { session: whole });
    const { entries } = await whole.load();
    charge.effects = 0;
    for (let count = 2; count < entries.length; count++) {
      const session = memorySession();
      await session.append(entries.slice(0, count));
      const before = charge.effects;
      const isPaid = entries
        .slice(0, count)
        .some((entry) => JSON.stringify(entry).includes("paid 1") || JSON.stringify(entry).includes("Paid."));
      const { text } = await run(boss(), [], { session });
      expect(text).toBe("All is paid.");
      expect(charge.effects - before).toBe(isPaid ? 0 : 1);
    }
    expect(charge.effects).toBeGreaterThan(0);
  });

  test("a journal and a session work together", async () => {
    const { boss, charge } = team();
    const journal = memoryJournal();
    const { steps } = journal;
    const session = memorySession();
    const first = await run(boss(), "go", { journal, session });
    expect(first.text).toBe("All is paid.");
    expect([...steps.keys()].map(withoutFingerprint)).toContain(
      "turn-1/tool/call_1/run/Clerk/turn-1/tool/call_1",
    );
    const again = await run(boss(), "go", { journal, session: memorySession() });
    expect(again.text).toBe("All is paid.");
    expect(charge.effects).toBe(1);
  });
});
