import type { Message } from "../../message/messages.ts";
import { textOfResult } from "../text-of-result.ts";
import type { Redaction } from "../../testing/recording/secrets.ts";
import type { AgentView, ReplayMessage, ReplayTool, ReplayView } from "../records.ts";
import { unnamedAgent } from "../elsewhere/recordings.ts";
import type { RunRecord } from "../run-record.ts";
import { textOfUser } from "../user-text.ts";
import { beginningOf } from "./start-replay.ts";

/** The longest text that the page shows and edits, in characters. */
const longestText = 65_536;

/**
 * What a replay from a model call on has to begin with, without secrets.
 * @param agents - The agents that the studio has now.
 * @throws Refusal (404, 410)
 */
export function describeReplay(
  record: RunRecord,
  number: number,
  agents: readonly AgentView[],
  redact: Redaction,
): ReplayView {
  const { step, prompt } = beginningOf(record, number);
  return {
    step: number,
    turn: step.turn,
    agent: step.agent,
    isServed: agents.some(({ name }) => name === step.agent),
    ...(record.source === "recording" && step.agent === unnamedAgent && { isUnnamed: true as const }),
    model: `${step.provider}:${step.modelId}`,
    ...(prompt.instructions !== undefined && { instructions: redact.text(prompt.instructions) }),
    messages: prompt.messages.map((message, index) => describeMessage(message, index, redact)),
    tools: toolsOf(record, agents),
  };
}

function describeMessage(message: Message, index: number, redact: Redaction): ReplayMessage {
  const whole = textOf(message);
  const isText = message.role === "user" || message.role === "tool";
  return {
    index,
    role: message.role,
    ...(message.role === "tool" && { about: message.result.toolName }),
    ...(message.role === "assistant" && message.agent !== undefined && { about: message.agent }),
    text: redact.text(whole.slice(0, longestText)),
    isEditable: isText && whole.length <= longestText,
  };
}

function textOf(message: Message): string {
  switch (message.role) {
    case "system":
      return message.content;
    case "user":
      return textOfUser(message);
    case "tool":
      return textOfResult(message.result);
    case "assistant":
      return [
        ...message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
        ...message.toolCalls.map((call) => `${call.toolName}(${call.arguments})`),
      ].join("\n");
  }
}

/** The tools that calls of the run could be for, with how many of them have results. Handoffs execute nothing. */
function toolsOf(record: RunRecord, agents: readonly AgentView[]): readonly ReplayTool[] {
  const views = agents.flatMap(({ tools }) => tools);
  const handoffs = new Set(views.flatMap(({ name, handsOffTo }) => (handsOffTo === undefined ? [] : [name])));
  const calls = record.steps.flatMap((each) =>
    each.kind === "tool" && record.outcomes.has(each.id) ? [each.toolName] : [],
  );
  const offered = [...record.tools.values()].flat().map(({ name }) => name);
  const names = [...new Set([...calls, ...offered])].filter((name) => !handoffs.has(name));
  return names.map((name) => ({
    name,
    calls: calls.filter((each) => each === name).length,
    policies: views.find((view) => view.name === name)?.policies ?? [],
  }));
}
