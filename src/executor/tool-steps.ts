import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { toStorable } from "../base/util/storable.ts";
import type { CallChanges } from "../message/run-state.ts";
import { type Change, fromStoredChanges, toStoredChanges } from "./inner-calls.ts";

/** The longest name of a step, in characters. */
const longestName = 200;

/** What the steps are called that are the framework's own. */
const ownSteps = "context.";

/** What a tool names within a call: a step, a sleep, or the token that it waits for. */
export type NamedPart = "step" | "sleep" | "token";

/**
 * Adds a name to those of a call.
 * @throws TypeError for a name that a part of this kind has had in the call, or that is not one.
 */
export function withName(
  names: Set<string> | undefined,
  part: NamedPart,
  name: string,
  toolName: string,
): Set<string> {
  const what = part === "token" ? "The token" : `The name of a ${part}`;
  if (typeof name !== "string" || name === "" || name.length > longestName)
    throw new TypeError(`${what} of ${toolName} must be a text of 1 to ${longestName} characters.`);
  if (part === "step" && name.startsWith(ownSteps))
    throw new TypeError(`${what} of ${toolName} must not begin with "${ownSteps}": "${name}".`);
  const key = `${part}/${name}`;
  if (names?.has(key))
    throw new TypeError(
      `${toolName} has used the ${part} "${name}" twice in one call. Give each ${part} a name of its own, such as "${name} ${names.size + 1}".`,
    );
  return (names ?? new Set()).add(key);
}

/** The name of the step in which the framework notes something for a call. */
export function ownStep(of: string, name: string): string {
  return `${ownSteps}${of}/${name}`;
}

/** What is kept of a step that has a value which is not for a state: it is performed again. */
export const maskedStep: string = JSON.stringify({ isMasked: true });

/**
 * What a step returned, as it is kept.
 * @param changes - What the calls within it have changed of the run's context.
 * @throws TypeError for what JSON has no form for: the tool would get something else when it is executed again.
 */
export function stepText(value: unknown, name: string, changes?: ReadonlyMap<string, Change>): string {
  const { value: stored, omissions } = toStorable(value, "its value");
  const [omission] = omissions;
  if (omission) {
    ignoreRejections(value);
    throw new TypeError(`The step "${name}" must return plain JSON: ${omission.path} is ${omission.what}.`);
  }
  const calls = changes ? toStoredChanges(changes) : [];
  return JSON.stringify({ value: stored, ...(calls.length > 0 && { calls }) });
}

/** What the calls within a step have changed, of which this is kept. */
export function changesOfStep(text: string): ReadonlyMap<string, Change> {
  const { calls }: { readonly calls?: readonly CallChanges[] } = JSON.parse(text);
  return fromStoredChanges(calls);
}
