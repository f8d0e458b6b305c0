import * as fc from "fast-check";
import { Agent, type RunEvent, stream, type RunStream, tool } from "skein";
import { ScriptedModel, type ScriptedTurn } from "skein/testing";
import type { SourceEvent } from "./source.ts";
import { failing, lastWord, lookUp, numberSchema, refund, weather } from "./test-scenarios.ts";

/** What must never be in anything that is sent. */
export const secret = "planted-secret";

/** A run to encode. */
export interface RandomRun {
  readonly turns: readonly ScriptedTurn[];
  readonly isTyped: boolean;
  readonly supportsOutput: boolean;
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  /** Whether the run is cancelled at the event of that index. */
  readonly cancelAt: number | undefined;
}

const secretTool = tool({
  name: "secretive",
  input: { type: "object", properties: {} },
  mask: true,
  execute: () => ({ key: `${secret}-of-the-mask` }),
});

const names = [
  "lookUp",
  "failing",
  "secretive",
  "weather",
  "refund",
  "expert",
  "transfer_to_other",
  "unknown",
  "lastWord",
  "final_answer",
];

const texts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("", "Hello.", '{"total":1}', '{"total":"x"}', "data: [DONE]\n\n", "\u2028 🪿 ü", "a\n\nb"),
  fc.string({ unit: "binary", maxLength: 30 }).filter((text) => text.isWellFormed()),
);

const toolCalls = fc.array(
  fc.record({
    toolName: fc.constantFrom(...names),
    arguments: fc.constantFrom(
      "{}",
      '{"city":"Oslo"}',
      '{"city": "Oslo",}',
      '{"total":2}',
      '{"input":"Well?"}',
      "{{",
    ),
  }),
  { maxLength: 3 },
);

const turn: fc.Arbitrary<ScriptedTurn> = fc
  .record({
    text: texts,
    reasoning: fc.constantFrom("", "", `Hm, ${secret}-thought`),
    toolCalls: fc.oneof({ weight: 2, arbitrary: toolCalls }, { weight: 1, arbitrary: fc.constant([]) }),
    finishReason: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      undefined,
      "length",
      "content-filter",
      "error",
      "other",
    ),
    usage: fc.constantFrom(undefined, { inputTokens: 5, outputTokens: 2, reasoningTokens: 1 }),
    chunkSize: fc.integer({ min: 1, max: 12 }),
    errorAfter: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.nat(4) },
    ),
  })
  .map(({ finishReason, usage, errorAfter, ...rest }): ScriptedTurn => ({
    ...rest,
    ...(finishReason !== undefined && { finishReason }),
    ...(usage && { usage }),
    ...(errorAfter !== undefined && { errorAfter, error: new Error(`${secret}-of-the-provider`) }),
  }));

/** Runs of all kinds: with calls of every sort, outputs, limits, failures and cancellations. */
export const randomRuns: fc.Arbitrary<RandomRun> = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
  isTyped: fc.boolean(),
  supportsOutput: fc.boolean(),
  maxTurns: fc.integer({ min: 1, max: 6 }),
  maxToolCalls: fc.oneof(
    { weight: 3, arbitrary: fc.constant(Infinity) },
    { weight: 1, arbitrary: fc.nat(4) },
  ),
  cancelAt: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(30) }),
});

/** The agent whose answers a run has. */
export function hostOf({ turns, isTyped, supportsOutput }: RandomRun): Agent {
  const model = new ScriptedModel([...turns, "The end."], { supportsOutput });
  const expert = new Agent({
    name: "Expert",
    model: new ScriptedModel(["A", "B", "C"].map((text) => `${text}.`)),
  });
  const other = new Agent({ name: "Other", model, tools: [lookUp, refund] });
  return new Agent({
    name: "Host",
    instructions: `${secret}-of-the-instructions`,
    model,
    tools: [lookUp, failing, secretTool, refund, lastWord, expert.asTool({ name: "expert" }), tool(weather)],
    handoffs: [other],
    ...(isTyped && { output: numberSchema }),
  });
}

/** Starts a run. All of its events can be read as often as one likes. */
export function startRun(random: RandomRun): RunStream {
  const { maxTurns, maxToolCalls, cancelAt } = random;
  const running = stream(hostOf(random), "Hello", {
    context: { key: `${secret}-of-the-context` },
    maxTurns,
    maxToolCalls,
    onEvent: (event) => {
      if (event.index === cancelAt) running.cancel(`${secret}-of-the-reason`);
    },
  });
  return running;
}

/** The events of a run that its process died in: the turn at `at` of the way is cut off somewhere, and done again. */
export function withRestart(events: readonly RunEvent[], at: number): readonly SourceEvent[] {
  const cut = Math.floor(at * events.length);
  const from = events.slice(0, cut).findLastIndex(({ type }) => type === "turn-start");
  const turnStart = events[from];
  if (turnStart?.type !== "turn-start") return events;
  const { agent, turn } = turnStart;
  const again = events.slice(from).map((event) => moved(event, cut + 1 - from));
  return [...events.slice(0, cut), { type: "turn-restart", index: cut, agent, turn, from }, ...again];
}

/** What later readers of such a run receive. */
export function withoutRestart(events: readonly SourceEvent[]): readonly SourceEvent[] {
  const restart = events.find((event) => event.type === "turn-restart");
  if (!restart) return events;
  return events.filter(
    (event) => event === restart || event.index < restart.from || event.index > restart.index,
  );
}

function moved(event: RunEvent, by: number): SourceEvent {
  // Their accessors, and the classes that they are of, stay what they are.
  return Object.create(event, { index: { value: event.index + by, enumerable: true } }) as SourceEvent;
}

/** Events to be read once. */
export async function* source(events: readonly SourceEvent[]): AsyncGenerator<SourceEvent, void> {
  yield* events;
}

/** The events of a run to its end, whether it fails or not. */
export async function eventsOf(running: RunStream): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  try {
    for await (const event of running) events.push(event);
  } catch {
    // The last event says so.
  }
  return events;
}
