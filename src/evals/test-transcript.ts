import type { Message } from "../message/messages.ts";
import { noUsage } from "../message/usage.ts";
import type { MadeCall } from "./made-calls.ts";
import type { AnyScorer, Score, Transcript } from "./types.ts";

/** A transcript of a conversation in which nothing happened, except for what is passed. */
export function transcriptOf(given: Partial<Transcript> = {}): Transcript {
  return {
    case: { input: "Hello" },
    messages: [],
    calls: [],
    allCalls: [],
    text: "",
    output: undefined,
    agent: "Triage",
    agents: ["Triage"],
    status: "completed",
    turns: 1,
    usage: noUsage,
    modelCalls: [],
    durationMs: 0,
    context: {},
    ...given,
  };
}

/** Calls that were made one after another, each a name with its arguments. */
export function made(
  ...calls: readonly (readonly [tool: string, args?: object, more?: Partial<MadeCall>])[]
): {
  readonly calls: readonly MadeCall[];
} {
  return {
    calls: calls.map(([tool, args = {}, more], index) => ({
      toolCallId: `call_${index}`,
      tool,
      arguments: args,
      message: 0,
      outcome: "success",
      isHandoff: false,
      ...more,
    })),
  };
}

/** What a scorer finds. */
export async function scored(scorer: AnyScorer, transcript: Partial<Transcript>): Promise<Score> {
  const score = typeof scorer === "function" ? scorer : scorer.score;
  const found = await score(transcriptOf(transcript), { judge: undefined, signal: undefined });
  if (typeof found !== "object") throw new TypeError("the scorer returned no score");
  return found;
}

/** What a user says. */
export function saidBy(message: Message | undefined): string {
  return message?.role === "user" && typeof message.content === "string" ? message.content : "";
}
