import {
  Agent,
  run,
  tool,
  type Message,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type Tool,
} from "skein";
import { serve, type Received, type Reply } from "../providers/local-server.ts";
import { modelOver, type Protocol } from "../providers/protocols.ts";

/** The parameters of a tool that takes none. */
export const empty = { type: "object", properties: {} } as const;

/** The parameters of a tool that takes a number. */
export const number = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
} as const;

/** A tool that takes a number and notes it, under any name. */
export function noting(done: string[], name: string): Tool {
  return tool<{ n: number }>({
    name,
    input: number,
    execute: ({ n }) => `${name} ${done.push(`${name} ${n}`) && n} is done`,
  });
}

/** A promise, and what settles it. */
export function later<T>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}

/** What is wrong with a history: calls without an answer before somebody else speaks, answers without a call. */
export function flawsOf(messages: readonly Message[]): string[] {
  const flaws: string[] = [];
  let open: string[] = [];
  const close = (): void => void flaws.push(...open.map((id) => `${id} has no answer`));
  for (const message of messages) {
    if (message.role === "tool") {
      const { toolCallId } = message.result;
      if (!open.includes(toolCallId)) flaws.push(`${toolCallId} is answered without being open`);
      open = open.filter((id) => id !== toolCallId);
      continue;
    }
    close();
    open = message.role === "assistant" ? message.toolCalls.map((call) => call.toolCallId) : [];
  }
  close();
  return flaws;
}

/** The outcomes of a run's calls, by the names of their tools, in order. */
export function outcomesOf({ messages }: Pick<RunResult, "messages">): string[] {
  return messages.flatMap((message) =>
    message.role === "tool" ? [`${message.result.toolName}: ${message.result.outcome}`] : [],
  );
}

/** All events of a run, also of one that fails. `tell` hears of each, with how many there were before it. */
export async function eventsOf(
  events: AsyncIterable<RunEvent>,
  tell: (event: RunEvent, at: number) => void = () => {},
): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  try {
    for await (const event of events) tell(event, all.push(event) - 1);
  } catch {
    // The run's result says why it failed.
  }
  return all;
}

/** Runs an agent with the real adapter of a protocol, whose server gives these replies in turn. */
export async function runOver(
  protocol: Protocol,
  replies: readonly Reply[],
  tools: readonly Tool[] = [],
  options: RunOptions = {},
): Promise<{ readonly outcome: PromiseSettledResult<RunResult>; readonly received: readonly Received[] }> {
  await using server = await serve((index) => replies[index] ?? { status: 400, pieces: ["{}"] });
  const agent = new Agent({ name: "A", model: modelOver(protocol, server), tools });
  const [outcome] = await Promise.allSettled([run(agent, "Go.", options)]);
  return { outcome, received: server.received };
}

/** The result of a run that must not have failed. */
export function resultOf(outcome: PromiseSettledResult<RunResult>): RunResult {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** Counts what is rejected without anybody to hear of it, from now on; the function stops and tells. */
export function watchRejections(): () => Promise<readonly unknown[]> {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", note);
  return async () => {
    // Rejections are told once the microtasks are done.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    return rejections;
  };
}

/** The timers of at least ten seconds that are set from now on and neither ring nor are cleared: their milliseconds. */
export function watchTimers(): { readonly open: () => readonly number[]; readonly stop: () => void } {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const timers = new Map<unknown, number>();
  const replacement = (callback: () => void, delay = 0): unknown => {
    const timer = set(() => {
      timers.delete(timer);
      callback();
    }, delay);
    // Shorter ones may be those of the test runner.
    if (delay >= 10_000) timers.set(timer, delay);
    return timer;
  };
  Object.assign(globalThis, {
    setTimeout: replacement,
    clearTimeout: (timer: NodeJS.Timeout | undefined) => {
      timers.delete(timer);
      clear(timer);
    },
  });
  return {
    open: () => [...timers.values()],
    stop: () => Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
  };
}
