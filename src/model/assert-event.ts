import { MalformedResponseError } from "../errors.ts";
import { isObject } from "../base/util/json.ts";
import type { Model, ModelEvent } from "./types.ts";

/** What an event of each type must have, and of which type. */
const essentials = {
  "text-delta": "text",
  "reasoning-delta": "text",
  "tool-input-delta": "text",
  "tool-call": "toolCall",
  "hosted-call": "call",
  finish: "generation",
} as const satisfies Readonly<Record<ModelEvent["type"], string>>;

/**
 * Checks an event of a model: a custom one may be written in JavaScript, and what it misspells would be lost.
 * @throws MalformedResponseError naming what is wrong.
 */
export function assertEvent(event: unknown, { provider, modelId }: Model): void {
  const problem = problemOfEvent(event);
  if (problem === undefined) return;
  const types = Object.keys(essentials).join(", ");
  throw new MalformedResponseError(
    `${provider}:${modelId} emitted ${problem}. Yield { type, ... } of one of these types: ${types}.`,
    { provider, modelId },
  );
}

function problemOfEvent(event: unknown): string | undefined {
  if (!isObject(event)) return "an event that is not an object";
  const { type } = event;
  if (!isType(type)) return `an event of the unknown type ${JSON.stringify(type)?.slice(0, 80)}`;
  const field = essentials[type];
  // What is in `generation` is checked with the answer.
  if (field === "generation") return undefined;
  const isFit = field === "text" ? typeof event[field] === "string" : isObject(event[field]);
  return isFit ? undefined : `a ${type} event without its ${field}`;
}

function isType(type: unknown): type is ModelEvent["type"] {
  return typeof type === "string" && Object.hasOwn(essentials, type);
}
