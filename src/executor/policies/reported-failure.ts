import { UnknownArgumentError } from "../../errors.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import type { ReadyCall } from "../types.ts";
import { isThrown } from "../../base/util/is-error.ts";

/**
 * Calls a function of a tool's policy. If it fails, so does the call; and its author has to know, too, as the model can do nothing
 * about it.
 * @param option - What the function stands in, such as `cache.key`.
 */
export function reportFailure<T>(
  option: string,
  { tool, scope }: Pick<ReadyCall, "tool" | "scope">,
  call: () => T,
): T {
  try {
    return call();
  } catch (error) {
    // What an argument is missing is reported where the call ends.
    if (!isThrown(error, UnknownArgumentError))
      scope.observer.warn(
        `${option} of ${tool.name} failed: ${safeMessage(error)}`,
        `${option} of ${tool.name} failed.`,
      );
    throw error;
  }
}
