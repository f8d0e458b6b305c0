/** What a person has decided is carried out though something remembers steps: nothing has begun that no other process can have begun. */
import { Agent, type Journal, run, type RunOptions, type RunState, tool, type Tool } from "skein";
import { FunctionModel } from "skein/testing";
import { beforeEach, expect, test } from "vitest";

const effects: string[] = [];
beforeEach(() => void effects.splice(0));

const named = (name: string, options: { approval?: true; interrupted: "ask" | "tell" }): Tool =>
  tool({
    name,
    input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    ...options,
    execute: ({ to }: { to: string }) => {
      effects.push(`${name} ${to}`);
      return "ok";
    },
  });

function calling(toolName: string, tools: readonly Tool[]): Agent {
  const call = { toolName, arguments: toolName === "pay" ? { to: "Ada" } : {} };
  return new Agent({
    name: "Desk",
    tools,
    model: new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : { toolCalls: [call] })),
  });
}

/** Pays and says so, in one call. */
const both = tool({
  name: "both",
  input: { type: "object", properties: {} },
  execute: async (_: object, { call }) => [
    await call("pay", { to: "Ada" }),
    await call("mail", { to: "Ada" }),
  ],
});

function journal(): Journal {
  const steps = new Map<string, unknown>();
  return {
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      if (!steps.has(key)) steps.set(key, await perform());
      return steps.get(key) as T;
    },
  };
}

const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a journal", () => ({ journal: journal() })],
  ["a middleware around steps", () => ({ middleware: [{ step: (_key, next) => next() }] })],
];

const cases = keepers.flatMap(([what, options]) =>
  (["ask", "tell"] as const).flatMap((interrupted) =>
    ["pay", "both"].flatMap((called) =>
      [undefined, { to: "Bob" }].map((edited) => ({ what, options, interrupted, called, edited })),
    ),
  ),
);

test.each(cases)("with $what, $interrupted, in a call of $called, written $edited", async (each) => {
  const { interrupted, called, edited } = each;
  const options = each.options();
  const tools = [named("pay", { approval: true, interrupted }), named("mail", { interrupted }), both];
  const desk = calling(called, tools);
  const first = await run(desk, "Go.", options);
  const approvals = first.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
    ...(edited && { arguments: edited }),
  }));
  const state = JSON.parse(JSON.stringify(first.state)) as RunState;
  expect(await run(desk, state, { ...options, approvals })).toMatchObject({ status: "completed" });
  const paid = `pay ${edited?.to ?? "Ada"}`;
  expect(effects).toEqual(called === "pay" ? [paid] : [paid, "mail Ada"]);
});

test("what an earlier resumption of the same pause may have done is not repeated", async () => {
  const whole = journal();
  // What came of the call is lost, as where a process dies.
  const losing: Journal = {
    step: async (key, perform) => {
      if (!/\/tool\/[^/]+\/decided$/.test(key)) return whole.step(key, perform);
      await perform();
      throw new Error("The disk is full.");
    },
  };
  const desk = calling("pay", [named("pay", { approval: true, interrupted: "tell" })]);
  const first = await run(desk, "Go.", { journal: whole });
  const approvals = [{ approvalId: first.pending[0]?.approvalId ?? "", decision: "approve" as const }];
  const state = JSON.stringify(first.state);
  const resume = (steps: Journal) => run(desk, JSON.parse(state) as RunState, { journal: steps, approvals });
  await expect(resume(losing)).rejects.toThrow("The disk is full.");
  const { messages } = await resume(whole);
  expect(JSON.stringify(messages)).toContain("pay was interrupted: it may or may not have taken effect.");
  expect(effects).toEqual(["pay Ada"]);
});
