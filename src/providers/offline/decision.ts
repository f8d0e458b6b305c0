import type { ModelRequest, ToolSpec } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import type { Question } from "./conversation.ts";
import { fillArguments } from "./fill-arguments.ts";
import { isHandoff } from "./handoffs.ts";
import { wordQuestion } from "./wording.ts";

/** A call the rules decided on. */
export interface PlannedCall {
  readonly toolName: string;
  readonly arguments: JsonObject;
}

/** What to do next: call tools, or say something (a question is remembered until it is answered). */
export type OfflineDecision =
  | { readonly kind: "call"; readonly calls: readonly PlannedCall[] }
  | { readonly kind: "say"; readonly text: string; readonly asking?: Question };

/** Calls one tool with each of several arguments, one at a time where the request wants that. */
export function callWith(
  tool: ToolSpec,
  sets: readonly JsonObject[],
  request: ModelRequest,
): OfflineDecision {
  const calls = sets.map((args) => ({ toolName: tool.name, arguments: args }));
  return { kind: "call", calls: request.parallelToolCalls === false ? calls.slice(0, 1) : calls };
}

/** Calls a tool, or asks for what its arguments lack. */
export function callOrAsk(
  tool: ToolSpec,
  text: string,
  known: JsonObject,
  request: ModelRequest,
): OfflineDecision {
  if (isHandoff(tool)) return callWith(tool, [{}], request);
  const { arguments: first, more, missing } = fillArguments(text, tool, known);
  if (missing.length === 0) return callWith(tool, [first, ...more], request);
  return {
    kind: "say",
    text: wordQuestion(tool, missing),
    asking: { toolName: tool.name, arguments: first },
  };
}
