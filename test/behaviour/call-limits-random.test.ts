/**
 * Runs of random shapes: calls side by side, tools that call tools, agents as tools within one another, programs in code mode. However
 * they are nested, a limit is never exceeded by one call, and a run that ends for it has made exactly as many.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  Agent,
  run,
  tool,
  type RunEvent,
  type RunResult,
  type Tool,
  type ToolContext,
  type Toolset,
} from "skein";
import { codeMode } from "skein/code";
import { FunctionModel } from "skein/testing";

type Shape =
  | { readonly kind: "plain" | "limited" }
  | {
      readonly kind: "tool" | "program";
      readonly isParallel: boolean;
      readonly catches: boolean;
      readonly within: readonly Shape[];
    }
  | {
      readonly kind: "agent";
      readonly limit: number | undefined;
      readonly answers: readonly (readonly Shape[])[];
    };

interface World {
  readonly answers: readonly (readonly Shape[])[];
  readonly limit: number;
  readonly maxCalls: number;
  readonly concurrency: number;
}

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("plain", "limited") }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.oneof(
          { weight: 5, arbitrary: fc.constant("tool" as const) },
          { weight: 1, arbitrary: fc.constant("program" as const) },
        ),
        isParallel: fc.boolean(),
        catches: fc.boolean(),
        within: fc.array(tie("shape"), { maxLength: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("agent" as const),
        limit: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
        answers: fc.array(fc.array(tie("shape"), { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
      }),
    },
  ),
}));

const world: fc.Arbitrary<World> = fc.record({
  answers: fc.array(fc.array(shape, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
  limit: fc.nat({ max: 14 }),
  maxCalls: fc.integer({ min: 1, max: 4 }),
  concurrency: fc.integer({ min: 1, max: 6 }),
});

const item = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;
const toolNames = {
  plain: "plain",
  limited: "limited",
  tool: "nest",
  agent: "ask",
  program: "execute_typescript",
} as const;

/** What was executed, and what may be. */
class Play {
  readonly executed = new Set<string>();
  limited = 0;
  /** The calls within agents that have a limit of their own. */
  readonly ofAgents = new Map<string, { readonly limit: number; count: number }>();
  readonly #shapes = new Map<string, Shape>();
  readonly #tools: readonly (Tool | Toolset)[];

  constructor(maxCalls: number) {
    const leaf = (name: "plain" | "limited"): Tool =>
      tool({
        name,
        input: item,
        ...(name === "limited" && { maxCalls }),
        execute: async ({ id }: { id: string }) => {
          this.#add(id);
          if (name === "limited") this.limited++;
          await Promise.resolve();
          return id;
        },
      });
    const nest = tool({
      name: "nest",
      input: item,
      execute: ({ id }: { id: string }, context: ToolContext) => {
        this.#add(id);
        return this.#callAll(id, context);
      },
    });
    const ask = tool({
      name: "ask",
      input: item,
      execute: ({ id }: { id: string }, context: ToolContext) => {
        this.#add(id);
        const shape = this.#shapes.get(id);
        if (shape?.kind !== "agent") throw new Error(`${id} is not an agent`);
        if (shape.limit !== undefined) this.ofAgents.set(id, { limit: shape.limit, count: 0 });
        const limits = shape.limit === undefined ? {} : { maxToolCalls: shape.limit };
        return context.runAgent(this.agent(id, shape.answers), "go", limits);
      },
    });
    const inner = [leaf("plain"), leaf("limited"), nest, ask];
    this.#tools = [...inner, codeMode(inner, { check: false })];
  }

  agent(id: string, answers: readonly (readonly Shape[])[]): Agent {
    return new Agent({
      name: `Agent ${id}`,
      tools: [...this.#tools],
      model: new FunctionModel(({ messages }) => {
        const turn = messages.filter(({ role }) => role === "assistant").length;
        const answer = answers[turn];
        if (!answer) return "done";
        return { toolCalls: answer.map((each, index) => this.#callOf(`${id}.${turn}-${index}`, each)) };
      }),
    });
  }

  /** Counts the programs that were executed, and what was not known of in another way. */
  onEvent(event: RunEvent | { readonly type: string; readonly event?: unknown }): void {
    if (event.type === "agent-event" && "event" in event) this.onEvent(event.event as RunEvent);
    if (event.type !== "tool-end" || !("result" in event)) return;
    const { toolName, outcome, toolCallId } = event.result;
    if (toolName === "execute_typescript" && outcome !== "not-executed") this.#programs.add(toolCallId);
  }

  readonly #programs = new Set<string>();

  get count(): number {
    return this.executed.size + this.#programs.size;
  }

  #add(id: string): void {
    if (this.executed.has(id)) throw new Error(`${id} was executed twice`);
    this.executed.add(id);
    for (const [agent, each] of this.ofAgents) if (id.startsWith(`${agent}.`)) each.count++;
  }

  #callOf(
    id: string,
    shape: Shape,
  ): {
    readonly toolName: string;
    readonly arguments: Readonly<Record<string, string>>;
    readonly toolCallId: string;
  } {
    this.#shapes.set(id, shape);
    const args = shape.kind === "program" ? { code: this.#codeOf(id, shape) } : { id };
    return { toolName: toolNames[shape.kind], arguments: args, toolCallId: id };
  }

  #codeOf(id: string, { isParallel, catches, within }: Extract<Shape, { readonly within: unknown }>): string {
    const calls = within.map((each, index) => {
      // A program has the other tools, and not itself.
      const inner = this.#callOf(`${id}.${index}`, each.kind === "program" ? { kind: "plain" } : each);
      return `(() => tools.${inner.toolName}(${JSON.stringify(inner.arguments)})${catches ? ".catch(() => {})" : ""})`;
    });
    return isParallel
      ? `await Promise.all([${calls.join(", ")}].map((each) => each())); return "ok";`
      : `for (const each of [${calls.join(", ")}]) await each(); return "ok";`;
  }

  async #callAll(id: string, context: ToolContext): Promise<string> {
    const shape = this.#shapes.get(id);
    if (!shape || !("within" in shape)) throw new Error(`${id} has nothing within`);
    const calls = shape.within.map((each, index) => async (): Promise<void> => {
      const { toolName, arguments: args } = this.#callOf(`${id}.${index}`, each);
      const work = context.call(toolName, args);
      await (shape.catches ? work.catch(() => {}) : work);
    });
    if (shape.isParallel) await Promise.all(calls.map((each) => each()));
    else for (const each of calls) await each();
    return "ok";
  }
}

async function play({
  answers,
  concurrency,
  limit,
  maxCalls,
}: World): Promise<{ played: Play; result: RunResult }> {
  const played = new Play(maxCalls);
  const result = await run(played.agent("0", answers), "go", {
    maxToolCalls: limit,
    concurrency,
    onEvent: (event) => played.onEvent(event),
  });
  return { played, result };
}

test(
  "1,000 random parallel and nested shapes never exceed a limit by one call",
  { timeout: 300_000 },
  async () => {
    const seen = { completed: 0, limited: 0 };
    await fc.assert(
      fc.asyncProperty(world, async (random) => {
        const { played, result } = await play(random);
        expect(played.count).toBeLessThanOrEqual(random.limit);
        expect(played.limited).toBeLessThanOrEqual(random.maxCalls);
        for (const { limit, count } of played.ofAgents.values()) expect(count).toBeLessThanOrEqual(limit);
        expect(["completed", "max-tool-calls"]).toContain(result.status);
        // Nothing is refused while there is a call left.
        const isEarly = result.status === "max-tool-calls" && played.count < random.limit;
        expect(isEarly).toBe(false);
        seen[result.status === "completed" ? "completed" : "limited"]++;
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(seen.completed, seen.limited)).toBeGreaterThan(100);
  },
);

test("a run that is resumed until it completes executes each call once", { timeout: 60_000 }, async () => {
  const flat = fc.array(fc.array(fc.constant<Shape>({ kind: "plain" }), { minLength: 1, maxLength: 9 }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(
      flat,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      async (answers, limit, concurrency) => {
        const played = new Play(1);
        const agent = played.agent("0", answers);
        const options = { maxToolCalls: limit, concurrency };
        let result = await run(agent, "go", options);
        let before = 0;
        while (result.status === "max-tool-calls") {
          expect(played.count - before).toBe(limit);
          before = played.count;
          result = await run(agent, JSON.parse(JSON.stringify(result.state)), options);
        }
        expect(result.status).toBe("completed");
        expect(played.count).toBe(answers.flat().length);
      },
    ),
    { numRuns: 200 },
  );
});
