import type { Message as A2aMessage, Part as A2aPart } from "@a2a-js/sdk";
import { isPlainObject } from "../../base/util/json.ts";
import type { Message, UserMessage } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import type { ApprovalDecision, PendingCall } from "../../message/run-state.ts";
import type { ExternalResult } from "../../run/types.ts";
import { InputObject } from "../../protocols/kit/input-object.ts";
import { readDecisions, readResults } from "../input.ts";
import type { Sdk } from "./sdk.ts";

/** What a client says in a message. */
export interface ReadMessage {
  readonly message: UserMessage;
  readonly decisions: readonly ApprovalDecision[];
  readonly results: readonly ExternalResult[];
}

/**
 * A message for a task that waits, in words and nothing besides: "approve", "deny", or "deny: too expensive". With the beginning of an approval's
 * id it holds for that call. Whatever else a text says may be the opposite of its first word.
 */
const verdict =
  /^(?:approve(?:\s+(?<approved>[0-9a-f]{8,64}))?(?:\s*[.!])?|(?<deny>deny)(?:\s+(?<denied>[0-9a-f]{8,64}))?(?:\s*[.!]|\s*:\s*(?<reason>\S[\s\S]*))?)$/i;

/** How many characters of an approval's id are shown to people. */
const idLength = 8;

/** What to answer to calls that wait. */
export const howToDecide =
  'Answer "approve <id>" or "deny <id>: <reason>", "approve" or "deny" alone for all of them where a task has not asked before, or send data: { decisions: [{ approvalId, decision }], results: [{ toolCallId, content }] }.';

/** A call that waits, as people name it. */
export function nameOfCall({ toolName, approvalId }: PendingCall): string {
  return approvalId === undefined ? toolName : `${toolName} (${approvalId.slice(0, idLength)})`;
}

/**
 * Reads a message: parts of the user, and data with `decisions` and `results` for calls that wait.
 * @throws RequestMalformedError
 */
export function readMessage(sdk: Sdk, message: A2aMessage | undefined): ReadMessage {
  const { RequestMalformedError } = sdk.errors;
  if (!message || message.parts.length === 0)
    throw new RequestMalformedError("message.parts must not be empty.");
  if (message.role !== sdk.a2a.Role.ROLE_USER)
    throw new RequestMalformedError("message.role must be ROLE_USER.");
  const decisions: ApprovalDecision[] = [];
  const results: ExternalResult[] = [];
  const parts: Part[] = [];
  for (const part of message.parts) {
    const data =
      part.content?.$case === "data" && isPlainObject(part.content.value) ? part.content.value : undefined;
    if (data && (Object.hasOwn(data, "decisions") || Object.hasOwn(data, "results"))) {
      const answers = new InputObject(data);
      decisions.push(...readDecisions(answers));
      results.push(...readResults(answers));
      continue;
    }
    const read = readPart(part);
    if (!read)
      throw new RequestMalformedError("A part must be text, data, raw bytes, or an https: or data: address.");
    parts.push(read);
  }
  const [first] = parts;
  const isText = parts.length === 1 && first?.type === "text";
  return { message: { role: "user", content: isText ? first.text : parts }, decisions, results };
}

/**
 * The decisions that a message states in words.
 * @param isFirst - Whether the task asks for the first time: else a word alone may be the answer to what it asked before.
 */
export function decisionsInWords(
  { content }: UserMessage,
  pending: readonly PendingCall[],
  isFirst: boolean,
): readonly ApprovalDecision[] {
  const match = typeof content === "string" ? verdict.exec(content.trim())?.groups : undefined;
  if (!match) return [];
  const { approved, deny, denied, reason } = match;
  const id = approved ?? denied;
  if (id === undefined && !isFirst) return [];
  return pending.flatMap(({ approvalId }) =>
    approvalId?.startsWith(id?.toLowerCase() ?? "") === true
      ? {
          approvalId,
          decision: deny === undefined ? ("approve" as const) : ("deny" as const),
          ...(reason !== undefined && { reason }),
        }
      : [],
  );
}

/** What the messages of a conversation are in the protocol. Calls and instructions are the agent's own. */
export function historyOf(
  sdk: Sdk,
  messages: readonly Message[],
  { taskId, contextId }: { readonly taskId: string; readonly contextId: string },
): A2aMessage[] {
  return messages.flatMap((message, index) => {
    if (message.role !== "user" && message.role !== "assistant") return [];
    if (message.role === "user" && message.correction) return [];
    const parts = partsOf(message.content);
    if (parts.length === 0) return [];
    const isUser = message.role === "user";
    return newMessage({
      messageId: `${taskId}-${index}`,
      contextId,
      taskId,
      role: isUser ? sdk.a2a.Role.ROLE_USER : sdk.a2a.Role.ROLE_AGENT,
      parts,
    });
  });
}

/** A message with the fields that the protocol's types demand. */
export function newMessage(
  message: Pick<A2aMessage, "messageId" | "contextId" | "taskId" | "role" | "parts">,
): A2aMessage {
  return { ...message, metadata: undefined, extensions: [], referenceTaskIds: [] };
}

/** A part of text. */
export function textPart(value: string): A2aPart {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" };
}

/** A part of JSON. */
export function dataPart(value: unknown): A2aPart {
  return {
    content: { $case: "data", value },
    metadata: undefined,
    filename: "",
    mediaType: "application/json",
  };
}

function partsOf(content: string | readonly { readonly type: string; readonly text?: string }[]): A2aPart[] {
  if (typeof content === "string") return [textPart(content)];
  return content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? textPart(text) : []));
}

function readPart({ content, mediaType, filename }: A2aPart): Part | undefined {
  switch (content?.$case) {
    case "text":
      return { type: "text", text: content.value };
    case "data":
      return { type: "text", text: JSON.stringify(content.value) };
    case "raw": {
      const type = mediaType || "application/octet-stream";
      return filePart(`data:${type};base64,${base64(content.value)}`, type, filename);
    }
    case "url":
      return /^(?:https:|data:)/i.test(content.value)
        ? filePart(content.value, mediaType, filename)
        : undefined;
    case undefined:
      return undefined;
  }
}

function filePart(url: string, mediaType: string, filename: string): Part {
  const kind = mediaType !== "" && { mediaType };
  if (mediaType.startsWith("image/")) return { type: "image", url, ...kind };
  return { type: "file", url, ...kind, ...(filename !== "" && { filename }) };
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
