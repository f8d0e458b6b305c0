import { valueText } from "../executor/finalize.ts";
import type { ToolCall, ToolResult } from "../message/messages.ts";
import type { StepInfo, StepMiddleware, ToolStepInfo } from "../tool/step-middleware.ts";
import type { JudgedCall, JudgedOutput, JudgedResult } from "./checks.ts";
import { decide } from "./decide.ts";
import { type GuardSettings, placeOf } from "./settings.ts";
import { readJson, textOfResult, textOfValue, withOutput } from "./texts.ts";
import type { Decision } from "./verdict.ts";

/** What a guard does around the call of a tool. */
export function aroundTool(settings: GuardSettings): NonNullable<StepMiddleware["tool"]> {
  return async (call, info, next) =>
    (await refusedCall(settings, call, info)) ?? judgedResult(settings, call, await next(call), info);
}

/** The result of a call that is not to be executed; `undefined` for one that is. */
async function refusedCall(
  settings: GuardSettings,
  call: ToolCall,
  info: ToolStepInfo,
): Promise<ToolResult | undefined> {
  const { tool } = settings.checks;
  if (!tool) return undefined;
  const raw = readJson(call.arguments);
  // What is written as text may be an object for the tool, and an escape within it another character.
  const read = await info.readInput(call);
  const texts = [raw === undefined ? call.arguments : textOfValue(raw), textOfValue(read)];
  const text = [...new Set(texts)].filter((each) => each !== "").join("\n");
  const input = read ?? raw;
  const place = placeOf(settings, "tool");
  const decision = await decide<JudgedCall>(
    tool,
    // What is executed is the call, whatever a check makes of its own.
    { stage: "tool", text, call: Object.freeze({ ...call }), input },
    info,
    place,
  );
  if (decision.kind === "deny") return refusal(call, decision.text, "denied");
  if (decision.kind === "pass") return undefined;
  info.block(decision.reason);
  return refusal(call, `${call.toolName} was not executed: a guard blocked the call.`, "denied");
}

/** The result of a call as its caller may read it. */
async function judgedResult(
  settings: GuardSettings,
  call: ToolCall,
  result: ToolResult,
  info: ToolStepInfo,
): Promise<ToolResult> {
  const { result: check, output } = settings.checks;
  // What the framework says of a call is not the tool's.
  if (result.outcome !== "success" && result.outcome !== "error") return result;
  if (check) {
    const meta = info.metaOf(result);
    const text = [textOfResult(result), textOfValue(meta)].filter((each) => each !== "").join("\n");
    const place = placeOf(settings, "result");
    const judged = {
      stage: "result",
      text,
      call: Object.freeze({ ...call }),
      result: Object.freeze({ ...result }),
      ...(meta && { meta }),
    } as const;
    const refused = refusedResult(call, info, await decide<JudgedResult>(check, judged, info, place));
    if (refused) return refused;
  }
  const text = output && result.final ? valueText(result) : "";
  if (!output || text === "") return result;
  const place = placeOf(settings, "output");
  const judged = { stage: "output", text: await withOutput(text, info), messages: [] } as const;
  return refusedResult(call, info, await decide<JudgedOutput>(output, judged, info, place)) ?? result;
}

/** What stands in the place of a result that nobody is to read; `undefined` for one that passes. */
function refusedResult(call: ToolCall, info: StepInfo, decision: Decision): ToolResult | undefined {
  if (decision.kind === "pass") return undefined;
  if (decision.kind === "deny") return refusal(call, decision.text, "error");
  info.block(decision.reason);
  return refusal(call, `A guard withheld what ${call.toolName} returned.`, "error");
}

/** What the model, or the tool that made the call, reads in place of a result. */
function refusal({ toolCallId, toolName }: ToolCall, text: string, outcome: "denied" | "error"): ToolResult {
  return { toolCallId, toolName, content: [{ type: "text", text }], isError: true, outcome };
}
