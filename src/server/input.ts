import type { UserMessage } from "../message/messages.ts";
import type { Part } from "../message/parts.ts";
import type { ApprovalDecision } from "../message/run-state.ts";
import { editHints } from "../protocols/kit/edited-arguments.ts";
import { InputObject } from "../protocols/kit/input-object.ts";
import type { ExternalResult } from "../run/types.ts";

/** The most messages, parts, decisions or results of one request. */
const mostItems = 200;

/**
 * What the user says in `input`: text, a message, or a list of these. Only the server knows the rest of a conversation.
 * @throws InvalidInputError (400) naming what is wrong, and where.
 */
export function readInput(body: InputObject): readonly UserMessage[] {
  const input = body.get("input");
  if (input === undefined) return [];
  if (!Array.isArray(input)) return [readUserMessage(input, "input")];
  return body.list("input", mostItems).map((each, index) => readUserMessage(each, `input[${index}]`));
}

/** A message of the user. @throws InvalidInputError (400) */
export function readUserMessage(value: unknown, path: string): UserMessage {
  if (typeof value === "string") return { role: "user", content: value };
  const message = new InputObject(value, path);
  const role = message.get("role");
  if (role !== "user")
    throw message.wrong("role", 'must be "user": the server has the rest of the conversation');
  const content = message.get("content");
  if (typeof content === "string") return { role, content };
  return { role, content: message.objects("content", mostItems).map(readPart) };
}

/** Only what a user may write: no data of a provider. */
function readPart(part: InputObject): Part {
  const type = part.choice("type", ["text", "image", "file"]);
  if (type === "text") return { type, text: part.text("text") };
  const url = part.text("url");
  if (!/^(?:https:|data:)/i.test(url)) throw part.wrong("url", "must be an https: or a data: address");
  const mediaType = part.optionalText("mediaType");
  const filename = part.optionalText("filename");
  const kind = mediaType !== undefined && { mediaType };
  if (type === "image") return { type, url, ...kind };
  return { type, url, ...kind, ...(filename !== undefined && { filename }) };
}

/** Decisions on calls, in `decisions`. @throws InvalidInputError (400) */
export function readDecisions(body: InputObject): readonly ApprovalDecision[] {
  return body.optionalObjects("decisions", mostItems).map((item) => {
    item.assertOnly(["approvalId", "decision", "reason", "arguments"], editHints("arguments"));
    const reason = item.optionalText("reason");
    const edited =
      typeof item.get("arguments") === "string"
        ? item.text("arguments")
        : item.objectIfPresent("arguments")?.value;
    return {
      approvalId: item.text("approvalId"),
      decision: item.choice("decision", ["approve", "deny"]),
      ...(reason !== undefined && { reason }),
      ...(edited !== undefined && { arguments: edited }),
    };
  });
}

/** Results of calls that the client has executed, in `results`. @throws InvalidInputError (400) */
export function readResults(body: InputObject): readonly ExternalResult[] {
  return body.optionalObjects("results", mostItems).map((item) => {
    item.assertOnly(["toolCallId", "content", "isError"]);
    return readResult(item);
  });
}

/** The result of a call. @throws InvalidInputError (400) */
export function readResult(item: InputObject): ExternalResult {
  const isError = item.optionalBoolean("isError");
  if (!Object.hasOwn(item.value, "content")) throw item.wrong("content", "must be the result");
  return {
    toolCallId: item.text("toolCallId"),
    content: item.value["content"],
    ...(isError !== undefined && { isError }),
  };
}
