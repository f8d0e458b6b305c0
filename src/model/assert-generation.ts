import { MalformedResponseError } from "../errors.ts";
import { isDeeperThan } from "../base/util/is-deeper-than.ts";
import { isObject } from "../base/util/json.ts";
import { wrongFieldOf } from "./part-fields.ts";
import type { Model } from "./types.ts";

/**
 * Checks the end of an answer: a custom model may be written in JavaScript, and what it leaves out would fail far from it.
 * @throws MalformedResponseError naming what is wrong.
 */
export function assertGeneration(generation: unknown, { provider, modelId }: Model): void {
  const problem = problemOfGeneration(generation);
  if (problem === undefined) return;
  throw new MalformedResponseError(
    `The finish event of ${provider}:${modelId} has ${problem}. Yield { type: "finish", generation } with every field of a Generation.`,
    { provider, modelId },
  );
}

/** What is wrong with a generation, in a few words; `undefined` if nothing is. */
export function problemOfGeneration(generation: unknown): string | undefined {
  if (!isObject(generation)) return "no generation";
  const { message, toolCalls } = generation;
  if (!isObject(message)) return "no generation.message";
  if (!Array.isArray(message["content"])) return "no list of parts in generation.message.content";
  const calls = message["toolCalls"];
  if (!Array.isArray(calls) || !Array.isArray(toolCalls))
    return "no toolCalls in generation or generation.message";
  if (!calls.every(isToolCall))
    return "a tool call whose toolCallId, toolName and arguments are not all texts";
  // Mostly one list stands in both places. Bench row "loop, a turn of 50": each answer is checked.
  if (toolCalls !== calls && !toolCalls.every((call) => calls.some((each) => isSame(each, call))))
    return "a tool call in generation.toolCalls that generation.message.toolCalls lacks";
  const { usage } = generation;
  if (!isObject(usage)) return "no generation.usage";
  for (const count of counts)
    if (usage[count] !== undefined && !isCount(usage[count]))
      return `a generation.usage.${count} that is not a number of tokens`;
  if (!isObject(generation["response"])) return "no generation.response";
  if (!isObject(generation["timing"])) return "no generation.timing";
  return problemOfFields(generation) ?? problemOfParts(message["content"]);
}

/** Fields that a run reads without a further look: each is of its type, or left out where it may be. */
function problemOfFields(generation: Readonly<Record<string, unknown>>): string | undefined {
  const { text, finishReason, refusal, warnings } = generation;
  if (typeof text !== "string") return "a generation.text that is not a text";
  if (typeof finishReason !== "string") return "a generation.finishReason that is not a text";
  if (refusal !== undefined && typeof refusal !== "string") return "a generation.refusal that is not a text";
  if (!Array.isArray(warnings) || !warnings.every((warning) => typeof warning === "string"))
    return "a generation.warnings that is not a list of texts";
  return undefined;
}

/** How deep the data of a part may be: what is deeper, or within itself, cannot be stored. */
const deepestData = 500;

function problemOfParts(parts: readonly unknown[]): string | undefined {
  for (const [index, part] of parts.entries()) {
    const place = `generation.message.content[${index}]`;
    if (!isObject(part) || typeof part["type"] !== "string") return `a ${place} that is not a part`;
    const wrong = wrongFieldOf(part);
    if (wrong) return `a ${place}.${wrong.name} that is not ${wrong.what}`;
    const { providerData } = part;
    if (isDeeperThan(providerData, deepestData)) return `a ${place}.providerData that is nested without end`;
  }
  return undefined;
}

const counts = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "webSearches",
];

/** A negative count would lower what a run counts towards its limit. */
function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isToolCall(call: unknown): boolean {
  if (!isObject(call)) return false;
  const { toolCallId, toolName, arguments: args } = call;
  // An empty id is replaced by one of the run's own.
  return typeof toolCallId === "string" && typeof toolName === "string" && typeof args === "string";
}

function isSame(left: unknown, right: unknown): boolean {
  return isObject(left) && isObject(right) && left["toolCallId"] === right["toolCallId"];
}
