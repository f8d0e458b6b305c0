import { InvalidInputError } from "../errors.ts";
import { answerAbandonedCalls } from "../message/unanswered-calls.ts";
import type { Message } from "../message/messages.ts";
import type { RunState } from "../message/run-state.ts";
import { isPlainObject } from "../util/json.ts";
import type { InputMessage, RunInput } from "./types.ts";

/** Whether the input of a run is the state of an earlier one. */
export function isRunState<C>(input: RunInput<C>): input is RunState<C> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/**
 * The history that a run begins with, copied.
 * @throws InvalidInputError naming the message that is none.
 */
export function inputMessages(input: RunInput<unknown>): Message[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (isRunState(input)) {
    assertState(input);
    return input.messages.map(toMessage);
  }
  if (!Array.isArray(input))
    throw new InvalidInputError(
      `The input is ${input === null ? "null" : typeof input}: give a text, a list of messages or a state.`,
    );
  return [...answerAbandonedCalls(input.map(toMessage))];
}

function assertState(state: RunState): void {
  if (state.version === 1 && Array.isArray(state.messages) && typeof state.agent === "string") return;
  const version = isPlainObject(state) ? String(state.version) : typeof state;
  throw new InvalidInputError(
    `The input is no run state of version 1 (its version is ${version}): give result.state or error.state as it was, or a list of messages.`,
  );
}

function toMessage(message: InputMessage, index: number): Message {
  const place = `messages[${index}]`;
  if (typeof message !== "object" || message === null)
    throw new InvalidInputError(`${place} is no message but ${String(message)}.`);
  switch (message.role) {
    case "system":
      if (typeof message.content !== "string") throw wrongContent(place, message.role, "text");
      return message;
    case "user":
      if (!isContent(message.content)) throw wrongContent(place, message.role, "text or a list of parts");
      return message;
    case "assistant": {
      if (!isContent(message.content)) throw wrongContent(place, message.role, "text or a list of parts");
      if (typeof message.content !== "string" && message.toolCalls)
        return { ...message, content: message.content, toolCalls: message.toolCalls };
      return fromText(message);
    }
    case "tool":
      if (typeof message.result?.toolCallId !== "string") {
        throw new InvalidInputError(
          `${place} is a tool message without result.toolCallId: { role: "tool", result: { toolCallId, ... } }.`,
        );
      }
      return message;
    default:
      throw new InvalidInputError(
        `${place} has the role ${JSON.stringify((message as { role?: unknown }).role)}: it must be "system", "user", "assistant" or "tool". For histories in the Chat Completions form, see fromChatMessages of skein/openai.`,
      );
  }
}

/** An assistant's message as a program writes it, in the form that models give. */
function fromText(message: Extract<InputMessage, { role: "assistant" }>): Message {
  const toolCalls = message.toolCalls ?? [];
  const text =
    typeof message.content === "string"
      ? [{ type: "text", text: message.content } as const]
      : message.content;
  return {
    role: "assistant",
    content: [...text, ...toolCalls.map(({ toolCallId }) => ({ type: "tool-call", toolCallId }) as const)],
    toolCalls,
    ...(message.agent !== undefined && { agent: message.agent }),
  };
}

function isContent(content: unknown): boolean {
  return typeof content === "string" || Array.isArray(content);
}

function wrongContent(place: string, role: string, wanted: string): InvalidInputError {
  return new InvalidInputError(`${place} (role ${role}) has no content: it must be ${wanted}.`);
}
