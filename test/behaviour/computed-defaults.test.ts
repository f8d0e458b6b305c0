/** Inputs that a schema computes again each time: what a person approves must be what the tool gets, or nothing. */
import { setTimeout } from "node:timers/promises";
import { Agent, run, type RunResult, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const computed = { id: () => crypto.randomUUID(), time: () => String(Date.now()) };
const shown = z.object({ ref: z.string() });

/** Approves whatever is pending until nothing is, five times at most. */
async function approveAll(agent: Agent): Promise<{ readonly result: RunResult; readonly pauses: number }> {
  let result = await run(agent, "Book it.");
  let pauses = 0;
  for (; result.status === "paused" && pauses < 5; pauses++) {
    expect(result.warnings).toEqual([]);
    const approvals = result.pending.map(
      ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
    );
    // A person takes longer than the clock's next step.
    await setTimeout(5);
    result = await run(agent, JSON.parse(JSON.stringify(result.state)), { approvals });
  }
  return { result, pauses };
}

function agentOf(
  toolName: string,
  args: { readonly day?: string },
  tools: ConstructorParameters<typeof Agent>[0]["tools"],
): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName, arguments: args }] },
  );
  return new Agent({ name: "Clerk", model, ...(tools && { tools }) });
}

test.each(Object.entries(computed))(
  "a call whose schema transforms and computes a default (%s) is refused once it is approved",
  async (_, compute) => {
    const calls: unknown[] = [];
    const book = tool({
      name: "book",
      input: z.object({
        day: z.string().transform((iso) => ({ iso })),
        ref: z.string().default(compute),
      }),
      approval: true,
      execute: (input) => calls.push(input),
    });
    const { result, pauses } = await approveAll(agentOf("book", { day: "2026-01-01" }, [book]));
    expect(pauses).toBe(1);
    expect(result.status).toBe("completed");
    expect(calls).toEqual([]);
    expect(JSON.stringify(result.messages)).toContain('"outcome":"invalid-arguments"');
    expect(JSON.stringify(result.messages)).toContain(
      "a default that is computed again each time, and a transform",
    );
    expect(result.warnings).toEqual([]);
  },
);

test("so is a call that has begun, and whose tool waits for another", async () => {
  const paid: string[] = [];
  const pay = tool({ name: "pay", input: shown, approval: true, execute: ({ ref }) => paid.push(ref) });
  const order = tool({
    name: "order",
    input: z.object({
      day: z
        .string()
        .default("today")
        .transform((iso) => ({ iso })),
      ref: z.string().default(computed.id),
    }),
    execute: ({ ref }, { call }) => call("pay", { ref }),
  });
  const { result, pauses } = await approveAll(agentOf("order", {}, [order, pay]));
  expect(pauses).toBe(1);
  expect(result.status).toBe("completed");
  expect(paid).toEqual([]);
  expect(JSON.stringify(result.messages)).toContain(
    "a default that is computed again each time, and a transform",
  );
});

test("a computed default alone is approved as it was shown", async () => {
  const refs: string[] = [];
  const book = tool({
    name: "book",
    input: z.object({ ref: z.string().default(computed.id) }),
    approval: true,
    execute: ({ ref }) => refs.push(ref),
  });
  const { result, pauses } = await approveAll(agentOf("book", {}, [book]));
  expect([result.status, pauses, refs.length]).toEqual(["completed", 1, 1]);
});
