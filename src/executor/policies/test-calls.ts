import {
  executeToolCalls,
  tool,
  type JsonObject,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolPolicy,
  type ToolResult,
} from "skein";

/** Arguments that say which of several calls it is. */
export interface WorkInput {
  readonly id: string;
  readonly group?: string;
}

/** A tool named `work` with these policies. */
export function workTool(
  execute: (input: WorkInput, context: ToolContext) => unknown,
  policy: ToolPolicy<WorkInput, unknown>,
): Tool<WorkInput> {
  return tool<WorkInput>({
    name: "work",
    input: {
      type: "object",
      properties: { id: { type: "string" }, group: { type: "string" } },
      required: ["id"],
    },
    execute,
    ...policy,
  });
}

/** Calls of `work`, one for each set of arguments; their ids are `call_1`, `call_2` and so on. */
export function workCalls(...inputs: readonly (string | (WorkInput & JsonObject))[]): ToolCall[] {
  return inputs.map((input, index) => ({
    toolCallId: `call_${index + 1}`,
    toolName: "work",
    arguments: JSON.stringify(typeof input === "string" ? { id: input } : input),
  }));
}

/** A tool that counts its calls and returns how many there were. */
export function countingTool(policy: ToolPolicy<WorkInput, unknown>): {
  readonly tool: Tool<WorkInput>;
  readonly count: () => number;
} {
  let calls = 0;
  const counting = workTool(() => ({ calls: ++calls }), policy);
  return { tool: counting, count: () => calls };
}

/** Makes calls of `work` one after the other, outside any run. */
export async function inTurn(work: Tool<WorkInput>, ...ids: string[]): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const id of ids) results.push(...(await executeToolCalls(workCalls(id), [work])));
  return results;
}

/** A call that goes on until the test ends it. */
interface HeldCall {
  readonly id: string;
  readonly context: ToolContext;
  readonly end: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** Work that goes on until the test ends it. */
export class HeldWork {
  /** In the order in which they began. */
  readonly begun: HeldCall[] = [];
  /** How many went on at the same time. */
  most = 0;
  #going = 0;
  #waiting: (() => void)[] = [];

  /** What the tool does. */
  readonly execute = async ({ id }: WorkInput, context: ToolContext): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.most = Math.max(this.most, ++this.#going);
    this.begun.push({ id, context, end: resolve, fail: reject });
    for (const wake of this.#waiting.splice(0)) wake();
    try {
      return await promise;
    } finally {
      this.#going--;
    }
  };

  /** The ids of the calls that have begun. */
  get ids(): readonly string[] {
    return this.begun.map(({ id }) => id);
  }

  /** The call that began as the `index`-th, counted from 0, once it has. */
  async at(index: number): Promise<HeldCall> {
    for (;;) {
      const call = this.begun[index];
      if (call) return call;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** An error that says of itself that it may pass. */
export function transient(message: string): Error {
  return Object.assign(new Error(message), { isTransient: true });
}

/** Loads all that calls may need: what is loaded when it is first needed takes real time, also while a test's clock stands still. */
export async function loadAll(): Promise<void> {
  const inner = tool({ name: "inner", input: { type: "object" }, execute: () => new Map([["a", 1]]) });
  const work = workTool(
    async function* (_, context) {
      yield await context.call("inner", {});
      return { done: true };
    },
    { cache: true, retries: 1, serialize: true, rateLimit: { calls: 1, per: 1 } },
  );
  await executeToolCalls(workCalls("a"), [work, inner]);
  const failing = workTool(() => Promise.reject(new Error("no")), {});
  const body = workTool(() => new Response("text"), {});
  for (const other of [failing, body]) await executeToolCalls(workCalls("a"), [other]);
}
