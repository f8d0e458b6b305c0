import type { AnyAgent } from "../agent/agent.ts";
import { toolsOf } from "../agent/agent-tools.ts";
import { handoffsOf, isHandoffTool } from "../agent/handoff.ts";
import { errorMessage } from "../base/util/error-message.ts";
import type { ToolPolicy } from "../tool/policy.ts";
import type { Tool } from "../tool/types.ts";
import type { AgentView, ToolView } from "./records.ts";

/** How long the tools of an agent are waited for, in milliseconds: a toolset may ask a server. */
const patience = 5_000;

/** Agents as the page shows them. One whose tools cannot be listed says why. */
export function describeAgents(agents: readonly AnyAgent[]): Promise<readonly AgentView[]> {
  return Promise.all(agents.map(describeAgent));
}

/** Agents without their tools, at once. */
export function outlineAgents(agents: readonly AnyAgent[]): readonly AgentView[] {
  return agents.map((agent) => ({ ...outlineOf(agent), isIncomplete: true }));
}

async function describeAgent(agent: AnyAgent): Promise<AgentView> {
  const listed = await listTools(agent);
  const outline = outlineOf(agent);
  if ("problem" in listed) return { ...outline, problem: listed.problem };
  return { ...outline, tools: listed.tools.map((tool) => describeTool(tool, handoffsOf(agent))) };
}

function outlineOf(agent: AnyAgent): AgentView {
  const { name, description, instructions, model } = agent;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(model !== undefined && {
      model: typeof model === "string" ? model : `${model.provider}:${model.modelId}`,
    }),
    ...(typeof instructions === "string" && { instructions }),
    hasDynamicInstructions: typeof instructions === "function",
    handoffs: handoffsOf(agent).map((target) => target.name),
    tools: [],
  };
}

async function listTools(
  agent: AnyAgent,
): Promise<{ readonly tools: readonly Tool[] } | { readonly problem: string }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("its tools were not listed within 5 seconds")), patience);
    });
    const table = await Promise.race([toolsOf(agent, {}), late]);
    return { tools: table.names.flatMap((name) => table.get(name) ?? []) };
  } catch (error) {
    return { problem: errorMessage(error) };
  } finally {
    clearTimeout(timer);
  }
}

function describeTool(tool: Tool, handoffs: readonly AnyAgent[]): ToolView {
  const { name, description, inputSchema, policy, annotations } = tool;
  const target = isHandoffTool(tool)
    ? handoffs.find((agent) => description?.includes(` ${agent.name}.`))
    : undefined;
  return {
    name,
    ...(description !== undefined && { description }),
    schema: inputSchema.jsonSchema,
    policies: [...describePolicy(policy), ...(annotations.deprecated ? ["deprecated"] : [])],
    ...(target && { handsOffTo: target.name }),
    ...(annotations.readOnlyHint === true && { isReadOnly: true }),
  };
}

/** The policies of a tool in a few words each, in the order in which a call passes them. */
function describePolicy(policy: ToolPolicy<never, never>): readonly string[] {
  const {
    allow,
    requires = [],
    approval,
    cache,
    serialize,
    maxCalls,
    rateLimit,
    concurrency,
    timeout,
    retries,
  } = policy;
  const { maxResultChars, mask, final } = policy;
  const times = typeof retries === "object" ? (retries.times ?? 2) : retries;
  const limit = typeof concurrency === "object" ? concurrency.limit : concurrency;
  return [
    ...(allow ? ["allow"] : []),
    ...(requires.length > 0 ? [`requires ${requires.join(", ")}`] : []),
    ...(approval ? [typeof approval === "function" ? "approval for some calls" : "approval"] : []),
    ...(cache ? ["cache"] : []),
    ...(serialize ? ["serialize"] : []),
    ...(maxCalls === undefined ? [] : [`${maxCalls} in a run`]),
    ...(rateLimit ? [`rate limit ${rateLimit.calls} in ${rateLimit.per / 1_000} s`] : []),
    ...(limit === undefined ? [] : [`concurrency ${limit}`]),
    ...(timeout === undefined || !Number.isFinite(timeout) ? [] : [`timeout ${timeout / 1_000} s`]),
    ...(times ? [`retries ${times}`] : []),
    ...(maxResultChars === undefined ? [] : [`result up to ${maxResultChars} characters`]),
    ...(mask ? ["masked"] : []),
    ...(final ? ["final"] : []),
  ];
}
