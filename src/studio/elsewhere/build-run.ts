import type { AssistantMessage, Message, ToolCall, Usage } from "../../message/messages.ts";
import type { ModelStep, ToolStep } from "../records.ts";
import type { Open, RunRecord } from "../run-record.ts";
import { editedArguments, textOfResult } from "../text-of-result.ts";

/** A model call as a run from elsewhere has it. */
export interface KnownAnswer {
  readonly agent: string;
  readonly provider: string;
  readonly modelId: string;
  readonly messages: readonly Message[];
  readonly instructions?: string | undefined;
  readonly message?: AssistantMessage | undefined;
  readonly usage?: Usage | undefined;
  readonly start: number;
  readonly end: number;
}

/** Adds a model call that was made elsewhere. */
export function addAnswer(record: RunRecord, answer: KnownAnswer): Open<ModelStep> {
  const { agent, provider, modelId, messages, instructions, message, usage, start, end } = answer;
  const step: Open<ModelStep> = record.add({
    kind: "model",
    agent,
    turn: record.steps.filter(({ kind }) => kind === "model").length + 1,
    start,
    end,
    provider,
    modelId,
    text: textIn(message, "text"),
    reasoning: textIn(message, "reasoning"),
    calls: message?.toolCalls ?? [],
    requests: [],
    ...(usage && { usage }),
  });
  record.prompts.set(step.id, { instructions, messages });
  record.size += step.text.length + 500;
  return step;
}

/** Adds a call, with what came of it as far as a message says. */
export function addCall(
  record: RunRecord,
  { agent, turn }: Pick<ModelStep, "agent" | "turn">,
  call: ToolCall,
  messages: readonly Message[],
  at: number,
): Open<ToolStep> {
  const answer = messages.find((each) => each.role === "tool" && each.result.toolCallId === call.toolCallId);
  const result = answer?.role === "tool" ? answer.result : undefined;
  const edited = result && editedArguments(result);
  const step: Open<ToolStep> = record.add({
    kind: "tool",
    agent,
    turn,
    start: at,
    ...(result && { end: at, outcome: result.outcome, result: textOfResult(result) }),
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    arguments: call.arguments,
    ...(edited !== undefined && { edited }),
  });
  if (result) record.outcomes.set(step.id, { result });
  record.size += call.arguments.length + (step.result?.length ?? 0) + 300;
  return step;
}

function textIn(message: AssistantMessage | undefined, type: "text" | "reasoning"): string {
  return (message?.content ?? []).map((part) => (part.type === type ? part.text : "")).join("");
}
