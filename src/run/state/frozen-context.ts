import { describeValue } from "../../base/options/known-options.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { isPromiseLike } from "../../base/util/promise-like.ts";
import { frozenCopy } from "../../base/util/snapshot.ts";
import { changeOf } from "../../message/cleared.ts";
import type { CallChanges } from "../../message/run-state.ts";
import { InvalidInputError } from "../../errors.ts";

/**
 * The context of a run, copied and frozen. Given again on a resumption, a context is merged over the state's: for what JSON could
 * not carry.
 * @throws InvalidInputError for a context that is not an object, cannot be copied, or is a promise.
 */
export function frozenContext(context: unknown, stored: unknown): unknown {
  if (isPromiseLike(context))
    throw new InvalidInputError("options.context is a promise. Await it, and pass what it resolves to.");
  if (context !== undefined && (typeof context !== "object" || context === null || Array.isArray(context)))
    throw new InvalidInputError(
      `options.context must be an object, not ${describeValue(context)}. Write { name: value }.`,
    );
  try {
    return frozenCopy(mergeContexts(context, stored));
  } catch (error) {
    throw new InvalidInputError(
      `options.context cannot be copied: ${safeMessage(error)}. Pass plain data, and handles as instances of their classes.`,
    );
  }
}

/** The changes that a state has, frozen. A context that is passed again is merged over them as well. */
export function frozenChanges(
  context: unknown,
  changes: readonly CallChanges[] = [],
): readonly CallChanges[] {
  const passed: object = Object(context);
  return changes.map((change) => {
    const { cleared: _, ...rest } = change;
    const changed = changeOf(change);
    const others = Object.entries(changed ?? {}).filter(([key]) => !Object.hasOwn(passed, key));
    return frozenCopy({ ...rest, ...(changed && { context: Object.fromEntries(others) }) });
  });
}

function mergeContexts(context: unknown, stored: unknown): unknown {
  if (context === undefined) return stored ?? {};
  return isPlainObject(stored) && isPlainObject(context) ? { ...stored, ...context } : context;
}
