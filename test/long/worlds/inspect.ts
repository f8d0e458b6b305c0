/** Reads what a run returns and reports. */
import { SkeinError, type PendingCall } from "skein";

export const isCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof SkeinError && codes.includes(error.code);

export function readInput(call: PendingCall): {
  readonly id: string;
  readonly n: number;
  readonly x?: unknown;
} {
  const input: unknown = call.input ?? JSON.parse(call.arguments);
  if (typeof input !== "object" || input === null || !("id" in input) || !("n" in input))
    return { id: `a pending call without an id: ${JSON.stringify(call)}`, n: 0 };
  return { id: String(input.id), n: Number(input.n), ...("x" in input && { x: input.x }) };
}

/** The path of the first plain object or array that is not frozen. */
export function thawedPath(value: unknown, path = "event"): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value)) return undefined;
  if (!Object.isFrozen(value)) return path;
  for (const [name, { value: inner }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    const thawed = thawedPath(inner, `${path}.${name}`);
    if (thawed !== undefined) return thawed;
  }
  return undefined;
}
