import { hasAttachedSchema } from "../schema/attach/schemas.ts";
import { ConfigurationError } from "../errors.ts";
import { isToolSource } from "../tool/is-source.ts";
import { toolEntries } from "../tool/resolve.ts";
import type { ToolFunction } from "../tool/tool-function.ts";
import type { FunctionTool, Tool, Toolset } from "../tool/types.ts";
import { isPlainObject } from "../base/util/json.ts";

/** A tool, or a set of them, as an agent lists it. */
export type Entry = FunctionTool | Tool | Toolset;

/**
 * The tools that an exported value stands for: itself, or, for a list or a record of nothing but tools, its members.
 * None for any other value.
 * @param name - The export's, for errors.
 * @throws NameClashError if two members have the same name; ConfigurationError for a function without a name.
 */
export function exportedEntries(value: unknown, name?: string): readonly Entry[] {
  if (name !== undefined) assertNamed(value, `The export ${name}`);
  if (name !== undefined && Array.isArray(value))
    for (const [index, each] of value.entries()) assertNamed(each, `${name}[${index}]`);
  if (isToolSource(value)) return entriesOf([value]);
  if (Array.isArray(value) && value.every(isToolSource)) return entriesOf(value);
  if (isRecord(value)) return entriesOf(value);
  return [];
}

function entriesOf(sources: Parameters<typeof toolEntries>[0]): readonly Entry[] {
  return toolEntries(sources).map(({ source }) => source);
}

function assertNamed(value: unknown, place: string): void {
  if (typeof value !== "function" || value.name !== "" || hasAttachedSchema(value)) return;
  throw new ConfigurationError(
    `${place} is a function without a name, as wrappers return them. Write tool(fn, { name: "..." }), or list it under a name: tools: { name: fn }.`,
    { code: "invalid-tool" },
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, ToolFunction | FunctionTool | Tool>> {
  return isPlainObject(value) && Object.values(value).every(isToolSource);
}
