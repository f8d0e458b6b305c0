import type { ModelRequest, ToolSpec } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import type { Question } from "./conversation.ts";
import { fillArguments } from "./fill-arguments.ts";
import { isHandoff } from "./handoffs.ts";
import { wordQuestion } from "./wording.ts";

/** A call that the rules have decided on. */
export interface PlannedCall {
  readonly toolName: string;
  readonly arguments: JsonObject;
}

/** The next step: calls of tools, or a text, which may ask a question. */
export type OfflineDecision =
  | { readonly kind: "call"; readonly calls: readonly PlannedCall[] }
  | { readonly kind: "say"; readonly text: string; readonly asking?: Question };

/** Calls a tool with each set of arguments, or with the first one if the request excludes parallel calls. */
export function callWith(
  tool: ToolSpec,
  sets: readonly JsonObject[],
  request: ModelRequest,
): OfflineDecision {
  const calls = sets.map((args) => ({ toolName: tool.name, arguments: args }));
  return { kind: "call", calls: request.parallelToolCalls === false ? calls.slice(0, 1) : calls };
}

/** Calls a tool, or asks for its missing arguments. */
export function callOrAsk(
  tool: ToolSpec,
  text: string,
  answered: JsonObject | undefined,
  request: ModelRequest,
): OfflineDecision {
  if (isHandoff(tool)) return callWith(tool, [{}], request);
  const { arguments: first, more, missing } = fillArguments(text, tool, answered);
  if (missing.length === 0) return callWith(tool, [first, ...more], request);
  return {
    kind: "say",
    text: wordQuestion(tool, missing),
    asking: { toolName: tool.name, arguments: first },
  };
}
