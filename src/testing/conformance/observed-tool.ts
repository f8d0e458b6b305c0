import type { ToolContext } from "../../tool/tool-context.ts";
import type { Tool } from "../../tool/types.ts";

/** A tool, and what is seen of its calls. */
export interface Observation {
  /** The same tool without its policies, watched. */
  readonly tool: Tool;
  readonly calls: number;
  /** What the last call threw. */
  readonly thrown: unknown;
  /** What it returned. */
  readonly value: unknown;
  /** Whether the last call's input is another one now. */
  readonly hasChanged: () => boolean;
  /** Resolves once every call has come to its end, whatever that is. */
  readonly settled: () => Promise<unknown>;
}

/** Watches a tool; `onCall` is called once it has been called. */
export function observed(tool: Tool, onCall: () => void = () => undefined): Observation {
  const ends: Promise<unknown>[] = [];
  const observation = { calls: 0, thrown: undefined as unknown, value: undefined as unknown };
  let hasChanged = (): boolean => false;
  const note = (error: unknown): never => {
    observation.thrown = error;
    throw error;
  };
  const execute = (input: unknown, context: ToolContext): unknown => {
    observation.calls++;
    const before = JSON.stringify(input);
    hasChanged = () => JSON.stringify(input) !== before;
    try {
      const returned = tool.execute?.(input, context);
      if (isAsyncIterable(returned)) {
        const ended = Promise.withResolvers<void>();
        ends.push(ended.promise);
        return followed(returned, note, () => ended.resolve());
      }
      const promise = Promise.resolve(returned).then((value) => (observation.value = value), note);
      ends.push(promise.catch(() => undefined));
      return promise;
    } catch (error) {
      return note(error);
    } finally {
      onCall();
    }
  };
  return {
    tool: { ...tool, policy: {}, execute },
    get calls() {
      return observation.calls;
    },
    get thrown() {
      return observation.thrown;
    },
    get value() {
      return observation.value;
    },
    hasChanged: () => hasChanged(),
    settled: () => Promise.all(ends),
  };
}

async function* followed(
  values: AsyncIterable<unknown>,
  note: (error: unknown) => never,
  ended: () => void,
): AsyncGenerator<unknown, unknown, undefined> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(note);
      if (next.done) return next.value as unknown;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
    ended();
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
