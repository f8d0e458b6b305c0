import type { AssistantMessage, Message, ToolCall } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";
import { repairHistory } from "../../message/repair-history.ts";
import { assertAssistantParts } from "../../model/assert-parts.ts";
import { wireName } from "../../model/wire-names.ts";
import { describePart } from "../kit/data-url.ts";
import { parseCallArguments, asObject, stringIn } from "../kit/json-values.ts";
import { refuseOfUser, type UserPlace } from "../kit/media.ts";
import { ownData } from "../kit/own-data.ts";
import { splitSystem } from "../kit/split-system.ts";
import type { ToolNames } from "../kit/tool-names.ts";
import { turnTranslator, type Warn } from "../kit/turns.ts";
import { inputParts, mediaPart, type PartTarget, textParts, type WirePart, withOwnData } from "./parts.ts";
import { resultParts } from "./results.ts";
import { wireToolName } from "./tools.ts";

/** One turn of a conversation (https://ai.google.dev/api/caching#Content). */
export interface Content {
  readonly role: "user" | "model";
  readonly parts: readonly WirePart[];
}

/** A history in the form of the Gemini API. */
export interface RequestHistory {
  /** The text of `systemInstruction`: the instructions, then the history's leading system messages. */
  readonly system: string | undefined;
  /** The first and the last have the role `user`. */
  readonly contents: readonly Content[];
}

/** What the translation of a history depends on. */
export interface HistoryContext extends PartTarget {
  readonly names: ToolNames;
  readonly requiresSignatures: boolean;
  readonly mediaInResults: boolean;
}

/** Added where the API requires a user turn and the history has none. */
const placeholder: Content = { role: "user", parts: [{ text: "Continue." }] };

/**
 * The signature that the API accepts for a call that another model made
 * (https://ai.google.dev/gemini-api/docs/thought-signatures), encoded as the field requires.
 */
const noSignature = btoa("skip_thought_signature_validator");

/** The field of a provider part that stores an answer's sources. It is not sent back. */
export const metadataField = "metadata";

/** A provider part with one of these fields is not sent back: other parts represent it, or the API does not accept it. */
const hiddenFields = ["text", "functionCall", "functionResponse", metadataField] as const;

const translator = turnTranslator<Content>();

/** As warnings name it. */
const api = "The Gemini API";

/**
 * Repairs and translates a history. Reasoning and parts of other providers are left out. A system message after other messages
 * becomes user text in `<system>` tags.
 */
export function requestHistory(
  instructions: string | undefined,
  history: readonly Message[],
  context: HistoryContext,
): RequestHistory {
  const { system, messages } = splitSystem(instructions, repairHistory(history));
  const { provider, requiresSignatures, mediaInResults, isFirstParty, filesURL, warn } = context;
  const contents = translator.translate(
    `${provider} ${requiresSignatures} ${mediaInResults} ${isFirstParty} ${filesURL}`,
    messages,
    (turns, message, warn) => addMessage(turns, { message, history: messages, warn }, { ...context, warn }),
    { warn, isFinal: hasPlainNames },
  );
  return { system, contents: complete(contents) };
}

/** A name that must be replaced depends on the request's other names, so its message is not final. */
function hasPlainNames(message: Message): boolean {
  const names =
    message.role === "assistant"
      ? message.toolCalls.map(({ toolName }) => toolName)
      : message.role === "tool"
        ? [message.result.toolName]
        : [];
  return names.every((name) => wireToolName(name) === name);
}

function addMessage(turns: Content[], place: UserPlace, context: HistoryContext): void {
  const { message } = place;
  switch (message.role) {
    case "system":
      return addParts(turns, "user", textParts(`<system>\n${message.content}\n</system>`));
    case "user": {
      const { content } = message;
      const parts =
        typeof content === "string"
          ? textParts(content)
          : inputParts(content, "a user's message", context, refuseOfUser(context, api, place));
      return addParts(turns, "user", parts);
    }
    case "assistant":
      return addParts(turns, "model", answerParts(message, context));
    case "tool": {
      const { toolCallId, toolName } = message.result;
      const id = wireId(toolCallId);
      const name = calledName(turns, id) ?? context.names.toWire(toolName);
      return addResult(turns, resultParts(message.result, { id, name }, context));
    }
  }
}

function addParts(turns: Content[], role: Content["role"], parts: readonly WirePart[]): void {
  if (parts.length === 0) return;
  const last = turns.at(-1);
  // The results of calls need a turn of their own.
  if (last?.role !== role || hasResult(last)) turns.push({ role, parts });
  // A new object: the serialization of a turn is cached by its object.
  else turns[turns.length - 1] = { role, parts: [...last.parts, ...parts] };
}

/** Adds a result to the one turn that holds all results of an answer, in the order of the calls, before their media. */
function addResult(turns: Content[], [response, ...media]: readonly WirePart[]): void {
  if (!response) return;
  const last = turns.at(-1);
  if (!last || !hasResult(last)) {
    turns.push({ role: "user", parts: [response, ...media] });
    return;
  }
  const order = (turns.at(-2)?.parts ?? []).map(({ functionCall }) => idOf(functionCall));
  const rank = (part: WirePart): number => order.indexOf(idOf(part["functionResponse"]));
  // A result that came late may belong before other results.
  const next = last.parts.findIndex((part) => isResult(part) && rank(part) > rank(response));
  const place = next >= 0 ? next : last.parts.findLastIndex(isResult) + 1;
  const parts = [...last.parts.slice(0, place), response, ...last.parts.slice(place), ...media];
  turns[turns.length - 1] = { role: "user", parts };
}

/** The tool name in the call with an id. The API refuses a result with another name. */
function calledName(turns: readonly Content[], id: string): string | undefined {
  const answer = turns.findLast(({ role }) => role === "model");
  const call = answer?.parts.find(({ functionCall }) => idOf(functionCall) === id);
  return stringIn(asObject(call?.["functionCall"]), "name");
}

function idOf(value: unknown): string | undefined {
  return stringIn(asObject(value), "id");
}

function hasResult({ parts }: Content): boolean {
  return parts.some(isResult);
}

function isResult(part: WirePart): boolean {
  return part["functionResponse"] !== undefined;
}

function answerParts(message: AssistantMessage, context: HistoryContext): WirePart[] {
  assertAssistantParts(message.content);
  const calls = new Map(message.toolCalls.map((call) => [call.toolCallId, call]));
  const parts = message.content.flatMap((part): WirePart[] => {
    const own = "providerData" in part ? ownData(part.providerData, context.provider) : undefined;
    if (part.type !== "tool-call") return answerPart(part, own, context);
    const call = calls.get(part.toolCallId);
    if (!call) return [];
    calls.delete(part.toolCallId);
    return [withOwnData(callPart(call, context.names), own)];
  });
  // Calls that the content does not refer to, as in hand-written histories.
  parts.push(...[...calls.values()].map((call) => callPart(call, context.names)));
  return context.requiresSignatures ? withSignature(parts) : parts;
}

function answerPart(
  part: Exclude<AssistantPart, { type: "tool-call" }>,
  own: WirePart | undefined,
  context: HistoryContext,
): WirePart[] {
  switch (part.type) {
    case "text":
      return textPart(part.text, own);
    case "reasoning":
      return own ? [withOwnData({ text: part.text, thought: true }, own)] : [];
    case "provider":
      return own && !hiddenFields.some((field) => Object.hasOwn(own, field)) ? [own] : [];
    case "image":
    case "file": {
      const media = mediaPart(part, context);
      if (typeof media !== "string") return [media];
      warnOfOmission(part, context.warn);
      return [];
    }
  }
}

function textPart(text: string, own: WirePart | undefined): WirePart[] {
  const part = withOwnData({ text }, own);
  // The API refuses an empty text, unless it carries data.
  return text === "" && Object.keys(part).length === 1 ? [] : [part];
}

function warnOfOmission(part: Parameters<typeof describePart>[0], warn: Warn): void {
  warn(`The Gemini API does not accept the ${describePart(part)} in an assistant message: it is left out.`);
}

function callPart({ toolCallId, toolName, arguments: text }: ToolCall, names: ToolNames): WirePart {
  return {
    functionCall: { id: wireId(toolCallId), name: names.toWire(toolName), args: parseCallArguments(text) },
  };
}

/** Adds the required signature to the first call of an answer that another model wrote. */
function withSignature(parts: readonly WirePart[]): WirePart[] {
  const first = parts.findIndex((part) => part["functionCall"] !== undefined);
  return parts.map((part, index) =>
    index === first && part["thoughtSignature"] === undefined
      ? { ...part, thoughtSignature: noSignature }
      : part,
  );
}

function wireId(toolCallId: string): string {
  return wireName(toolCallId, 256);
}

/** Makes the conversation begin and end with the user. */
function complete(turns: readonly Content[]): readonly Content[] {
  const fromUser = turns[0]?.role === "user" ? turns : [placeholder, ...turns];
  return fromUser.at(-1)?.role === "user" ? fromUser : [...fromUser, placeholder];
}
