import { toolsOf } from "../agent/agent-tools.ts";
import type { AnyAgent } from "../agent/agent.ts";
import { isHandoffTool } from "../agent/handoff.ts";
import type { InputObject } from "../protocols/kit/input-object.ts";
import { executeOutside } from "../run/execute-outside.ts";
import { notFound, Refusal } from "../server/refusal.ts";
import type { Tool } from "../tool/types.ts";
import { contextAt } from "./context-at.ts";
import { now } from "./exchange.ts";
import type { CallAgainResult, ToolStep } from "./records.ts";
import type { RunRecord } from "./run-record.ts";
import { textOfResult } from "./text-of-result.ts";

/**
 * Executes the tool of a call again, as it is now: with the same arguments or others, and with the context that the call had. The person who
 * asks for it is the one who approves it.
 * @param body - `arguments` as JSON; `confirmed` for a tool that is not marked as one that changes nothing.
 * @throws Refusal (400, 404, 409)
 */
export async function callAgain(
  record: RunRecord,
  step: ToolStep,
  agents: readonly AnyAgent[],
  body: InputObject,
): Promise<CallAgainResult> {
  const context = contextAt(record, step.id);
  const tool = await findTool(step, agents, context);
  if (!isReadOnly(tool) && body.optionalBoolean("confirmed") !== true)
    throw new Refusal(
      409,
      "unconfirmed",
      `${tool.name} is not marked as one that changes nothing (readOnlyHint): confirm that it is to be executed.`,
    );
  const start = now();
  const call = {
    toolCallId: `again-${crypto.randomUUID().slice(0, 8)}`,
    toolName: tool.name,
    arguments: body.optionalText("arguments") ?? step.arguments,
  };
  const [result] = await executeOutside([call], [withoutConditions(tool)], { context });
  if (!result) throw notFound("The result");
  return { outcome: result.outcome, text: textOfResult(result), duration: now() - start };
}

/** Whether it is marked as one that changes nothing. */
function isReadOnly({ annotations }: Tool): boolean {
  return annotations.readOnlyHint === true;
}

async function findTool(
  { agent: name, toolName }: ToolStep,
  agents: readonly AnyAgent[],
  context: unknown,
): Promise<Tool> {
  const agent = agents.find((each) => each.name === name);
  if (!agent) throw new Refusal(404, "not-found", `The studio has no agent "${name}".`);
  const tool = (await toolsOf(agent, context)).get(toolName);
  if (!tool?.execute || isHandoffTool(tool))
    throw new Refusal(404, "not-found", `"${name}" has no tool "${toolName}" that can be executed here.`);
  return tool;
}

/** Without what only a run can fulfil: a decision, and calls before it. */
function withoutConditions(tool: Tool): Tool {
  const { approval: _, requires: __, ...policy } = tool.policy;
  return { ...tool, policy };
}
