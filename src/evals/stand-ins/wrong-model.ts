import type { AnyAgent } from "../../agent/agent.ts";
import type { Model, ToolSpec } from "../../model/types.ts";
import type { EvalCase } from "../types.ts";
import { expectedCalls } from "./perfect-model.ts";
import { type Move, playingModel } from "./playing-model.ts";
import { sampleArguments } from "./sample-value.ts";

/**
 * A model that does the opposite of what a case states: calls nothing where something is expected and something where nothing
 * is, keeps the lead or gives it away, and says nothing of use. It shows that the scorers can fail. Where a case states only
 * what this does anyway (a state that stays as it is, say), give it a `wrong` of its own.
 *
 * `runEval(evaluation, { model: wrongModel })`
 */
export function wrongModel(evalCase: EvalCase, agent: AnyAgent): Model {
  if (evalCase.wrong) return evalCase.wrong();
  let isFirst = true;
  return playingModel("wrong", ({ tools = [], output }): Move => {
    const meddling = isFirst ? wrongTool(evalCase, agent, tools) : undefined;
    isFirst = false;
    if (meddling) return [{ tool: meddling.name, arguments: sampleArguments(meddling, {}) }];
    return output ? "null" : "…";
  });
}

/** A tool that must not be called, if there is one. */
function wrongTool(evalCase: EvalCase, agent: AnyAgent, tools: readonly ToolSpec[]): ToolSpec | undefined {
  const isHandoff = ({ name }: ToolSpec): boolean => name.startsWith("transfer_to_");
  const forbidden = tools.find(({ name }) => evalCase.never?.includes(name));
  if (forbidden) return forbidden;
  if (agent.name === evalCase.agent && tools.some(isHandoff)) return tools.find(isHandoff);
  return expectedCalls(evalCase).length === 0 ? tools.find((tool) => !isHandoff(tool)) : undefined;
}
