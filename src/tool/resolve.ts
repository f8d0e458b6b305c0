import { nextRemedy, runsInNext } from "../base/util/next-runtime.ts";
import { describeValue } from "../base/options/known-options.ts";
import { isPlainObject } from "../base/util/json.ts";
import { ConfigurationError } from "../errors.ts";
import { isAgent } from "./agent-like.ts";
import { functionTool } from "./define.ts";
import { describeFunction } from "./function-name.ts";
import { describeHostedTool, isHostedTool } from "../model/hosted-tool.ts";
import { isFunctionTool, isToolset, isToolSource } from "./is-source.ts";
import { originOf, type SourcesOrigin } from "./origins.ts";
import { assertTool } from "./assert-tool.ts";
import { nameClash } from "./table.ts";
import type { FunctionTool, Tool, ToolOrigin, ToolSource, ToolSources, Toolset } from "./types.ts";

/** One listed tool, and where it is listed. */
export interface ToolEntry {
  readonly source: FunctionTool | Tool | Toolset;
  /** Such as `tools[1] (the function getWeather)`. */
  readonly place: string;
}

/**
 * Reads a list or record of tools. `owner` says whose they are, in messages; `origin` which call passed them on.
 * @throws ConfigurationError for something that is not a tool; NameClashError if two names known already are the same.
 */
export function toolEntries(
  sources: ToolSources = [],
  owner = "",
  origin: SourcesOrigin | undefined = originOf(sources),
): readonly ToolEntry[] {
  const of = owner === "" ? "" : ` of ${owner}`;
  if (typeof sources !== "object" || sources === null)
    throw notATool(`The tools${of} are ${describeValue(sources)}. Pass a list or a record of tools.`);
  const originAt = (key: string | number): ToolOrigin | undefined =>
    origin && {
      calledAt: origin.calledAt,
      path: [...origin.path, key],
      ...(isList(sources) && { length: sources.length }),
    };
  const entries = isList(sources)
    ? sources.map((source, index) => toEntry(source, `tools[${index}]${of}`, undefined, originAt(index)))
    : Object.entries(sources).map(([name, source]) =>
        toEntry(source, `tools.${name}${of}`, name, originAt(name)),
      );
  assertDistinctNames(entries);
  return entries;
}

/** The copies of `copySources`: what is one of them is copied no more. */
const copies = new WeakSet<ToolSources>();

/**
 * A frozen copy: neither a list that changes later nor a tool that sees its agent changes what the agent may do. Of a copy, it is
 * the same object: agents with the same `tools` have the same tools.
 */
export function copySources(sources: ToolSources = []): ToolSources {
  if (copies.has(sources)) return sources;
  const copy: ToolSources = isList(sources)
    ? sources.map(frozenSource)
    : Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, frozenSource(source)]));
  copies.add(Object.freeze(copy));
  return copy;
}

/** Instances of classes have states of their own; of what a program has written as data, the agent has a copy. */
function frozenSource<S extends object>(source: S): S {
  if (typeof source === "function" || !isPlainObject(source) || isToolset(source)) return source;
  return Object.isFrozen(source) ? source : Object.freeze({ ...source });
}

/** The name of an entry, where it is known before any schema is looked for. */
export function staticName(entry: ToolEntry): string | undefined {
  return isToolset(entry.source) ? undefined : entry.source.name;
}

function toEntry(
  source: ToolSource,
  place: string,
  name: string | undefined,
  origin: ToolOrigin | undefined,
): ToolEntry {
  if (typeof source === "function") {
    const tool = functionTool(source, name === undefined ? {} : { name }, origin);
    // The name that a call gives an unnamed function, such as `ms` of a package, is found with its schema.
    if (tool.name === undefined && source.name === "" && !tool.origin) {
      const built = runsInNext() ? ` ${nextRemedy}, if the build removed its name.` : "";
      throw notATool(
        `${place} is a function without a name. Name it, or write tool(fn, { name: "..." }).${built}`,
      );
    }
    return { source: tool, place: `${place} (the function ${tool.name ?? describeFunction(source)})` };
  }
  if (!isToolSource(source)) throw notATool(`${place} is ${describeSource(source)}`);
  if (!isToolset(source)) assertTool(source);
  if (name === undefined || isToolset(source)) return { source, place };
  const named = isFunctionTool(source)
    ? { ...source, name, options: { ...source.options, name } }
    : { ...source, name };
  return { source: named, place };
}

/** Whether a function passes on whatever it gets, as wrappers do: its name, if it has one, is that of the wrapper's code. */
function isWrapperText(fn: Function): boolean {
  return /^(?:async\s*)?(?:function\b\s*\*?\s*[\w$]*\s*)?\(\s*\.\.\.\s*[\w$]+\s*\)/.test(
    Function.prototype.toString.call(fn),
  );
}

function notATool(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-tool" });
}

/**
 * Checks the names that are known already.
 * @throws NameClashError naming both places.
 */
export function assertDistinctNames(entries: readonly ToolEntry[]): void {
  const places = new Map<string, ToolEntry>();
  for (const entry of entries) {
    const name = staticName(entry);
    if (name === undefined) continue;
    const other = places.get(name);
    if (other !== undefined && !areAlike(other, entry)) throw nameClash(name, other.place, entry.place);
    places.set(name, entry);
  }
}

/** Whether two functions come from the same code, such as a wrapper's: their names are known once their schemas are. */
function areAlike({ source: one }: ToolEntry, { source: other }: ToolEntry): boolean {
  if (!isFunctionTool(one) || !isFunctionTool(other) || one.fn === other.fn) return false;
  if (!one.origin || !other.origin || one.options.name !== undefined || other.options.name !== undefined)
    return false;
  return isWrapperText(one.fn) && String(one.fn) === String(other.fn);
}

/** What was listed instead of a tool, and what was probably meant. */
function describeSource(source: unknown): string {
  if (source === undefined) return "undefined: is it imported in a circle?";
  if (Array.isArray(source)) return "a list: spread it, ...list.";
  if (isHostedTool(source)) {
    const { provider } = source;
    const expression = describeHostedTool(source);
    const factory = provider === "openai" ? "openai.responses" : provider;
    return `${expression}, which the provider executes: pass it to its model, ${factory}("...", { providerTools: [${expression}] }).`;
  }
  if (isAgent(source)) return "an agent: list it under handoffs, or write agent.asTool().";
  if (Object(source).inputSchema)
    return "a tool of the AI SDK: write tool({ name, input: inputSchema, execute }), or fromAiSdk(model, { providerTools }).";
  return `${describeValue(source)}: a tool is a function, tool(...) or toolkit(new Kit()).`;
}

function isList(sources: ToolSources): sources is readonly ToolSource[] {
  return Array.isArray(sources);
}
