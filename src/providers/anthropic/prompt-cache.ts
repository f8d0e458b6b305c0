import type { CacheControlEphemeral, TextBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { JsonObject } from "../../base/util/json.ts";
import { memoize } from "../../base/util/memoize.ts";
import type { ModelRequest } from "../../model/types.ts";
import { isJsonObject } from "../kit/json-values.ts";
import type { Warn } from "../kit/turns.ts";
import type { RequestBlock, RequestMessage, ToolParam } from "./wire.ts";

/**
 * The breakpoints of a request (https://platform.claude.com/docs/en/build-with-claude/prompt-caching), of which it may have four: after
 * the tools, after the instructions, at the end, and, where the end of the request before is too far behind, there.
 */
export type Breakpoint = CacheControlEphemeral;

/**
 * The breakpoint that `settings.cache` requests: `undefined` for none. Breakpoints in `providerOptions` or in a block that is sent back
 * are the caller's own choice: then these are the only ones, so that there are never more than four because of ours.
 * @param hosted - How many tools the API executes, beside those of the request.
 */
export function breakpointFor(
  { settings = {}, tools = [] }: ModelRequest,
  { messages, hosted }: { readonly messages: readonly RequestMessage[]; readonly hosted: number },
  warn: Warn,
): Breakpoint | undefined {
  const { cache = "auto", providerOptions = {} } = settings;
  if (cache === false || (cache === "auto" && tools.length + hosted === 0)) return undefined;
  if (hasOwnBreakpoint(providerOptions) || messages.some(hasMarkedBlock)) {
    if (cache !== "auto")
      warn("settings.cache is left out: providerOptions have a cache_control of their own.");
    return undefined;
  }
  return cache === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
}

/** Whether the caller places the breakpoints. The API refuses them in a request of a thread, which keeps its own history. */
function hasOwnBreakpoint(options: JsonObject): boolean {
  return Object.hasOwn(options, "thread") || containsBreakpoint(options);
}

function containsBreakpoint(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsBreakpoint);
  if (!isJsonObject(value)) return false;
  return isBreakpoint(value) || Object.values(value).some(containsBreakpoint);
}

/** Whether an object has a breakpoint, not a property of that name, as a schema may. */
function isBreakpoint(value: JsonObject): boolean {
  const control = Object.hasOwn(value, "cache_control") ? value["cache_control"] : undefined;
  return isJsonObject(control) && control["type"] === "ephemeral";
}

/** By message, so that each is looked through once. */
const hasMarkedBlock = /* @__PURE__ */ memoize(({ content }: RequestMessage): boolean =>
  content.some((block) => "cache_control" in block && Boolean(block.cache_control)),
);

/** The tools with a breakpoint after the last of them. */
export function markTools(tools: readonly ToolParam[], breakpoint: Breakpoint | undefined): ToolParam[] {
  const last = tools.at(-1);
  return last && breakpoint
    ? [...tools.slice(0, -1), { ...last, cache_control: { ...breakpoint } }]
    : [...tools];
}

/** The instructions with a breakpoint after them. */
export function markSystem(text: string, breakpoint: Breakpoint | undefined): string | TextBlockParam[] {
  return breakpoint ? [{ type: "text", text, cache_control: breakpoint }] : text;
}

/** Messages of which some have a breakpoint. */
export interface MarkedMessages {
  readonly messages: RequestMessage[];
  /** How many messages at the beginning are as they were: they are written once, in however many requests they stand. */
  readonly stableCount: number;
}

/**
 * The API looks for an earlier breakpoint among the 20 blocks that end with a breakpoint. Whether it counts the blocks within a tool's
 * result is not documented, so they count here.
 */
const lookback = 20;

/** The messages with a breakpoint at their end, and one at the end of the request before if that is out of reach. */
export function markMessages(
  messages: readonly RequestMessage[],
  breakpoint: Breakpoint | undefined,
): MarkedMessages {
  const end = breakpoint && lastMarkable(messages, messages.length);
  if (!end) return { messages: [...messages], stableCount: messages.length };
  // The request before ended with the message that the last answer replies to.
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  const before = lastMarkable(messages, answer);
  const isReached = before === undefined || countBlocks(messages.slice(before.index + 1)) < lookback;
  const marked = messages.with(end.index, markBlock(end, breakpoint));
  if (isReached) return { messages: marked, stableCount: end.index };
  return {
    messages: marked.with(before.index, markBlock(before, breakpoint)),
    stableCount: before.index,
  };
}

/** A block that may have a breakpoint. */
interface Place {
  readonly message: RequestMessage;
  /** Of the message. */
  readonly index: number;
  /** Of the block in the message. */
  readonly block: number;
}

/** The last block that may have a breakpoint, of the messages before the one at `end`. */
function lastMarkable(messages: readonly RequestMessage[], end: number): Place | undefined {
  for (let index = end - 1; index >= 0; index--) {
    const message = messages[index];
    const block = message?.content.findLastIndex(isMarkable) ?? -1;
    if (message && block >= 0) return { message, index, block };
  }
  return undefined;
}

const markableTypes: ReadonlySet<string> = new Set(["image", "document", "tool_use", "tool_result"]);

/** The API refuses a breakpoint at thinking and at blank text. Whether other blocks may have one depends on their type. */
function isMarkable(block: RequestBlock): boolean {
  const text = block.type === "text" && "text" in block ? block.text : "";
  return markableTypes.has(block.type) || (typeof text === "string" && text.trim() !== "");
}

function countBlocks(messages: readonly RequestMessage[]): number {
  const blocks = messages.flatMap(({ content }) => content);
  return blocks.reduce((count, block) => count + 1 + innerBlocks(block), 0);
}

function innerBlocks(block: RequestBlock): number {
  return "content" in block && Array.isArray(block.content) ? block.content.length : 0;
}

function markBlock({ message: { role, content }, block }: Place, breakpoint: Breakpoint): RequestMessage {
  const marked = content.map((each, index): RequestBlock =>
    index === block ? { ...each, cache_control: { ...breakpoint } } : each,
  );
  return { role, content: marked };
}
