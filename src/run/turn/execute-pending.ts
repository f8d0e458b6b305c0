import { isStuck } from "../../executor/corrections.ts";
import type { Execute } from "../../executor/types.ts";
import { isCorrection } from "../../message/is-correction.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { goOn, stop, type Next } from "../state/outcome.ts";
import { toolStep } from "./tool-step.ts";
import type { Turn, TurnEnd } from "./turn.ts";

const defaultMaxCorrections = 3;

/**
 * Executes the calls that may be executed here; others pause the run.
 * @param execute - Executes one call; as a tool's policies have it by default.
 */
export async function executePending(run: ActiveRun, turn: Turn, execute?: Execute): Promise<TurnEnd> {
  const calls = run.conversation.pending.filter((call) => isExecutedHere(run, turn.tools, call));
  if (calls.length === 0) return { results: [], next: await afterCalls(run, turn, [], undefined) };
  const { results, finalText } = await toolStep(run, turn.tools, calls, execute);
  return { results, next: await afterCalls(run, turn, results, finalText) };
}

/** Unknown tools are executed here too: the model gets an error as their result. */
function isExecutedHere(run: ActiveRun, tools: ToolTable, call: ToolCall): boolean {
  if (run.config.options.executeTools === false) return false;
  const tool = tools.get(call.toolName);
  return !tool || tool.execute !== undefined;
}

function afterCalls(
  run: ActiveRun,
  turn: Turn,
  results: readonly ToolResult[],
  finalText: string | undefined,
): Next | Promise<Next> {
  if (run.config.scope.isCancelled) return stop({ status: "cancelled" });
  if (run.conversation.pending.length > 0) return stop({ status: "paused" });
  if (finalText !== undefined) return endWith(turn, finalText);
  return hasCorrection(results) && repeatsMistakes(run) ? stop({ status: "corrections" }) : goOn;
}

/** Ends a run with the text of a tool. */
export async function endWith({ output: collector }: Turn, text: string): Promise<Next> {
  const output = await collector?.parse(text);
  return stop({ status: "completed", text, output });
}

function hasCorrection(results: readonly ToolResult[]): boolean {
  return results.some(({ outcome }) => isCorrection(outcome));
}

/** Whether the model goes on making mistakes with a tool, however often it is corrected. */
function repeatsMistakes({ config, conversation }: ActiveRun): boolean {
  const { resumed, options } = config;
  // A run that goes on where one ended for this reason gives the model as many chances again.
  const from = resumed?.status === "corrections" ? conversation.inputLength : 0;
  return isStuck(conversation.messages, options.maxCorrections ?? defaultMaxCorrections, from);
}
