import { preview } from "../../schema/words.ts";
import { isObject } from "../../base/util/json.ts";
import type { UserMessage } from "../../message/messages.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ExternalResult } from "../../run/types.ts";
import { InputObject } from "../kit/input-object.ts";
import { mostParts, readUserContent } from "./read-user-parts.ts";

/** The most messages that a client sends. */
export const mostMessages = 10_000;

/** Who speaks in a chat: instructions are the server's. */
export const roles = ["user", "assistant"] as const;

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
  const request = new InputObject(body);
  const messages = request.list("messages", mostMessages);
  if (messages.length === 0) throw request.wrong("messages", "must not be empty");
  const trigger = request.optionalChoice("trigger", ["submit-message", "regenerate-message"]);
  const chatId = request.optionalId("id");
  const messageId = request.optionalId("messageId");
  const user = lastMessage(messages);
  const assistant = readAssistant(messages, messageId);
  const parts = assistant ? toolParts(assistant) : [];
  return {
    trigger: trigger ?? "submit-message",
    ...(chatId !== undefined && { chatId }),
    ...(messageId !== undefined && { messageId }),
    ...(user && {
      message: { role: "user", content: readUserContent(user) },
      userMessageId: user.id("id"),
    }),
    ...(assistant && { assistantMessageId: assistant.id("id") }),
    decisions: readDecisions(parts, readEdited(request, messages)),
    results: readResults(parts),
  };
}

/** The form of an approval's id: a page that goes on sending those of earlier answers may have loaded its messages again since. */
const approvalForm = /^[0-9a-f]{64}$/;

/**
 * The edited arguments of a request, by the ids of their approvals.
 * @throws InvalidInputError for another id, such as that of a call: the call would be made unedited.
 */
function readEdited(request: InputObject, messages: readonly unknown[]): InputObject | undefined {
  const edited = request.objectIfPresent("approvalArguments");
  const ids = Object.keys(edited?.value ?? {});
  if (!edited || ids.length === 0) return undefined;
  const approvals = new Set(messages.flatMap(approvalIdsOf));
  const stray = ids.find((id) => !approvals.has(id) && !approvalForm.test(id));
  if (stray === undefined) return edited;
  throw edited.wrong(
    preview(stray).slice(1, -1),
    "is not the id of an approval in the messages: name the arguments by part.approval.id",
  );
}

function approvalIdsOf(message: unknown): readonly unknown[] {
  const { parts }: { readonly parts?: unknown } = Object(message);
  if (!Array.isArray(parts)) return [];
  return parts.map((part: unknown) => {
    const { approval }: { readonly approval?: { readonly id?: unknown } } = Object(part);
    return approval?.id;
  });
}

/** The last message, if it is the user's. */
function lastMessage(messages: readonly unknown[]): InputObject | undefined {
  const message = messageAt(messages, messages.length - 1);
  return message.choice("role", roles) === "user" ? message : undefined;
}

/** The message of the assistant that goes on: the one with the id, else the last one. */
function readAssistant(messages: readonly unknown[], messageId: string | undefined): InputObject | undefined {
  const isAssistant = (message: unknown): boolean => isObject(message) && message["role"] === "assistant";
  const named = messages.findLastIndex(
    (message) => isAssistant(message) && isObject(message) && message["id"] === messageId,
  );
  const index = named >= 0 ? named : messages.findLastIndex(isAssistant);
  return index < 0 ? undefined : messageAt(messages, index);
}

function messageAt(messages: readonly unknown[], index: number): InputObject {
  return new InputObject(messages[index], `messages[${index}]`);
}

/** The parts that are calls, without those that a provider has executed. */
function toolParts(message: InputObject): readonly InputObject[] {
  return message.objects("parts", mostParts * 10).filter((part) => {
    const type = part.get("type");
    if (part.get("providerExecuted") === true) return false;
    return typeof type === "string" && (type === "dynamic-tool" || type.startsWith("tool-"));
  });
}

function readDecisions(
  parts: readonly InputObject[],
  edited: InputObject | undefined,
): readonly ApprovalDecision[] {
  const decisions = new Map<string, ApprovalDecision>();
  for (const part of parts) {
    if (part.get("state") !== "approval-responded") continue;
    const decision = readDecision(part.object("approval"), edited);
    decisions.set(decision.approvalId, decision);
  }
  return [...decisions.values()];
}

function readDecision(approval: InputObject, edited: InputObject | undefined): ApprovalDecision {
  const approvalId = approval.id("id");
  const isApproved = approval.boolean("approved");
  const reason = approval.optionalText("reason", longestReason);
  const editedArguments = isApproved ? edited?.objectIfPresent(approvalId)?.toJson() : undefined;
  return {
    approvalId,
    decision: isApproved ? "approve" : "deny",
    ...(reason !== undefined && { reason }),
    ...(editedArguments && { arguments: editedArguments }),
  };
}

function readResults(parts: readonly InputObject[]): readonly ExternalResult[] {
  const results = new Map<string, ExternalResult>();
  for (const part of parts) {
    const state = part.get("state");
    const isResult = state === "output-available" && part.get("preliminary") !== true;
    if (!isResult && state !== "output-error") continue;
    const toolCallId = part.id("toolCallId");
    const result = isResult
      ? { toolCallId, content: part.optionalJson("output") ?? null }
      : { toolCallId, content: part.text("errorText"), isError: true };
    results.set(toolCallId, result);
  }
  return [...results.values()];
}
