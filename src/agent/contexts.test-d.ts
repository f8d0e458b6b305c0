import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { Agent, tool, toolkit, type ToolContext, type ToolFunction } from "../index.ts";

interface Session {
  readonly user: string;
}
interface Admin extends Session {
  readonly role: "admin";
}
interface Other {
  readonly id: number;
}

const plain = (city: string, days = 3): string => city.repeat(days);
const anyContext = (city: string, caller: ToolContext): string => city + caller.toolCallId;
const first = (caller: ToolContext<Session>, city: string): string => city + caller.context.user;
const last = (city: string, days: number, caller: ToolContext<Session>): string =>
  city.repeat(days) + caller.context.user;
const optional = (city?: string, caller?: ToolContext<Session>): string => `${city}${caller?.context.user}`;
const destructured = ({ context }: ToolContext<Session>): string => context.user;
const forAdmin = (caller: ToolContext<Admin>): string => caller.context.role;
const forOther = (input: { city: string }, caller: ToolContext<Other>): string =>
  input.city + caller.context.id;
const complete = tool({
  name: "complete",
  input: z.object({ city: z.string() }),
  execute: ({ city }, caller: ToolContext<Session>) => city + caller.context.user,
});

test("an agent takes functions of its own context, of a smaller one, and of none, wherever they have it", () => {
  const tools = [
    plain,
    anyContext,
    first,
    last,
    optional,
    destructured,
    complete,
    tool(first, { timeout: 1 }),
  ];
  expectTypeOf(new Agent<Session>({ name: "A", tools })).toEqualTypeOf<Agent<Session>>();
  void new Agent<Admin>({ name: "A", tools: [...tools, forAdmin] });
  void new Agent<Session>({ name: "A", tools: { plain, first, complete, other: tool(last) } });
});

test("a tool of another context, or of a larger one, is a type error", () => {
  // @ts-expect-error -- a function of another context
  expectTypeOf(new Agent<Session>({ name: "A", tools: [forOther] })).toEqualTypeOf<Agent<Session>>();
  // @ts-expect-error -- among others
  void new Agent<Session>({ name: "A", tools: [plain, first, forOther] });
  // @ts-expect-error -- in a record
  void new Agent<Session>({ name: "A", tools: { forOther } });
  // @ts-expect-error -- with options
  void new Agent<Session>({ name: "A", tools: [tool(forOther, { timeout: 1 })] });
  // @ts-expect-error -- a tool with a schema
  void new Agent<Other>({ name: "A", tools: [complete] });
  // @ts-expect-error -- a function that needs more than there is
  void new Agent<Session>({ name: "A", tools: [forAdmin] });
  // @ts-expect-error -- nothing is there
  void new Agent<unknown>({ name: "A", tools: [first] });
  // @ts-expect-error -- a copy keeps its context
  void new Agent<Session>({ name: "A" }).with({ tools: [forOther] });
});

test("an agent's context is found in its tools and its instructions", () => {
  expectTypeOf(new Agent({ name: "A", tools: [plain, anyContext] })).toEqualTypeOf<Agent>();
  expectTypeOf(new Agent({ name: "A", tools: [plain, last] })).toEqualTypeOf<Agent<Session>>();
  expectTypeOf(new Agent({ name: "A", tools: [first, forAdmin] })).toEqualTypeOf<Agent<Admin>>();
  expectTypeOf(new Agent({ name: "A", tools: { complete } })).toEqualTypeOf<Agent<Session>>();
  expectTypeOf(new Agent({ name: "A", tools: [tool(first, { timeout: 1 })] })).toEqualTypeOf<
    Agent<Session>
  >();
  const agent = new Agent({ name: "A", tools: [first], instructions: ({ context }) => context.user });
  expectTypeOf(agent).toEqualTypeOf<Agent<Session>>();
  // @ts-expect-error -- no context is both
  void new Agent({ name: "A", tools: [first, forOther] });
});

test("data that looks like a context is data", () => {
  const quote = (input: { context: string; idempotencyKey: string }): string => input.context;
  expectTypeOf(new Agent({ name: "A", tools: [quote] })).toEqualTypeOf<Agent>();
  void new Agent<Session>({ name: "A", tools: [quote] });
});

test("all kinds of functions fit, and classes do not", () => {
  const functions: readonly ToolFunction<Session>[] = [
    (value: unknown, when: Date, list: readonly string[], ...rest: readonly number[]) => [
      value,
      when,
      list,
      rest,
    ],
    <T extends { id: number }>(value: T) => value.id,
    async function* count(limit: number) {
      yield limit;
    },
    Math.max,
    JSON.stringify,
  ];
  expectTypeOf(new Agent<Session>({ name: "A", tools: functions })).toEqualTypeOf<Agent<Session>>();
  void new Agent<Session>({ name: "A", tools: [toolkit(new Date())] });
  // @ts-expect-error -- a class cannot be called
  void new Agent({ name: "A", tools: [Agent] });
});

test("an agent of any context fits where some agent is expected, not where another context is", () => {
  const agent = new Agent<Session>({ name: "A" });
  const describe = (some: Agent): string => some.name;
  expectTypeOf(describe(agent)).toBeString();
  const some: Agent = agent;
  const again: Agent<Session> = new Agent({ name: "B" });
  void new Agent({ name: "C", handoffs: [some, again, agent] });
  // @ts-expect-error -- another context
  const other: Agent<Other> = agent;
  expectTypeOf(other).not.toBeAny();
});
