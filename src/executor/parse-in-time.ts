import type { MaybePromise } from "../base/util/maybe-promise.ts";
import { parseArguments } from "../schema/parse-arguments.ts";
import type { Validation } from "../schema/types.ts";
import type { Tool } from "../tool/types.ts";
import { defaultTimeout } from "./perform-tool.ts";
import { LazySignal, settle, type Settlement } from "./settle.ts";

/** Reads the arguments of a call. A check of one's own may wait for a database: what bounds a call bounds the check of its arguments. */
export function parseInTime(
  text: string,
  { inputSchema, policy: { timeout = defaultTimeout } }: Tool,
  signal: AbortSignal | undefined,
): MaybePromise<Settlement<Validation<unknown>>> {
  try {
    const parsed = parseArguments(text, inputSchema);
    if (!(parsed instanceof Promise)) return { kind: "value", value: parsed };
    return settle(parsed, new LazySignal(), timeout, signal);
  } catch (error) {
    return { kind: "error", error };
  }
}
