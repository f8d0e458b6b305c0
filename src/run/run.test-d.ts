import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { memorySession, readSession } from "../sessions/index.ts";
import {
  Agent,
  type AnyAgent,
  type BlockedRun,
  type EndedRun,
  type Middleware,
  type PausedRun,
  run,
  stream,
  tool,
  toolkit,
  type PendingCall,
  type RunEvent,
  type RunInfo,
  type RunResult,
  type RunStatus,
  type RunStream,
  type StepKey,
  type StepMiddleware,
  type ToolContext,
} from "../index.ts";

interface Session {
  readonly user: string;
}
const agent = new Agent<Session>({ name: "A", instructions: ({ context }) => `Help ${context.user}.` });

test("the context keeps its type from options to result", () => {
  expectTypeOf(run(agent, "go", { context: { user: "Ada" } })).toExtend<Promise<{ context: Session }>>();
  expectTypeOf(stream(agent, "go", { context: { user: "Ada" } }).result).toEqualTypeOf<
    Promise<RunResult<Session>>
  >();
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
  expectTypeOf(new Agent({ name: "A", tools })).toEqualTypeOf<Agent<Session>>();
  // @ts-expect-error -- a class cannot be called
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

test("narrows a paused run by its pending calls, and resumes it with decisions", () => {
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
  expectTypeOf(resume).returns.resolves.toHaveProperty("pending").toExtend<readonly PendingCall[]>();
  // @ts-expect-error -- a decision is "approve" or "deny"
  void run(agent, "go", { approvals: [{ approvalId: "1", decision: "yes" }] });
});

test("a result says by its status whether calls are pending", () => {
  const read = (result: RunResult<Session>): void => {
    if (result.status === "paused") {
      expectTypeOf(result).toEqualTypeOf<PausedRun<Session>>();
      // The first one is there without a question.
      expectTypeOf(result.pending[0].approvalId).toEqualTypeOf<string | undefined>();
    } else if (result.status === "blocked") {
      expectTypeOf(result).toEqualTypeOf<BlockedRun<Session>>();
      expectTypeOf(result.blocked.stage).toEqualTypeOf<"input" | "output" | "tool" | "result">();
    } else {
      expectTypeOf(result).toEqualTypeOf<EndedRun<Session>>();
      expectTypeOf(result.pending).toEqualTypeOf<readonly []>();
    }
    // @ts-expect-error -- a run that may have ended may have no pending call
    void result.pending[0].approvalId;
  };
  expectTypeOf(read).parameter(0).toHaveProperty("status").toEqualTypeOf<RunStatus>();
});

test("the end of a run has its result, or its error, as its status says", () => {
  const read = (event: RunEvent): void => {
    if (event.type !== "run-end") return;
    if (event.status === "failed") {
      expectTypeOf(event.result).toEqualTypeOf<undefined>();
      expectTypeOf(event.error).toEqualTypeOf<unknown>();
      return;
    }
    expectTypeOf(event.error).toEqualTypeOf<undefined>();
    expectTypeOf(event.result.text).toEqualTypeOf<string>();
    if (event.status === "paused") expectTypeOf(event.result.pending[0]).toEqualTypeOf<PendingCall>();
  };
  expectTypeOf(read).toBeFunction();
  // @ts-expect-error -- a run that failed has no result
  const text = (event: Extract<RunEvent, { type: "run-end" }>): string => event.result.text;
  expectTypeOf(text).toBeFunction();
});

test("an agent that needs a context does not run without one", () => {
  // @ts-expect-error -- there is no context
  void run(agent, "go");
  // @ts-expect-error -- nor are there options that have one
  void run(agent, "go", { maxTurns: 1 });
  // @ts-expect-error -- nor for a stream
  void stream(agent, [{ role: "user", content: "go" }]);
  void run(agent, "go", { context: { user: "Ada" }, maxTurns: 1 });
  void run(agent, "go", { session: memorySession() });
  // @ts-expect-error -- the context is the agent's, not what the call makes of it
  void run(new Agent<{ role: "admin" | "guest" }>({ name: "D" }), "go", { context: { role: "boss" } });
  void run(new Agent({ name: "B" }), "go");
  void run(new Agent<{ user?: string }>({ name: "C" }), "go");
  const some: AnyAgent = agent;
  void run(some, "go");
  const forAll = <C>(one: Agent<C>, context: C): Promise<RunResult<C>> => run(one, "go", { context });
  expectTypeOf(forAll(agent, { user: "Ada" })).resolves.toEqualTypeOf<RunResult<Session>>();
});

test("a wrong input is reported as such, not as a missing argument", () => {
  const bare = new Agent({ name: "B" });
  const messages = [{ role: "user", content: "go" }];
  const text = messages[0]?.content;
  void run(
    bare,
    // @ts-expect-error -- the role is any string
    messages,
  );
  void stream(
    agent,
    // @ts-expect-error -- also where the context is missing
    messages,
  );
  void run(
    bare,
    // @ts-expect-error -- a message outside a list
    { role: "user", content: "go" },
  );
  void run(bare, [
    {
      role: "user",
      // @ts-expect-error -- a part without its message
      text: "go",
    },
  ]);
  void run(
    bare,
    // @ts-expect-error -- a number
    3,
  );
  void run(
    bare,
    // @ts-expect-error -- only a state may be absent
    text,
  );
  const typed = messages.map(({ content }) => ({ role: "user", content }) as const);
  expectTypeOf(run(bare, typed)).resolves.toEqualTypeOf<RunResult>();
});

test("a state brings its context along, that of a session, too", async () => {
  const session = memorySession();
  const result = await run(agent, (await readSession(session)).state);
  expectTypeOf(result).toEqualTypeOf<RunResult<Session>>();
  expectTypeOf(stream(agent, result.state)).toEqualTypeOf<RunStream<Session>>();
  expectTypeOf(run(agent, JSON.parse("{}"))).resolves.toEqualTypeOf<RunResult<Session>>();
  const text = (await session.load()).warnings?.[0];
  // @ts-expect-error -- only a state may be absent
  void run(agent, text, { context: { user: "Ada" } });
});

test("an agent's middleware has functions around steps; those around runs belong to runs", () => {
  const calls: StepMiddleware = { tool: (call, _info, next) => next(call) };
  const runs: Middleware = { ...calls, run: (_info, next) => next(), step: (_key, next) => next() };
  void new Agent({ name: "A", middleware: [calls, { model: (request, _info, next) => next(request) }] });
  void run(agent, "go", { context: { user: "Ada" }, middleware: [calls, runs] });
  const around = (_info: RunInfo, next: () => Promise<RunResult>): Promise<RunResult> => next();
  const stored = <T>(_key: StepKey, next: () => Promise<T>): Promise<T> => next();
  // @ts-expect-error -- around a whole run
  void new Agent({ name: "A", middleware: [{ run: around }] });
  // @ts-expect-error -- around every step of a run
  void new Agent({ name: "A", middleware: [{ step: stored }] });
  expectTypeOf<keyof StepMiddleware>().toEqualTypeOf<"model" | "tool" | "wholeAnswers">();
  // @ts-expect-error -- a function around calls returns a result
  void run(agent, "go", { context: { user: "Ada" }, middleware: [{ tool: () => "text" }] });
});
