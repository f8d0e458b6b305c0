import type { ToolCall, ToolOutcome, ToolResult } from "../message/messages.ts";
import type { Part } from "../message/parts.ts";
import { isAgent } from "../tool/agent-like.ts";
import { isToolReturn } from "../tool/result.ts";
import type { ToolReturn } from "../tool/types.ts";
import { safeMessage } from "../base/util/error-message.ts";
import { copyJson } from "../base/util/copy-json.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { cutText } from "../base/util/cut-text.ts";
import { isPlainObject, type JsonValue } from "../base/util/json.ts";
import { freeze, frozen, frozenCopy } from "../base/util/snapshot.ts";
import { describeValue } from "../base/options/known-options.ts";
import { toJson, type JsonForm } from "../base/util/to-json.ts";
import { boundedParts } from "./bounded-parts.ts";
import { InvalidInputError, ModelError } from "../errors.ts";
import { isNote, notePart } from "./notes.ts";
import { PassedOn } from "./passed-on.ts";
import { readMeta } from "./read-meta.ts";
import type { SettledCall } from "./types.ts";

/** The most characters of a result that go into a history. */
const longestText = 1_048_576;

/** The longest message of a thrown error that a model is shown, in characters. */
const longestError = 4_000;

/** A result that is only text: errors, refusals, notes. */
export function textResult(call: ToolCall, text: string, outcome: ToolOutcome): ToolResult {
  const { toolCallId, toolName } = call;
  const content: readonly Part[] = [{ type: "text", text }];
  return freeze({ toolCallId, toolName, content, isError: outcome !== "success", outcome });
}

/** The result, frozen all the way down: one that is frozen already is of the functions here, which do no less. */
export function frozenResult(result: ToolResult): ToolResult {
  return Object.isFrozen(result) ? result : frozenCopy(result);
}

/** The result of a tool that threw. */
export function thrownResult(call: ToolCall, thrown: unknown): ToolResult {
  // The words of a provider are for the program: results go to models, histories and pages.
  const words = thrown instanceof ModelError ? `a model call failed (${thrown.code})` : safeMessage(thrown);
  return textResult(call, `${call.toolName} failed: ${shortened(words)}`, "error");
}

function shortened(words: string): string {
  return words.length > longestError ? `${words.slice(0, longestError)}…` : words;
}

/** Reports a mistake of a tool to its author; `discreet` is the same without anything of what the tool returned. */
export type Warn = (message: string, discreet?: string) => void;

/**
 * The result of what a tool returned, whatever it is, and within bounds: 1,048,576 characters of text, 100 levels. Never throws.
 * The result stands where a change of the context or a handoff cannot be: the tool has done its work.
 */
export function finalize(call: ToolCall, returned: unknown, warn: Warn): SettledCall {
  try {
    if (returned instanceof PassedOn) return returned.outcomeOf(call);
    if (isToolReturn(returned)) return finalizeReturn(call, returned, warn);
    if (isAgent(returned)) return { result: handoffResult(call, returned.name, false), agent: returned };
    const { result, ...rest } = valueResult(call, returned, false, warn);
    return { result: freeze(result), ...rest };
  } catch (error) {
    return { result: unwritable(call, error) };
  }
}

function finalizeReturn(call: ToolCall, returned: ToolReturn, warn: Warn): SettledCall {
  const problems: string[] = [];
  const agent = readAgent(returned, problems);
  const context = readChange(returned, problems);
  const final = Boolean(returned.final);
  const meta = returned.meta && readMeta(call, returned.meta, warn);
  for (const problem of problems) warn(`${call.toolName} returned ${problem}`);
  const { result, cut } = writtenResult(call, returned, agent, warn);
  // A final result is for the user.
  const isNoted = problems.length > 0 && !final;
  return {
    result: frozen(isNoted ? { ...result, content: [...result.content, notePart(notApplied)] } : result),
    ...(cut && { cut }),
    ...(agent && { agent }),
    ...(context && { context }),
    ...(final && { final }),
    ...(meta && { meta }),
  };
}

const notApplied = "Note: this result stands, but what the tool wanted to change besides was not applied.";

/** What a value is, without its contents. */
function describe(value: unknown): string {
  return typeof value === "string" ? "a text" : describeValue(value);
}

function readAgent({ agent }: ToolReturn, problems: string[]): ToolReturn["agent"] {
  if (agent === undefined || agent === null || isAgent(agent)) return agent ?? undefined;
  problems.push(
    `result({ agent }) with ${describe(agent)}, so it did not hand off. Return the Agent itself.`,
  );
  return undefined;
}

/** What a tool changes of the context: a copy, since reading it may fail, and must fail here. */
function readChange({ context }: ToolReturn, problems: string[]): SettledCall["context"] {
  if (context === undefined || context === null) return undefined;
  if (!isPlainObject(context)) {
    problems.push(
      `result({ context }) with ${describe(context)}, which was not applied. Return a plain object: { ... }.`,
    );
    return undefined;
  }
  ignoreRejections(context);
  try {
    return frozenCopy(context);
  } catch (error) {
    problems.push(
      `a change of the context that cannot be read, and was not applied: ${safeMessage(error)}. Return plain data.`,
    );
    return undefined;
  }
}

/** A result, and what did not fit in. */
type WrittenResult = Pick<SettledCall, "result" | "cut">;

function writtenResult(
  call: ToolCall,
  returned: ToolReturn,
  agent: ToolReturn["agent"],
  warn: Warn,
): WrittenResult {
  try {
    return returnResult(call, returned, agent, warn);
  } catch (error) {
    return { result: unwritable(call, error) };
  }
}

function unwritable(call: ToolCall, error: unknown): ToolResult {
  const what =
    error instanceof InvalidInputError
      ? "parts that are not sound"
      : "something that cannot be written as JSON";
  const why = `${call.toolName} returned ${what}: ${safeMessage(error)}`;
  return textResult(call, shortened(why), "error");
}

function returnResult(
  call: ToolCall,
  returned: ToolReturn,
  agent: ToolReturn["agent"],
  warn: Warn,
): WrittenResult {
  const { value, content } = returned;
  const isError = Boolean(returned.isError);
  if (content === undefined && value === undefined && agent)
    return { result: handoffResult(call, agent.name, isError) };
  if (content === undefined) return valueResult(call, value, isError, warn);
  const parts = typeof content === "string" ? [text(content)] : boundedParts(content, longestText);
  const result = resultOf(call, parts, isError);
  if (value === undefined) {
    const whole = typeof content === "string" ? content : valueText({ content });
    return withRest(result, whole, whole.length > longestText);
  }
  const { value: structuredContent, opaque, isCut } = jsonOf(value);
  if (opaque.length > 0) return { result: refuseOpaque(call, opaque, warn) };
  return withRest({ ...result, structuredContent }, value, isCut);
}

/** A result, with what was returned where it does not have all of that. */
function withRest(result: ToolResult, returned: unknown, isCut: boolean): WrittenResult {
  if (!isCut) return { result };
  ignoreRejections(returned);
  return { result: { ...result, isCut }, cut: { returned } };
}

/** A tool that failed may hand off, too. */
function handoffResult(call: ToolCall, agent: string, isError: boolean): ToolResult {
  const transferred = `Transferred to ${agent}.`;
  return isError
    ? textResult(call, `${call.toolName} failed. ${transferred}`, "error")
    : textResult(call, transferred, "success");
}

function valueResult(call: ToolCall, value: unknown, isError: boolean, warn: Warn): WrittenResult {
  if (typeof value === "string")
    return withRest(resultOf(call, [text(value)], isError), value, value.length > longestText);
  if (value === undefined) {
    const end = isError ? "failed." : "is done and returned nothing.";
    return { result: resultOf(call, [text(`${call.toolName} ${end}`)], isError) };
  }
  const { value: structuredContent, notes, opaque, isCut } = jsonOf(value);
  if (opaque.length > 0) return { result: refuseOpaque(call, opaque, warn) };
  const note = notes.length === 0 ? [] : [notePart(`Note: ${notes.join("; ")}.`)];
  const content = [text(JSON.stringify(structuredContent)), ...note];
  return withRest({ ...resultOf(call, content, isError), structuredContent }, value, isCut);
}

function jsonOf(value: unknown): JsonForm {
  const plain = copyJson(value);
  return plain === undefined ? toJson(value) : { value: plain, notes: [], opaque: [], isCut: false };
}

/** The result of a value that JSON would empty: the model must not take `{}` for what there is. */
function refuseOpaque(call: ToolCall, opaque: JsonForm["opaque"], warn: Warn): ToolResult {
  const list = opaque.map(({ path, what }) => (path === "$" ? what : `${what} at ${path}`)).join(", ");
  const isPending = opaque.some(({ what }) => what === "a Promise");
  const problem = (what: string): string =>
    `${call.toolName} returned ${what}, of which nothing can be written as JSON. ${isPending ? "Await it." : "Return its data."}`;
  warn(problem(list), problem("something"));
  return textResult(
    call,
    `${call.toolName} was called, but returned ${list}, which cannot be shown.`,
    "error",
  );
}

function text(words: string): Part {
  return { type: "text", text: cutText(words, longestText) };
}

function resultOf(call: ToolCall, content: readonly Part[], isError: boolean): ToolResult {
  const { toolCallId, toolName } = call;
  return { toolCallId, toolName, content, isError, outcome: isError ? "error" : "success" };
}

/** What a result has of the value that was returned, or its text. */
export function valueOf(result: ToolResult): JsonValue {
  const { structuredContent, truncated } = result;
  return structuredContent === undefined ? (truncated?.text ?? valueText(result)) : structuredContent;
}

/** How much of a value can be checked or handed on: far more than a result may have. */
const wholeLimits = { length: 67_108_864, depth: 500 } as const;

/**
 * What a tool returned, whole: more than a result may have of it. Masks are not applied to it.
 * @returns `undefined` if it is too much to be read, or is not there any more.
 * @throws whatever a getter of the value throws.
 */
export function wholeValueOf({ result, cut }: Pick<SettledCall, "result" | "cut">): JsonValue | undefined {
  if (!cut) return valueOf(result);
  if (cut.returned === undefined) return undefined;
  const { value, isCut, opaque } = toJson(cut.returned, wholeLimits);
  return isCut || opaque.length > 0 ? undefined : value;
}

/** The text of a result as a model reads it. */
export function resultText({ content }: Pick<ToolResult, "content">): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** The text of a result without the notes about it. */
export function valueText({ content }: Pick<ToolResult, "content">): string {
  return resultText({ content: content.filter((part) => !isNote(part)) });
}
