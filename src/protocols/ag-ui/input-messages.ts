import { isObject, type JsonObject } from "../../base/util/json.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { InvalidInputError } from "../../errors.ts";
import type { Part } from "../../message/parts.ts";
import type { ExternalResult, InputMessage } from "../../run/types.ts";
import type { InputObject } from "../kit/input-object.ts";
import { ownCallId } from "./call-ids.ts";
import { readContent } from "./input-parts.ts";
import { limits } from "./limits.ts";
import type { AgUiMessage, AgUiToolCall } from "./types.ts";

/** The messages of an input, each in the form of Skein and in that of the client. */
export interface InputConversation {
  readonly messages: readonly InputMessage[];
  readonly agUiMessages: readonly AgUiMessage[];
  /** What the user has written last: everything behind the last answer. */
  readonly message: UserInput["message"] | undefined;
  /** The same, one by one. */
  readonly userMessages: readonly UserInput[];
  /** The results since the user has written before the last answer. */
  readonly results: readonly ExternalResult[];
}

/** A message of the user, with the id that the client knows it by. */
export interface UserInput {
  readonly id: string;
  readonly message: Extract<InputMessage, { readonly role: "user" }>;
}

/** A message as it was read; without `message` where it is not of the run itself. */
interface ReadMessage {
  readonly message?: InputMessage;
  readonly original?: AgUiMessage;
  /** What is wrong with what the user has attached. */
  readonly problem?: InvalidInputError;
}

/** The calls of a conversation. */
class Calls {
  readonly #names = new Map<string, string>();
  /** By the calls' own ids, the one that has it last. */
  readonly #last = new Map<string, string>();
  readonly #answers = new Map<InputMessage, string>();

  add({ id, function: called }: AgUiToolCall): void {
    this.#names.set(id, called.name);
    this.#last.set(ownCallId(id), id);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? "unknown";
  }

  answer(id: string, message: InputMessage): void {
    this.#answers.set(message, id);
  }

  /** Whether a result is that of the last call which has its id: models use an id again. */
  isLast(message: InputMessage): boolean {
    const id = this.#answers.get(message) ?? "";
    return (this.#last.get(ownCallId(id)) ?? id) === id;
  }
}

/** What messages of all roles have. */
type Fields = Pick<AgUiMessage, "id" | "subagentRunId" | keyof Attachments>;

type Attachments = Pick<AgUiToolCall, "metadata" | "encryptedValue">;

/** What a client wants back as it is. */
function attachmentsOf(object: InputObject): Attachments {
  const metadata = object.optionalObject("metadata")?.toJson();
  const encryptedValue = object.optionalText("encryptedValue");
  return { ...(metadata && { metadata }), ...(encryptedValue !== undefined && { encryptedValue }) };
}

function nameOf(object: InputObject): { readonly name?: string } {
  const name = object.optionalText("name", limits.name);
  return name === undefined ? {} : { name };
}

const roles = ["user", "assistant", "tool", "system", "developer", "reasoning", "activity"] as const;

/** Reads the messages of an input. */
export function readMessages(input: InputObject): InputConversation {
  const calls = new Calls();
  const read = input.objects("messages", limits.messages).map((object) => readMessage(object, calls));
  const messages = read.flatMap(({ message }) => message ?? []);
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  const userMessages = readSince(read, messages[answer]);
  // Clients put results behind their calls, or at the end: text of the same run may be in between.
  const begin = messages.findLastIndex(({ role }, index) => role === "user" && index < answer);
  return {
    messages,
    agUiMessages: read.flatMap(({ original }) => original ?? []),
    message: merged(userMessages),
    userMessages,
    results: messages
      .slice(begin + 1)
      .flatMap((message) =>
        message.role === "tool" && calls.isLast(message) ? externalResult(message.result) : [],
      ),
  };
}

function readMessage(object: InputObject, calls: Calls): ReadMessage {
  const role = object.choice("role", roles);
  const id = object.id("id");
  const subagentRunId = object.optionalText("subagentRunId", limits.id);
  const fields = { id, ...(subagentRunId !== undefined && { subagentRunId }), ...attachmentsOf(object) };
  const { message, original, problem } = readByRole(object, role, fields, calls);
  // What an agent within a run has written is not of the conversation.
  return subagentRunId === undefined && message
    ? { message, ...(original && { original }), ...(problem && { problem }) }
    : { ...(original && { original }) };
}

function readByRole(
  object: InputObject,
  role: (typeof roles)[number],
  fields: Fields,
  calls: Calls,
): ReadMessage {
  switch (role) {
    case "user": {
      const { content, original, problem } = readContent(object);
      return {
        message: { role, content },
        original: { ...fields, ...nameOf(object), role, content: original },
        ...(problem && { problem }),
      };
    }
    case "system":
    case "developer": {
      const content = object.optionalText("content") ?? "";
      return {
        message: { role: "system", content },
        original: { ...fields, ...nameOf(object), role, content },
      };
    }
    case "assistant":
      return readAnswer(object, fields, calls);
    case "tool":
      return readResult(object, fields, calls);
    case "reasoning":
      return { original: { ...fields, role, content: object.optionalText("content") ?? "" } };
    case "activity":
      return {};
  }
}

function readAnswer(object: InputObject, fields: Fields, calls: Calls): ReadMessage {
  const content = object.optionalText("content") ?? "";
  const toolCalls = object.optionalObjects("toolCalls", limits.calls).map(readCall);
  for (const call of toolCalls) calls.add(call);
  const message = { role: "assistant", content, toolCalls: toolCalls.map(toToolCall) } as const;
  const original: AgUiMessage = {
    ...fields,
    role: "assistant",
    ...nameOf(object),
    ...(content !== "" && { content }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  return content === "" && toolCalls.length === 0 ? { original } : { message, original };
}

function readCall(object: InputObject): AgUiToolCall {
  const called = object.object("function");
  const name = called.text("name", limits.name);
  const id = object.id("id");
  const text = called.optionalText("arguments") ?? "";
  return { id, type: "function", function: { name, arguments: text }, ...attachmentsOf(object) };
}

function toToolCall({ id, function: called }: AgUiToolCall): ToolCall {
  return { toolCallId: ownCallId(id), toolName: called.name, arguments: called.arguments };
}

function readResult(object: InputObject, fields: Fields, calls: Calls): ReadMessage {
  const wireId = object.id("toolCallId");
  const error = object.optionalText("error");
  const { content, original } = readContent(object);
  const parts = partsOf(content);
  const isError = error !== undefined || isMarkedAsError(fields.metadata);
  const result: ToolResult = {
    toolCallId: ownCallId(wireId),
    toolName: calls.nameOf(wireId),
    content: parts.length === 0 && error !== undefined ? partsOf(error) : parts,
    isError,
    outcome: isError ? "error" : "success",
  };
  const more = error === undefined ? {} : { error };
  const message = { role: "tool", result } as const;
  calls.answer(wireId, message);
  return {
    message,
    original: { ...fields, role: "tool", toolCallId: wireId, content: original, ...more },
  };
}

/** Whether a result comes from a run that has said so. */
function isMarkedAsError(metadata: JsonObject | undefined): boolean {
  const mark = metadata && Object.hasOwn(metadata, "skein") ? metadata["skein"] : undefined;
  return isObject(mark) && Object.hasOwn(mark, "isError") && mark["isError"] === true;
}

function partsOf(content: string | readonly Part[]): readonly Part[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

/** A text where it is one: the model gets it as the client wrote it. */
function externalResult({ toolCallId, content, isError }: ToolResult): ExternalResult {
  const [part, another] = content;
  const value = !part ? "" : !another && part.type === "text" ? part.text : content;
  return { toolCallId, content: value, ...(isError && { isError }) };
}

/**
 * What the user has written behind the last answer, if there is one.
 * @throws InvalidInputError for what is attached there and no model could be sent. What was answered may come from elsewhere, and has its answer.
 */
function readSince(
  read: readonly ReadMessage[],
  answer: InputMessage | undefined,
): InputConversation["userMessages"] {
  const begin = answer === undefined ? 0 : read.findIndex(({ message }) => message === answer) + 1;
  return read.slice(begin).flatMap(({ message, original, problem }) => {
    if (problem) throw problem;
    return message?.role === "user" && original ? { id: original.id, message } : [];
  });
}

/** All that the user has written, as one message. */
function merged(messages: readonly UserInput[]): InputConversation["message"] {
  const contents = messages.map(({ message }) => message.content);
  const [first, ...others] = contents;
  if (first === undefined) return undefined;
  if (others.length === 0) return { role: "user", content: first };
  const texts = contents.filter((content) => typeof content === "string");
  const isText = texts.length === contents.length;
  return { role: "user", content: isText ? texts.join("\n\n") : contents.flatMap(partsOf) };
}
