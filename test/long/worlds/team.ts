/** The agents of a world: three levels of two that hand off to each other, with tools of the same names. */
import {
  Agent,
  result,
  tool,
  toolset,
  type AnyAgent,
  type Message,
  type Tool,
  type Toolset,
  type ToolContext,
} from "skein";
import { FunctionModel } from "skein/testing";
import { indexCalls, leafTools, otherTools, type CallPlan, type Goal, type ToolKind } from "./plan.ts";
import { added, asCalled, asWritten } from "./changes.ts";
import { countAnswers, isRequest } from "./compaction.ts";
import { checkHistory, WorldLog } from "./log.ts";
import type { Scenario } from "./scenario.ts";

const others: readonly string[] = otherTools;
const leaves: readonly string[] = leafTools;

interface Input {
  readonly id: string;
  readonly n: number;
  readonly x?: unknown;
}

export type TeamOptions = Pick<Scenario, "hasShortIds" | "compacts" | "changes" | "kit">;

const text = { type: "string" } as const;
const input = {
  type: "object",
  properties: { id: text, n: { type: "integer" }, x: {} },
  required: ["id", "n"],
} as const;

/** Whether an error must be thrown again: the call within waits. */
const isWaiting = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "call-waiting";

/** The goal, or the call, whose turns an agent's history is about, and how many answers there are to it. */
function topicOf(messages: readonly Message[]): { readonly id: string; readonly answers: number } {
  const at = messages.findLastIndex(isRequest);
  const message = messages[at];
  const content = message?.role === "user" ? message.content : "";
  const words = typeof content === "string" ? content : JSON.stringify(content);
  const id = /(?:do |"id\\*":\s*\\*")(g\d[-\w]*)/.exec(words)?.[1] ?? "";
  return { id, answers: countAnswers(messages).get(id) ?? 0 };
}

/** One world as it stands in a process: agents, and what they do. */
export class Team {
  readonly log: WorldLog;
  readonly desk: Agent;
  readonly all: readonly AnyAgent[];
  /** Set while the process of the world is dead: nothing has an effect. */
  isDead = false;
  readonly #calls = new Map<string, CallPlan>();
  readonly #goals = new Map<string, Goal>();
  readonly #options: TeamOptions;

  constructor(goals: readonly Goal[], options: TeamOptions) {
    this.log = new WorldLog(options.changes ? added : 0);
    this.#options = options;
    for (const goal of goals) {
      this.#goals.set(goal.id, goal);
      for (const [id, call] of indexCalls(goal.turns)) this.#calls.set(id, call);
    }
    const clerks = this.#pair("Clerk", "Aide");
    const helpers = this.#pair("Helper", "Expert", clerks[0]);
    const desks = this.#pair("Desk", "Sales", helpers[0]);
    this.desk = desks[0];
    this.all = [...desks, ...helpers, ...clerks];
  }

  call(id: string): CallPlan | undefined {
    return this.#calls.get(id);
  }

  /** Two agents that hand off to each other, by a list of handoffs and by a tool that returns the other one. */
  #pair(first: string, second: string, below?: Agent): [Agent, Agent] {
    const one: Agent = this.#agent(first, () => two, below);
    const two: Agent = this.#agent(second, () => one, below);
    return [one, two];
  }

  #agent(name: string, other: () => Agent, below: Agent | undefined): Agent {
    return new Agent({
      name,
      description: name,
      instructions: name,
      model: new FunctionModel(({ messages }) => this.#answer(name, other().name, messages)),
      handoffs: () => [other()],
      tools: [this.#kit(name), ...this.#callers(name, other, below), ...this.#runners(below)],
    });
  }

  #answer(agent: string, other: string, messages: readonly Message[]) {
    if (this.isDead) throw new Error("The process is dead.");
    this.log.problems.push(...checkHistory(messages).map((problem) => `${agent} reads: ${problem}`));
    this.log.readResults(messages);
    const { id, answers } = topicOf(messages);
    const turns = this.#goals.get(id)?.turns ?? this.#calls.get(id)?.turns ?? [];
    const turn = turns[answers];
    if (!turn) return `${id} by ${agent}: ${this.#options.compacts ? "done" : this.log.resultsOf(messages)}`;
    return {
      text: `for ${id}`,
      toolCalls: turn.map((call, index) => {
        this.log.add({ what: "call", id: call.id, agent, tool: call.tool });
        const place = turn.findIndex(({ id }) => id === call.reference);
        const planned = this.#callFrom(
          call,
          other,
          this.#options.hasShortIds ? `${place + 1}` : call.reference,
        );
        const toolName = this.#options.changes ? asWritten(planned.toolName) : planned.toolName;
        return { toolCallId: this.#options.hasShortIds ? `call_${index}` : call.id, ...planned, toolName };
      }),
    };
  }

  /** A call as its caller writes it. */
  #callFrom(call: CallPlan, other: string, place = call.reference) {
    const { id, n, reference } = call;
    const name = this.#nameOf(call.tool);
    const x = reference === undefined ? {} : { x: { $result: place } };
    if (call.tool === "transfer") return { toolName: `transfer_to_${other.toLowerCase()}` };
    if (call.tool === "unknown") return { toolName: "nowhere", arguments: { id, n } };
    if (call.tool === "invalid") return { toolName: this.#nameOf("plain"), arguments: { id, n: "nine" } };
    if (call.tool === "agent") return { toolName: name, arguments: { input: `do ${id}` } };
    if (call.tool === "lookup") return { toolName: name, arguments: { id: `shared${n % 2}`, n: n % 2 } };
    return { toolName: name, arguments: { id, n, ...x } };
  }

  #nameOf(name: ToolKind): string {
    const { changes, kit } = this.#options;
    if (others.includes(name)) return name;
    const own = kit === "prefixed" && leaves.includes(name) ? `kit_${name}` : name;
    return changes ? asCalled(own) : own;
  }

  #effect(owner: string, name: string, { id, n, x }: Input, key: string): string {
    if (this.isDead) throw new Error("The process is dead.");
    this.log.add({ what: "effect", id, n, x: JSON.stringify(x), owner, tool: name, key });
    return `done:${id}:${n}`;
  }

  /** The tools that call nothing, as a set of them. */
  #kit(owner: string): Toolset {
    const { kit } = this.#options;
    if (kit === "fresh") return { name: "kit", tools: () => this.#leaves(owner) };
    const leaves = this.#leaves(owner);
    if (kit === "plain") return toolset(leaves);
    const asking = toolset(leaves.filter(({ name }) => name === "pay")).withApproval();
    return toolset([...leaves.filter(({ name }) => name !== "pay"), asking]).prefixed("kit");
  }

  #leaves(owner: string): readonly Tool[] {
    const attempts = new Map<string, number>();
    const leaf = (
      name: string,
      options: object = {},
      act: (args: Input, done: string, context: ToolContext) => unknown = (_, done) => done,
    ): Tool =>
      tool({
        name,
        description: name,
        input,
        ...options,
        execute: async (args: Input, context) => {
          if (name !== "lookup") this.log.see(`${owner}: ${args.id}`, context.context);
          for (let ticks = args.n % 4; ticks > 0; ticks--) await Promise.resolve();
          return act(args, this.#effect(owner, name, args, context.idempotencyKey), context);
        },
      });
    const flaky = tool({
      name: "flaky",
      input,
      retries: { times: 2, delay: 0 },
      execute: (args: Input, { idempotencyKey }) => {
        const attempt = (attempts.get(args.id) ?? 0) + 1;
        attempts.set(args.id, attempt);
        if (attempt === 1) throw Object.assign(new Error("busy"), { isTransient: true });
        return this.#effect(owner, "flaky", args, idempotencyKey);
      },
    });
    const steps = tool({
      name: "steps",
      input,
      execute: async function* steps(this: void, args: Input, context) {
        yield "begins";
        yield "goes on";
        return effect(args, context.idempotencyKey);
      },
    });
    const effect = (args: Input, key: string): string => this.#effect(owner, "steps", args, key);
    return [
      leaf("plain"),
      leaf("pay", this.#options.kit === "prefixed" ? {} : { approval: true }, ({ x }, done) =>
        x === undefined ? done : `${done}:${JSON.stringify(x)}`,
      ),
      leaf("limited", {
        approval: ({ id, n }: Input, { context }: ToolContext) => {
          this.log.see(`${owner}: approval of ${id}`, context);
          return n % 2 === 1;
        },
      }),
      leaf("lookup", { cache: true }),
      leaf("queue", { serialize: true }),
      leaf("secret", { mask: ["password"] }, (_, done) => ({ done, password: "hidden from models" })),
      leaf("fail", {}, (_, done) => {
        throw new Error(`failed after ${done}:`);
      }),
      leaf("note", {}, ({ id, n }, done) => result({ value: done, context: { [id]: n, last: id } })),
      leaf("last", { final: true }),
      leaf("after", { requires: ["plain"] }),
      leaf("large", { maxResultChars: 80 }, (_, done) => `${done}: ${"and so on ".repeat(20)}`),
      leaf("late", { timeout: 2 }, async (_args, _done, { signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }),
      flaky,
      steps,
      tool({ name: "outside", input }),
    ];
  }

  /** Tools that call others, under every policy that repeats, shares or delays calls. */
  #callers(owner: string, other: () => Agent, below: Agent | undefined): readonly Tool[] {
    const attempts = new Map<string, number>();
    const execute = async ({ id, n, x }: Input, context: ToolContext): Promise<unknown> => {
      this.log.add({ what: "execution", id, n, x: JSON.stringify(x), owner });
      this.log.see(`${owner}: ${id}`, context.context);
      return this.#callAll(owner, other().name, this.#calls.get(id), context);
    };
    const caller = (name: string, options: object = {}): Tool => tool({ name, input, ...options, execute });
    const flakyWrap = tool({
      name: "flakyWrap",
      input,
      retries: { times: 2, delay: 0 },
      execute: async (args: Input, context) => {
        const value = await execute(args, context);
        const attempt = (attempts.get(args.id) ?? 0) + 1;
        attempts.set(args.id, attempt);
        if (attempt === 1) throw Object.assign(new Error("busy"), { isTransient: true });
        return value;
      },
    });
    const stepsWrap = tool({
      name: "stepsWrap",
      input,
      execute: async function* stepsWrap(this: void, args: Input, context) {
        yield "begins";
        const value = await execute(args, context);
        yield "goes on";
        return value;
      },
    });
    const runner = tool({
      name: "runner",
      input,
      execute: async (args: Input, context) => {
        const answer = below ? await context.runAgent(below, `do ${args.id}`) : "";
        return [answer, await execute(args, context)];
      },
    });
    return [
      caller("wrap"),
      caller("payWrap", { approval: true }),
      caller("cachedWrap", { cache: true }),
      caller("queueWrap", { serialize: ({ id }: Input) => id }),
      caller("secretWrap", { mask: true }),
      flakyWrap,
      stepsWrap,
      runner,
      tool({ name: "pass", input, execute: () => other() }),
    ];
  }

  async #callAll(
    owner: string,
    other: string,
    plan: CallPlan | undefined,
    { call }: ToolContext,
  ): Promise<unknown> {
    const one = async (inner: CallPlan): Promise<unknown> => {
      const { toolName, arguments: args } = this.#callFrom(inner, other);
      this.log.add({ what: "call", id: inner.id, agent: owner, tool: inner.tool });
      return call(toolName, args ?? {});
    };
    const settled: PromiseSettledResult<unknown>[] = [];
    const calls = plan?.calls ?? [];
    if (plan?.manner === "together") settled.push(...(await Promise.allSettled(calls.map(one))));
    else
      for (const inner of calls) {
        const [outcome] = await Promise.allSettled([one(inner)]);
        settled.push(outcome);
        if (outcome.status === "rejected" && (isWaiting(outcome.reason) || !plan?.catches)) break;
      }
    const failures = settled.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    const failure = failures.find(isWaiting) ?? (plan?.catches ? undefined : failures[0]);
    if (failure !== undefined) throw failure;
    const values = settled.map((each) => (each.status === "fulfilled" ? each.value : "failed"));
    // Returned as it is, so that the outer call hands off, too.
    return values.find((value) => value instanceof Agent) ?? values;
  }

  #runners(below: Agent | undefined): readonly Tool[] {
    if (!below) return [];
    return [below.asTool({ name: "agent" }), below.asTool({ name: "typedAgent", input })];
  }
}
