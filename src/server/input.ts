import { isPlainObject } from "../base/util/json.ts";
import type { UserMessage } from "../message/messages.ts";
import type { Part } from "../message/parts.ts";
import type { ApprovalDecision } from "../message/run-state.ts";
import type { ExternalResult } from "../run/types.ts";
import { Refusal } from "./refusal.ts";

/** The most messages, decisions or results of one request. */
const mostItems = 200;

/** @throws Refusal (400) naming what is wrong, and where. */
function wrong(path: string, expected: string): Refusal {
  return new Refusal(400, "invalid-input", `${path} must be ${expected}.`);
}

/** The body of a request as an object. @throws Refusal (400) */
export function readObject(value: unknown, path = "The body"): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) throw wrong(path, "an object");
  return value;
}

/** A field of a body that is text, if it is there. @throws Refusal (400) */
export function readText(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrong(name, "a text");
  return value;
}

/** A field of a body that is a list, if it is there. @throws Refusal (400) */
export function readList(body: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(name, "a list");
  if (value.length > mostItems) throw wrong(name, `a list of at most ${mostItems}`);
  return value;
}

/** What the user says: text, or a list of messages with the role `user`. Only the server knows the rest of a conversation. */
export function readInput(value: unknown, path = "input"): readonly UserMessage[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [{ role: "user", content: value }];
  if (!Array.isArray(value)) return [readUserMessage(value, path)];
  if (value.length > mostItems) throw wrong(path, `a list of at most ${mostItems}`);
  return value.map((each, index) => readUserMessage(each, `${path}[${index}]`));
}

/** A message of the user. @throws Refusal (400) */
export function readUserMessage(value: unknown, path: string): UserMessage {
  if (typeof value === "string") return { role: "user", content: value };
  const { role, content } = readObject(value, path);
  if (role !== "user") throw wrong(`${path}.role`, '"user": the server has the rest of the conversation');
  if (typeof content === "string") return { role: "user", content };
  if (!Array.isArray(content) || content.length > mostItems)
    throw wrong(`${path}.content`, "a text or a list of parts");
  return { role: "user", content: content.map((part, index) => readPart(part, `${path}.content[${index}]`)) };
}

/** Only what a user may write: no data of a provider. */
function readPart(value: unknown, path: string): Part {
  const { type, text, url, mediaType, filename } = readObject(value, path);
  if (type === "text") {
    if (typeof text !== "string") throw wrong(`${path}.text`, "a text");
    return { type, text };
  }
  if (type !== "image" && type !== "file") throw wrong(`${path}.type`, '"text", "image" or "file"');
  if (typeof url !== "string" || !/^(?:https:|data:)/i.test(url))
    throw wrong(`${path}.url`, "an https: or a data: address");
  if (mediaType !== undefined && typeof mediaType !== "string") throw wrong(`${path}.mediaType`, "a text");
  if (filename !== undefined && typeof filename !== "string") throw wrong(`${path}.filename`, "a text");
  const kind = mediaType !== undefined && { mediaType };
  if (type === "image") return { type, url, ...kind };
  return { type, url, ...kind, ...(filename !== undefined && { filename }) };
}

/** Decisions on calls. @throws Refusal (400) */
export function readDecisions(list: readonly unknown[]): readonly ApprovalDecision[] {
  return list.map((value, index) => {
    const path = `decisions[${index}]`;
    const { approvalId, decision, reason, arguments: edited } = readObject(value, path);
    if (typeof approvalId !== "string") throw wrong(`${path}.approvalId`, "a text");
    if (decision !== "approve" && decision !== "deny") throw wrong(`${path}.decision`, '"approve" or "deny"');
    if (reason !== undefined && typeof reason !== "string") throw wrong(`${path}.reason`, "a text");
    if (edited !== undefined && typeof edited !== "string" && !isPlainObject(edited))
      throw wrong(`${path}.arguments`, "an object");
    return {
      approvalId,
      decision,
      ...(reason !== undefined && { reason }),
      ...(edited !== undefined && { arguments: edited }),
    };
  });
}

/** Results of calls that the client has executed. @throws Refusal (400) */
export function readResults(list: readonly unknown[]): readonly ExternalResult[] {
  return list.map((value, index) => {
    const path = `results[${index}]`;
    const body = readObject(value, path);
    const { toolCallId, content, isError } = body;
    if (typeof toolCallId !== "string") throw wrong(`${path}.toolCallId`, "a text");
    if (!Object.hasOwn(body, "content")) throw wrong(`${path}.content`, "the result");
    if (isError !== undefined && typeof isError !== "boolean")
      throw wrong(`${path}.isError`, "true or false");
    return { toolCallId, content, ...(isError !== undefined && { isError }) };
  });
}
