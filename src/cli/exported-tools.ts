import { isToolSource } from "../tool/is-source.ts";
import { toolEntries } from "../tool/resolve.ts";
import type { ToolFunction } from "../tool/tool-function.ts";
import type { FunctionTool, Tool, Toolset } from "../tool/types.ts";
import { isPlainObject } from "../util/json.ts";

/** A tool, or a set of them, as an agent lists it. */
export type Entry = FunctionTool | Tool | Toolset;

/**
 * The tools that an exported value stands for: itself, or, for a list or a record of nothing but tools, its members.
 * None for any other value.
 * @throws NameClashError if two members have the same name.
 */
export function exportedEntries(value: unknown): readonly Entry[] {
  if (isToolSource(value)) return entriesOf([value]);
  if (Array.isArray(value) && value.every(isToolSource)) return entriesOf(value);
  if (isRecord(value)) return entriesOf(value);
  return [];
}

function entriesOf(sources: Parameters<typeof toolEntries>[0]): readonly Entry[] {
  return toolEntries(sources).map(({ source }) => source);
}

function isRecord(value: unknown): value is Readonly<Record<string, ToolFunction | FunctionTool | Tool>> {
  return isPlainObject(value) && Object.values(value).every(isToolSource);
}
