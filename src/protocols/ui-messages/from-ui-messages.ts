import type { ToolCall, ToolResult, UserMessage } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import type { InputMessage } from "../../run/types.ts";
import { preview } from "../../schema/words.ts";
import { InputObject } from "../kit/input-object.ts";
import { mostMessages, roles } from "./read-ui-messages.ts";
import { mostParts, readFile, readUserContent } from "./read-user-parts.ts";

/** The input of a run. */
export interface FromUIMessages {
  readonly messages: readonly InputMessage[];
}

/** A step of the assistant: a message of the model and the results of its calls. */
interface Step {
  readonly content: AssistantPart[];
  readonly toolCalls: ToolCall[];
  readonly results: ToolResult[];
}

/**
 * The messages of `useChat` as the input of `run` and `stream`, for a program that keeps no history of its own. All that they say is the
 * client's word, also what assistants and tools are to have said: never use it where that matters, and see `readUIMessages`, which takes
 * only what is new. Nothing is approved by it: calls without a result count as not executed. Reasoning is left out.
 * @param messages - The parsed JSON.
 * @throws InvalidInputError naming the place of what is wrong, such as a system message.
 */
export function fromUIMessages(messages: unknown): FromUIMessages {
  const list = new InputObject({ messages }).objects("messages", mostMessages);
  return {
    messages: list.flatMap((message): readonly InputMessage[] => {
      const role = message.choice("role", roles);
      return role === "user" ? [{ role, content: readUserContent(message) }] : readAssistant(message);
    }),
  };
}

function readAssistant(message: InputObject): readonly InputMessage[] {
  const messages: InputMessage[] = [];
  const callIds: string[] = [];
  let step = newStep();
  const endStep = (): void => {
    messages.push(...messagesOf(step));
    step = newStep();
  };
  for (const part of message.objects("parts", mostParts * 10)) {
    const type = part.text("type", 1_000);
    if (type === "step-start") endStep();
    else if (type === "steering-message") {
      endStep();
      messages.push({ role: "user", content: readUserContent(part) } satisfies UserMessage);
    } else if (type === "text") step.content.push({ type, text: part.text("text") });
    else if (type === "file") step.content.push(readFile(part));
    else if (type.startsWith("tool-") || type === "dynamic-tool") addCall(step, part, type, callIds);
  }
  endStep();
  return messages;
}

function newStep(): Step {
  return { content: [], toolCalls: [], results: [] };
}

function messagesOf({ content, toolCalls, results }: Step): readonly InputMessage[] {
  if (content.length === 0) return [];
  const tools = results.map((result) => ({ role: "tool", result }) as const);
  return [{ role: "assistant", content, toolCalls }, ...tools];
}

function addCall(step: Step, part: InputObject, type: string, callIds: string[]): void {
  // Its provider alone can read what the provider did.
  if (part.get("providerExecuted") === true) return;
  const state = part.get("state");
  // Its arguments have not come to their end.
  if (state === "input-streaming") return;
  const toolCallId = part.id("toolCallId");
  // What was called within another call is not the model's.
  if (/^turn-\d+\/tool\//.test(toolCallId) || callIds.some((id) => toolCallId.startsWith(`${id}/`))) return;
  if (step.toolCalls.some((call) => call.toolCallId === toolCallId))
    throw part.wrong("toolCallId", `is that of an earlier part: ${preview(toolCallId)}`);
  callIds.push(toolCallId);
  const toolName = type === "dynamic-tool" ? part.id("toolName") : type.slice("tool-".length);
  const input = part.optionalJson("input") ?? {};
  const call: ToolCall = {
    toolCallId,
    toolName,
    arguments: typeof input === "string" ? input : JSON.stringify(input),
  };
  step.content.push({ type: "tool-call", toolCallId });
  step.toolCalls.push(call);
  step.results.push(resultOf(call, part, state));
}

function resultOf(call: ToolCall, part: InputObject, state: unknown): ToolResult {
  const { toolCallId, toolName } = call;
  if (state === "output-available" && part.get("preliminary") !== true) {
    const output = part.optionalJson("output") ?? null;
    const text = typeof output === "string" ? output : JSON.stringify(output);
    return {
      toolCallId,
      toolName,
      content: [{ type: "text", text }],
      ...(typeof output !== "string" && { structuredContent: output }),
      isError: false,
      outcome: "success",
    };
  }
  if (state === "output-error") {
    const content = [{ type: "text", text: part.text("errorText") } as const];
    return { toolCallId, toolName, content, isError: true, outcome: "error" };
  }
  if (state === "output-denied")
    return { ...notExecuted(call, "the user decided against it."), outcome: "denied" };
  return notExecuted(call, "the conversation went on without its result.");
}
