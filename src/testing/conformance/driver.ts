import type { Message, ToolCall } from "../../message/messages.ts";
import type { Model, ModelRequest, ToolSpec } from "../../model/types.ts";
import { FunctionModel } from "../function-model.ts";
import type { ScriptedToolCall, TurnLike } from "../turn.ts";
import { randomOf } from "./random.ts";
import { validValues } from "./values/valid.ts";

/** Calls of one answer. */
const callsAtOnce = 4;

/** Names that no tool has. */
const stranger = "no_such_tool";

/**
 * A model that tries all there is: it calls every tool with an input at an edge of its schema, several at once; makes the
 * mistakes that models make; hands over to everybody; then answers. It goes by the history alone, so the same history has
 * the same answer.
 */
export function drivingModel(seed: number, callIds: string): Model {
  return new FunctionModel((request) => nextTurn(request, seed), {
    provider: "test",
    modelId: "driver",
    toolCallIdPrefix: callIds,
  });
}

function nextTurn({ messages, tools = [], toolChoice }: ModelRequest, seed: number): TurnLike {
  const calls = callsIn(messages);
  const names = new Set(calls.map(({ toolName }) => toolName));
  const untried = tools.filter(({ name }) => !names.has(name));
  const [work, handoffs] = [untried.filter((tool) => !isHandoff(tool)), untried.filter(isHandoff)];
  if (toolChoice === "none") return answer();
  if (work.length > 0) return turn(work.slice(0, callsAtOnce).map((tool) => callOf(tool, seed)));
  if (!names.has(stranger)) return turn(mistakes(tools));
  const [handoff] = handoffs;
  return handoff ? turn([callOf(handoff, seed)]) : answer();
}

function isHandoff({ name }: ToolSpec): boolean {
  return name.startsWith("transfer_to_");
}

function callOf({ name, inputSchema }: ToolSpec, seed: number): ScriptedToolCall {
  const [input = {}] = validValues(inputSchema, randomOf(seed), 1);
  return { toolName: name, arguments: JSON.stringify(input) };
}

/** An unknown tool and arguments that are not JSON, in one call. */
function mistakes([first]: readonly ToolSpec[]): readonly ScriptedToolCall[] {
  const unknown: ScriptedToolCall = { toolName: stranger, arguments: "{}" };
  return first ? [unknown, { toolName: first.name, arguments: '{"cut' }] : [unknown];
}

function turn(toolCalls: readonly ScriptedToolCall[]): TurnLike {
  return { text: "One moment.", toolCalls, chunkSize: 12, usage: { inputTokens: 10, outputTokens: 5 } };
}

function answer(): TurnLike {
  return { text: "That is all.", chunkSize: 4, usage: { inputTokens: 10, outputTokens: 5 } };
}

function callsIn(messages: readonly Message[]): readonly ToolCall[] {
  return messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
}
