import type { JsonObject } from "../../base/util/json.ts";
import { isObject } from "../../base/util/json.ts";
import type { UserMessage } from "../../message/messages.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ExternalResult } from "../../run/types.ts";
import {
  type CheckedObject,
  describe,
  invalid,
  property,
  readJson,
  readList,
  readName,
  readObject,
  readOptionalName,
  readText,
} from "./checked-json.ts";
import { mostParts, readUserContent } from "./read-user-parts.ts";

/** The most messages that a client sends. */
export const mostMessages = 10_000;

/** The longest reason of a decision, in characters: the model reads it. */
const longestReason = 10_000;

/** What is new in the body that `useChat` posts. The rest of its messages counts for nothing: the history is the server's. */
export interface UIMessagesRequest {
  /** The id of the chat. */
  readonly chatId?: string;
  /** Whether the last answer is to be made again. */
  readonly trigger: "submit-message" | "regenerate-message";
  /** The message that is made again, that the user has edited, or that goes on. */
  readonly messageId?: string;
  /** What the user has written, if the last message is the user's, and its id. */
  readonly message?: UserMessage;
  readonly userMessageId?: string;
  /** The last message of the assistant: with decisions or results, the answer goes on with it (`isContinuation`). */
  readonly assistantMessageId?: string;
  /** What the user has decided. Whether such calls wait is for the server to see. */
  readonly decisions: readonly ApprovalDecision[];
  /**
   * The results of calls in the assistant's message, by the ids of their calls: also of those that the server executed. Take those of calls
   * that wait for a result, and no others.
   */
  readonly results: readonly ExternalResult[];
}

/**
 * Reads the body that the AI SDK's `DefaultChatTransport` posts: `{ id, messages, trigger, messageId }`. Only the last message of the
 * user and the message of the assistant that goes on are read.
 *
 * `addToolApprovalResponse` has no place for edited arguments. A page sends them in its `options`:
 * `{ body: { approvalArguments: { [approvalId]: { ... } } } }`.
 * @param body - The parsed JSON. What it says is checked, what it claims is not: match decisions and results with the calls that wait.
 * @throws InvalidInputError naming the place of what is wrong.
 */
export function readUIMessages(body: unknown): UIMessagesRequest {
  const request = readObject(body, "body");
  const messages = readList(property(request, "messages"), "messages", mostMessages);
  const trigger = readTrigger(request);
  const chatId = readOptionalName(request, "id");
  const messageId = readOptionalName(request, "messageId");
  const user = messages.length === 0 ? invalid("messages", "must not be empty.") : lastMessage(messages);
  const assistant = readAssistant(messages, messageId);
  const parts = assistant ? toolParts(assistant) : [];
  return {
    trigger,
    ...(chatId !== undefined && { chatId }),
    ...(messageId !== undefined && { messageId }),
    ...(user && {
      message: { role: "user", content: readUserContent(user) },
      userMessageId: readName(user, "id"),
    }),
    ...(assistant && { assistantMessageId: readName(assistant, "id") }),
    decisions: readDecisions(parts, editedArguments(request)),
    results: readResults(parts),
  };
}

function readTrigger(request: CheckedObject): UIMessagesRequest["trigger"] {
  const trigger = property(request, "trigger") ?? "submit-message";
  if (trigger === "submit-message" || trigger === "regenerate-message") return trigger;
  return invalid("trigger", `must be "submit-message" or "regenerate-message", not ${describe(trigger)}.`);
}

/** The last message, if it is the user's. */
function lastMessage(messages: readonly unknown[]): CheckedObject | undefined {
  const message = messageAt(messages, messages.length - 1);
  const role = property(message, "role");
  if (role === "user") return message;
  if (role === "assistant") return undefined;
  return invalid(`${message.path}.role`, `must be "user" or "assistant", not ${describe(role)}.`);
}

/** The message of the assistant that goes on: the one with the id, else the last one. */
function readAssistant(
  messages: readonly unknown[],
  messageId: string | undefined,
): CheckedObject | undefined {
  const isAssistant = (message: unknown): boolean => isObject(message) && message["role"] === "assistant";
  const named = messages.findLastIndex(
    (message) => isAssistant(message) && isObject(message) && message["id"] === messageId,
  );
  const index = named >= 0 ? named : messages.findLastIndex(isAssistant);
  return index < 0 ? undefined : messageAt(messages, index);
}

function messageAt(messages: readonly unknown[], index: number): CheckedObject {
  return readObject(messages[index], `messages[${index}]`);
}

/** The parts that are calls. */
function toolParts(message: CheckedObject): readonly CheckedObject[] {
  const path = `${message.path}.parts`;
  return readList(property(message, "parts"), path, mostParts * 10).flatMap((each, index) => {
    const part = readObject(each, `${path}[${index}]`);
    const type = property(part, "type");
    const isCall = typeof type === "string" && (type === "dynamic-tool" || type.startsWith("tool-"));
    return isCall ? [part] : [];
  });
}

function readDecisions(
  parts: readonly CheckedObject[],
  edited: CheckedObject | undefined,
): readonly ApprovalDecision[] {
  const decisions = new Map<string, ApprovalDecision>();
  for (const part of parts) {
    if (property(part, "state") !== "approval-responded") continue;
    const decision = readDecision(readObject(property(part, "approval"), `${part.path}.approval`), edited);
    decisions.set(decision.approvalId, decision);
  }
  return [...decisions.values()];
}

function readDecision(approval: CheckedObject, edited: CheckedObject | undefined): ApprovalDecision {
  const approvalId = readName(approval, "id");
  const isApproved = property(approval, "approved");
  if (typeof isApproved !== "boolean")
    return invalid(`${approval.path}.approved`, `must be true or false, not ${describe(isApproved)}.`);
  const reason =
    property(approval, "reason") === undefined ? undefined : readText(approval, "reason", longestReason);
  const hasArguments = isApproved && edited && property(edited, approvalId) !== undefined;
  return {
    approvalId,
    decision: isApproved ? "approve" : "deny",
    ...(reason !== undefined && { reason }),
    ...(hasArguments && { arguments: argumentsOf(edited, approvalId) }),
  };
}

function argumentsOf(edited: CheckedObject, approvalId: string): JsonObject {
  const value = readJson(edited, approvalId);
  if (isObject(value)) return value;
  return invalid(`${edited.path}.${approvalId}`, `must be an object, not ${describe(value)}.`);
}

function editedArguments(request: CheckedObject): CheckedObject | undefined {
  const edited = property(request, "approvalArguments");
  return edited === undefined ? undefined : readObject(edited, "approvalArguments");
}

function readResults(parts: readonly CheckedObject[]): readonly ExternalResult[] {
  const results = new Map<string, ExternalResult>();
  for (const part of parts) {
    const state = property(part, "state");
    const isResult = state === "output-available" && property(part, "preliminary") !== true;
    if (!isResult && state !== "output-error") continue;
    const toolCallId = readName(part, "toolCallId");
    const result = isResult
      ? { toolCallId, content: readJson(part, "output") }
      : { toolCallId, content: readText(part, "errorText"), isError: true };
    results.set(toolCallId, result);
  }
  return [...results.values()];
}
