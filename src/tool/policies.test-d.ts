import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  type FunctionTool,
  type PolicyContext,
  tool,
  ToolRegistry,
  toolkit,
  type ToolArguments,
  type ToolContext,
  type ToolPolicy,
  toolset,
} from "../index.ts";

interface Session {
  readonly user: string;
}
interface Payment {
  readonly to: string;
  readonly amount: number;
}

const pay = (to: string, amount: number): string => `${amount} for ${to}`;
const destructured = ({ to, amount }: Payment): string => `${amount} for ${to}`;
const named = (payment: Payment): string => `${payment.amount} for ${payment.to}`;
const forSession = (to: string, caller: ToolContext<Session>): string => `${to} for ${caller.context.user}`;

test("the arguments of a function with several parameters are what the policy says they are, else unknown", () => {
  void tool(pay, { approval: ({ amount }: { amount: number }) => amount > 50 });
  void tool(pay, { approval: ({ amount }: Payment) => amount > 50, serialize: ({ to }) => to });
  void tool(pay, { approval: (args) => expectTypeOf(args).toEqualTypeOf<ToolArguments>() && true });
  // @ts-expect-error -- what it is is not known
  void tool(pay, { approval: ({ amuont }) => amuont > 50 });
  // @ts-expect-error -- nor is it a key
  void tool(pay, { serialize: ({ to }) => to });
  // @ts-expect-error -- nor a part of one
  void tool(pay, { cache: { key: ({ to }) => to.toLowerCase() } });
  // @ts-expect-error -- the policies do not agree on what there is
  void tool(pay, { approval: ({ amount }: { amount: number }) => amount > 50, serialize: ({ to }) => to });
});

test("the arguments of a function of one object have its types", () => {
  void tool(destructured, {
    approval: ({ amount }) => amount > 50,
    serialize: ({ to }) => to,
    cache: { key: ({ to, amount }) => `${to} ${amount}` },
  });
  void tool(destructured, { approval: ({ amount }: Payment) => amount > 50 });
  void tool(destructured, { serialize: ({ amount }) => expectTypeOf(amount).toEqualTypeOf<number>() && "" });
  // @ts-expect-error -- there is no such property
  void tool(destructured, { approval: ({ amuont }) => amuont > 50 });
  // @ts-expect-error -- nor is it a key
  void tool(destructured, { serialize: ({ too }) => too });
  void tool(named, { approval: ({ payment }) => Number(payment?.amount) > 50 });
  void tool(named, { approval: ({ payment }: { payment: Payment }) => payment.amount > 50 });
  // @ts-expect-error -- the payment has no such property
  void tool(named, { approval: ({ payment }) => payment.amuont > 50 });
  const withContext = ({ to }: Payment, caller: ToolContext<Session>): string => to + caller.context.user;
  void tool(withContext, { approval: ({ amount }, { context }) => amount > 50 && context.user !== "Ada" });
  // @ts-expect-error -- a second argument that the types leave unsaid
  void tool((payment: Payment, note?: string) => [payment, note], { serialize: ({ note }) => note });
});

test("the arguments of a tool with a schema have the schema's types", () => {
  const input = z.object({ amount: z.number() });
  void tool({ name: "pay", input, approval: ({ amount }) => amount > 50 });
  // @ts-expect-error -- the schema has no such property
  void tool({ name: "pay", input, approval: ({ amuont }) => amuont > 50 });
  // @ts-expect-error -- nor one that a policy adds
  void tool({ name: "pay", input, approval: ({ to }: { to: string }) => to === "" });
  void tool({
    name: "pay",
    input: { type: "object" },
    approval: (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>() && true,
  });
});

test("a policy's context is that of the function, or of its own, else unknown", () => {
  void tool(forSession, {
    approval: (_, { context }) => expectTypeOf(context).toEqualTypeOf<Session>() && true,
    allow: ({ context }) => context.user === "Ada",
    cache: { key: (_, { context }) => context.user },
  });
  expectTypeOf(tool(forSession)).toEqualTypeOf<FunctionTool<Session>>();
  expectTypeOf(tool(pay)).toEqualTypeOf<FunctionTool<unknown>>();
  const forAda = tool(pay, { allow: async ({ context }: PolicyContext<Session>) => context.user === "Ada" });
  expectTypeOf(forAda).toEqualTypeOf<FunctionTool<Session>>();
  // @ts-expect-error -- the function's context has no role
  void tool(forSession, { allow: ({ context }) => context.role === "admin" });
  // @ts-expect-error -- nothing is known of a context
  void tool(pay, { allow: ({ context }) => context.role === "admin" });
  // @ts-expect-error -- the function's context is another one
  void tool(forSession, { allow: ({ context }: PolicyContext<{ role: string }>) => context.role === "" });
  // @ts-expect-error -- a function says yes or no
  void tool(pay, { allow: () => "yes" });
  void tool({
    name: "pay",
    input: z.object({ to: z.string() }),
    execute: ({ to }, caller: ToolContext<Session>) => to + caller.context.user,
    // TypeScript reads from left to right: the context is known from `execute` on.
    approval: ({ to }, { context }) => to === context.user,
  });
});

test("policies for sets, registries and by themselves are typed, too", () => {
  const policy: ToolPolicy<{ amount: number }, Session> = {
    approval: ({ amount }, { context }) => amount > 50 || context.user === "Max",
  };
  void toolset([pay]).withPolicy(policy);
  void toolset([pay]).withApproval(({ amount }: { amount: number }) => amount > 50);
  void toolset([pay]).withApproval((args) => !("amount" in args) || Number(args["amount"]) > 50);
  void new ToolRegistry().tool(pay, policy);
  void toolkit(new Date(), { allow: ({ context }: PolicyContext<Session>) => context.user === "Ada" });
  // @ts-expect-error -- what it is is not known
  void toolset([pay]).withApproval(({ amuont }) => amuont > 50);
  // @ts-expect-error -- likewise
  void new ToolRegistry().tool(pay, { approval: ({ amuont }) => amuont > 50 });
  // @ts-expect-error -- likewise
  void toolkit(new Date(), { approval: ({ amuont }) => amuont > 50 });
  // @ts-expect-error -- likewise
  const plain: ToolPolicy = { approval: ({ amuont }) => amuont > 50 };
  expectTypeOf(plain.approval).not.toBeAny();
});

test("a tool with policies goes to an agent of their context alone", () => {
  const forAda = tool(pay, { allow: ({ context }: PolicyContext<Session>) => context.user === "Ada" });
  expectTypeOf(new Agent<Session>({ name: "A", tools: [forAda] })).toEqualTypeOf<Agent<Session>>();
  // @ts-expect-error -- the agent's context has no user
  void new Agent<{ role: string }>({ name: "A", tools: [forAda] });
});
