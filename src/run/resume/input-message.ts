import { InvalidInputError } from "../../errors.ts";
import { longestText } from "../../message/longest-text.ts";
import { toolCallProblem } from "../../message/tool-call-problem.ts";
import { assertAssistantParts, assertParts } from "../../model/assert-parts.ts";
import { withSoundParts } from "../../model/sound-parts.ts";
import type { AssistantMessage, Message } from "../../message/messages.ts";
import type { InputMessage } from "../types.ts";

const fromChat = "For histories in the Chat Completions form, see fromChatMessages of skein/openai.";

/**
 * A message of an input: as `toMessage`, with parts that every model can be sent.
 * @throws InvalidInputError naming what is wrong with the message at `index`, or with a part of it.
 */
export function readMessage(input: InputMessage, index: number): Message {
  const message = toMessage(input, index);
  if (message.role === "assistant") assertAssistantParts(message.content, `messages[${index}]`);
  else if (message.role === "tool") assertParts(message.result.content, `the result in messages[${index}]`);
  else if (typeof message.content !== "string") assertParts(message.content, `messages[${index}]`);
  return message;
}

/**
 * A message that is stored, which stays readable whatever its parts are: a note stands for one that no model can be sent.
 * @throws InvalidInputError naming what is wrong with the message at `index`.
 */
export function readStoredMessage(stored: InputMessage, index: number): Message {
  return withSoundParts(toMessage(stored, index));
}

/**
 * A message as a run keeps it.
 * @throws InvalidInputError naming what is wrong with the message at `index`.
 */
function toMessage(message: InputMessage, index: number): Message {
  const fail = (problem: string): never => {
    throw new InvalidInputError(`messages[${index}] ${problem}`);
  };
  if (typeof message !== "object" || message === null)
    return fail(
      `must be a message such as { role: "user", content: "..." }, not ${JSON.stringify(message)}.`,
    );
  if ("tool_calls" in message || "tool_call_id" in message) return fail(`is in another form. ${fromChat}`);
  switch (message.role) {
    case "system":
      return typeof message.content === "string" ? message : fail("(system) must have a text as content.");
    case "user":
      assertContent(message.content, fail);
      return message;
    case "assistant":
      assertContent(message.content, fail);
      assertCalls(message.toolCalls, fail);
      return toAssistant(message);
    case "tool":
      if (typeof message.result?.toolCallId === "string") {
        assertContent(message.result.content, fail);
        return message;
      }
      return fail(`(tool) has no result: { role: "tool", result: { toolCallId, ... } }. ${fromChat}`);
    default:
      return fail(`has an unknown role. Roles are "system", "user", "assistant" and "tool". ${fromChat}`);
  }
}

/** An assistant's message as a program writes it, in the form that models give. */
function toAssistant(message: Extract<InputMessage, { role: "assistant" }>): Message {
  // The same object: the model of an earlier answer is found by it.
  if (isComplete(message)) return message;
  const { content, toolCalls = [], agent } = message;
  const parts = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return {
    role: "assistant",
    content: [...parts, ...toolCalls.map(({ toolCallId }) => ({ type: "tool-call", toolCallId }) as const)],
    toolCalls,
    ...(agent !== undefined && { agent }),
  };
}

function isComplete(message: Extract<InputMessage, { role: "assistant" }>): message is AssistantMessage {
  return typeof message.content !== "string" && message.toolCalls !== undefined;
}

function assertCalls(calls: unknown, fail: (problem: string) => never): void {
  if (calls === undefined) return;
  if (!Array.isArray(calls)) fail("has toolCalls that are not a list.");
  else
    for (const [index, call] of calls.entries()) {
      const problem = toolCallProblem(call);
      if (problem !== undefined) fail(`has toolCalls[${index}], which ${problem}`);
    }
}

function assertContent(content: unknown, fail: (problem: string) => never): void {
  if (typeof content !== "string" && !Array.isArray(content)) {
    fail("has no content: it must be text or a list of parts.");
  } else if (content.length > longestText) fail(`is too long: ${longestText} characters are the most.`);
}
