import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  run,
  stream,
  tool,
  toolkit,
  type PendingCall,
  type PolicyContext,
  type RunEvent,
  type RunResult,
  type ToolContext,
} from "../index.ts";

interface Session {
  readonly user: string;
}
const agent = new Agent<Session>({ name: "A", instructions: ({ context }) => `Help ${context.user}.` });

test("the context keeps its type from options to result", () => {
  expectTypeOf(run(agent, "go", { context: { user: "Ada" } })).toExtend<Promise<{ context: Session }>>();
  expectTypeOf(stream(agent, "go").result).toEqualTypeOf<Promise<RunResult<Session>>>();
  // @ts-expect-error -- the context is not that of the agent
  void run(agent, "go", { context: { name: "Ada" } });
  // @ts-expect-error -- Session has no `id`
  void new Agent<Session>({ name: "B", instructions: ({ context }) => context.id });
});

test("an agent needs no type arguments, and agents of every context can be handed over to", () => {
  const bare = new Agent({ name: "B", handoffs: [agent] });
  expectTypeOf(run(bare, "go")).toExtend<Promise<RunResult>>();
  void new Agent<{ other: number }>({ name: "C", handoffs: () => [agent, bare] });
});

test("any function is a tool; a class and a number are not", () => {
  const tools = [
    (city: string, days = 3) => city.repeat(days),
    async ({ city }: { city: string }, context: ToolContext<Session>) => city + context.context.user,
    function* count(limit: number): Generator<number> {
      yield limit;
    },
    toolkit(new Date()),
  ];
  expectTypeOf(new Agent({ name: "A", tools })).toEqualTypeOf<Agent>();
  // @ts-expect-error -- a class is no function to call
  void new Agent({ name: "A", tools: [Agent] });
  // @ts-expect-error -- nor is a number
  void new Agent({ name: "A", tools: [7] });
});

test("the input of a tool has the type that its schema's output has", () => {
  const schema = z.object({ amount: z.coerce.number(), to: z.enum(["EUR", "USD"]).default("EUR") });
  tool({
    name: "convert",
    input: schema,
    execute: (input) => expectTypeOf(input).toEqualTypeOf<{ amount: number; to: "EUR" | "USD" }>(),
  });
  tool({
    name: "raw",
    input: { type: "object" },
    execute: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
  });
});

test("events are told apart by their type", () => {
  const textOf = (event: RunEvent): string =>
    event.type === "text-delta" ? event.text : String(event.index);
  const receiverOf = (event: RunEvent): string | undefined =>
    event.type === "handoff" ? event.to : undefined;
  expectTypeOf(textOf).returns.toBeString();
  expectTypeOf(receiverOf).returns.toEqualTypeOf<string | undefined>();
});

test("a paused run is told by its pending calls, and resumed with decisions on them", () => {
  interface Payment {
    readonly amount: number;
  }
  const edited: Payment = { amount: 5 };
  const resume = ({ state, pending }: RunResult<Session>): Promise<RunResult<Session>> =>
    run(agent, state, {
      stateSecret: "secret",
      approvals: pending.flatMap(({ approvalId }) =>
        approvalId === undefined ? [] : [{ approvalId, decision: "approve", arguments: edited }],
      ),
    });
  expectTypeOf(resume).returns.resolves.toHaveProperty("pending").toEqualTypeOf<readonly PendingCall[]>();
  // @ts-expect-error -- a decision is "approve" or "deny"
  void run(agent, "go", { approvals: [{ approvalId: "1", decision: "yes" }] });
});

test("policies get the arguments and the context with the types they are declared with", () => {
  const pay = (to: string, amount: number): string => `${amount} for ${to}`;
  tool(pay, {
    approval: ({ amount }: { amount: number }, { context }: PolicyContext<Session>) =>
      amount > 100 && context.user !== "Ada",
    allow: async ({ context }: PolicyContext<Session>) => context.user === "Ada",
    requires: ["lookUp"],
  });
  tool({
    name: "pay",
    input: z.object({ amount: z.number() }),
    approval: (args) => expectTypeOf(args).toEqualTypeOf<{ amount: number }>() && true,
    execute: ({ amount }) => amount,
  });
  // @ts-expect-error -- a function says yes or no
  tool(pay, { allow: () => "yes" });
});
