import type { ToolResult } from "../../message/messages.ts";
import { isObject, type JsonValue } from "../../base/util/json.ts";
import type { Tool } from "../../tool/types.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { valueOf } from "../finalize.ts";
import { progressValue } from "../progress-value.ts";
import type { ExecutionObserver, Policy, SettledCall } from "../types.ts";

/** What a model sees instead of what it must not see. */
export const hidden = "[hidden]";

/** Whether a result says that something of it is hidden. */
export function hasHidden({ content, structuredContent }: ToolResult): boolean {
  if (content.some((part) => part.type === "text" && part.text.includes(hidden))) return true;
  return isObject(structuredContent) && JSON.stringify(structuredContent).includes(hidden);
}

/**
 * Hides the result, or these properties of it, from the model and so from the history; the application receives the value. What the
 * tool reports on the way is shown to people, so that is hidden, too.
 */
export const mask: Policy =
  (next, { policy }) =>
  async (ready) => {
    const names = typeof policy.mask === "object" ? policy.mask : undefined;
    const { scope, tool } = ready;
    const observer = maskedObserver(scope.observer, names);
    const outcome = await next({ ...ready, scope: { ...scope, observer } });
    if (!("result" in outcome) || !isReturned(outcome)) return outcome;
    // Nobody has said what of `meta` is to be hidden.
    const { result, value = valueOf(result), meta: _, ...rest } = outcome;
    const isOnce = policy.interrupted === "tell" || policy.interrupted === "ask";
    return { ...rest, value, result: masked(result, names, tool), ...(isOnce && { isNotRepeated: true }) };
  };

/** Whether nothing of the results of a tool may be said, or not of all that they have. */
export function isMasked({ policy }: Pick<Tool, "policy">): boolean {
  return (policy.mask ?? false) !== false;
}

/** What a model may see of the value that a tool has returned to another. */
export function visibleValue({ policy }: Pick<Tool, "policy">, value: JsonValue): JsonValue {
  if ((policy.mask ?? false) === false) return value;
  const isText = typeof value !== "object" || value === null;
  return typeof policy.mask === "object" && !isText ? hideAll(value, policy.mask) : hidden;
}

/** Errors that were thrown, timeouts and the like are words for the model to go by. */
function isReturned({ result, error }: SettledCall): boolean {
  return result.outcome === "success" || (result.outcome === "error" && error === undefined);
}

function masked(
  result: ToolResult,
  names: readonly string[] | undefined,
  { annotations }: Pick<Tool, "annotations">,
): ToolResult {
  const { structuredContent, ...rest } = result;
  // In a text no property can be found, so nothing of it is shown.
  if (!names || typeof structuredContent !== "object") return { ...rest, content: [text(hidden)] };
  const visible = hideAll(structuredContent, names);
  // What is structured is for the page alone.
  if (annotations.ui) return { ...rest, content: [text(hidden)], structuredContent: visible };
  const media = result.content.filter(({ type }) => type !== "text");
  return { ...rest, content: [text(JSON.stringify(visible)), ...media], structuredContent: visible };
}

/** Hides in what the tool reports itself what is hidden in its result. What it calls is hidden by the tools that are called. */
function maskedObserver(
  observer: ExecutionObserver,
  names: readonly string[] | undefined,
): ExecutionObserver {
  return {
    start: (call, parent) => observer.start(call, parent),
    progress: (call, value, parent) =>
      observer.progress(call, parent === undefined ? maskedReport(value, names) : value, parent),
    end: (settled, durationMs, parent) => observer.end(settled, durationMs, parent),
    warn: (message, discreet = message) => observer.warn(discreet),
  };
}

function maskedReport(value: unknown, names: readonly string[] | undefined): JsonValue {
  const plain = names && progressValue(value);
  return names && typeof plain === "object" ? hideAll(plain, names) : hidden;
}

function hideAll(value: JsonValue, names: readonly string[]): JsonValue {
  return names.reduce<JsonValue>((rest, name) => hide(rest, name.split(".")), value);
}

/**
 * A copy in which the property at `path` is hidden; of an array, that of each item, or of the item with that number. A pair is a property, too: so
 * stand headers, forms and maps in JSON.
 */
function hide(value: JsonValue, path: readonly string[]): JsonValue {
  if (path.length === 0) return hidden;
  if (isList(value)) return hideInPair(value, path) ?? hideInItems(value, path);
  if (typeof value !== "object" || value === null) return value;
  const copy = { ...value };
  // A name may have dots of its own.
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join(".");
    if (Object.hasOwn(copy, name)) defineOwn(copy, name, hide(copy[name] ?? null, path.slice(length)));
  }
  return copy;
}

function hideInItems(items: readonly JsonValue[], path: readonly string[]): JsonValue {
  return items.map((item, index) => hide(item, path[0] === String(index) ? path.slice(1) : path));
}

/** `undefined` for what is not the property, by its name in upper or lower case: headers have theirs in lower case. */
function hideInPair(
  [key, item, ...rest]: readonly JsonValue[],
  path: readonly string[],
): JsonValue | undefined {
  if (typeof key !== "string" || item === undefined || rest.length > 0) return undefined;
  for (let length = path.length; length > 0; length--) {
    const name = path.slice(0, length).join(".");
    if (name.toLowerCase() === key.toLowerCase()) return [key, hide(item, path.slice(length))];
  }
  return undefined;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function text(words: string): { readonly type: "text"; readonly text: string } {
  return { type: "text", text: words };
}
