import type { ToolReturn } from "./types.ts";
import { assertKnownOptions } from "../base/options/known-options.ts";

/** A symbol, so that no JSON can pass for a `ToolReturn`; registered, so that two copies of the package agree. */
const toolReturnBrand: unique symbol = Symbol.for("skein.tool-return");

const optionNames = {
  value: true,
  agent: true,
  context: true,
  content: true,
  isError: true,
  final: true,
  meta: true,
} satisfies Record<keyof ToolReturn, true>;

/**
 * What a tool returns to say more than a value: a handoff, changes to the context, content for the model.
 * ```ts
 * return result({ value: "Logged in.", context: { userId } });
 * ```
 * @throws ConfigurationError (`invalid-option`) for an unknown field.
 */
export function result<C = unknown>(fields: ToolReturn<C>): ToolReturn<C> {
  assertKnownOptions(fields, optionNames, "result()");
  const branded: ToolReturn<C> & { [toolReturnBrand]: true } = { ...fields, [toolReturnBrand]: true };
  return branded;
}

/** Whether `value` was made by `result()`: a proxy may say that it has everything. */
export function isToolReturn(value: unknown): value is ToolReturn {
  return typeof value === "object" && value !== null && Object.hasOwn(value, toolReturnBrand);
}
