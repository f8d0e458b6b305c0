import { toolsOf } from "../../agent/agent-tools.ts";
import { handoffsOf, reachableAgents } from "../../agent/handoff.ts";
import type { Tool } from "../../tool/types.ts";
import { describeParameters } from "../describe-schema.ts";
import { shorten } from "../text.ts";
import type { ChatSession } from "./session.ts";

/** Who has the lead, with which model, and to whom it can pass. */
export function describeAgent<C>({ agent, model, override, state }: ChatSession<C>): string {
  const handoffs = handoffsOf(agent).map(({ name }) => name);
  const lines = [
    agent.description === undefined ? agent.name : `${agent.name}: ${agent.description}`,
    `  model:    ${modelName(override ?? agent.model ?? model)}`,
    `  hands to: ${handoffs.length === 0 ? "nobody" : handoffs.join(", ")}`,
    `  messages: ${state?.messages.length ?? 0}`,
  ];
  return lines.join("\n");
}

/** Everybody who may get the lead, and who has it. */
export function describeTeam<C>({ agent, start }: ChatSession<C>): string {
  const team = reachableAgents([start.agent, agent]);
  // Of one that was copied to be given a model, the copy and the original are there.
  const members = new Map(team.map((member) => [member.name, member]));
  const lines = [...members.values()].map(({ name, description }) => {
    const lead = name === agent.name ? " (has the lead)" : "";
    return `${name}${lead}${description === undefined ? "" : `: ${shorten(description, 200)}`}`;
  });
  return lines.join("\n");
}

/** The tools of the agent that has the lead. */
export async function describeTools<C>({ agent, context }: ChatSession<C>): Promise<string> {
  const { tools } = await toolsOf(agent, context ?? {});
  return tools.length === 0 ? `${agent.name} has no tools.` : tools.map(describeTool).join("\n");
}

function describeTool({ name, description, inputSchema }: Tool): string {
  const head = `${name}(${describeParameters(inputSchema.jsonSchema)})`;
  return description === undefined ? head : `${head}\n  ${shorten(description, 200)}`;
}

/** How a model is called in messages: `openai:gpt-5.2`. */
export function modelName(model: ChatSession["model"]): string {
  if (model === undefined) return "chosen at the first message";
  if (typeof model === "string") return model;
  if (model.provider === "offline" || model.provider === model.modelId) return model.provider;
  return `${model.provider}:${model.modelId}`;
}
