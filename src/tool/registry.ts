import { ConfigurationError, NameClashError } from "../errors.ts";
import { compareVersions } from "../base/util/compare-versions.ts";
import { functionTool, tool } from "./define.ts";
import { loadDerive, loadModuleTools, loadSearch } from "./features.ts";
import { isFunctionTool, isToolset, isToolSource } from "./is-source.ts";
import { originOfArgument } from "./origins.ts";
import { reportOf, statisticsOf, type ToolReport } from "./statistics.ts";
import type { ToolArguments } from "./policy.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { FunctionTool, FunctionToolOptions, Tool, Toolset } from "./types.ts";

/** One version of a tool in a registry. */
interface Entry {
  readonly source: FunctionTool | Tool;
  readonly name: string;
  readonly version: string;
}

/**
 * Tools that come and go while a program runs. List it among an agent's tools: each turn of a run has those that are
 * registered then, and a call that is under way keeps its tool. Versions of one tool stand side by side as
 * `name@version`; agents get the newest.
 * ```ts
 * const registry = new ToolRegistry();
 * registry.tool(getWeather, { tags: ["weather"] });
 * const agent = new Agent({ name: "Helper", tools: [registry] });
 * ```
 */
export class ToolRegistry implements Toolset {
  /** Stands in front of a tool's name where that is taken. */
  readonly name: string;
  readonly #entries = new Map<string, Entry>();
  readonly #derived = new WeakMap<FunctionTool, Tool>();
  #newest: Promise<readonly Tool[]> | undefined;

  /** @param name `"registry"` by default. */
  constructor(name = "registry") {
    this.name = name;
  }

  /**
   * Registers a function with its options.
   * @throws NameClashError if that version of it is there already.
   */
  tool<I extends object = ToolArguments, C = unknown>(
    fn: ToolFunction<C>,
    options?: FunctionToolOptions<I, C>,
  ): this {
    if (typeof fn !== "function") return this.#add([tool(fn, options)]);
    // oxlint-disable-next-line typescript/unbound-method -- it is only compared with the functions that are running
    const origin = originOfArgument(fn, ToolRegistry.prototype.tool);
    return this.#add([functionTool(fn, options ?? {}, origin)]);
  }

  /**
   * Registers tools, all or none.
   * @throws NameClashError if a tool's version is there already; ConfigurationError for a value that is not a tool.
   */
  register(...sources: readonly (ToolFunction | FunctionTool | Tool)[]): this {
    // oxlint-disable-next-line typescript/unbound-method -- it is only compared with the functions that are running
    const called = ToolRegistry.prototype.register;
    return this.#add(
      sources.map((source, index) => {
        if (typeof source !== "function") return source;
        return functionTool(source, {}, originOfArgument(source, called, index));
      }),
    );
  }

  #add(sources: readonly (ToolFunction | FunctionTool | Tool)[]): this {
    const entries = sources.map(toEntry);
    const keys = entries.map(keyOf);
    const twice = keys.find((key, index) => this.#entries.has(key) || keys.indexOf(key) !== index);
    if (twice !== undefined) {
      throw new NameClashError(
        `The registry "${this.name}" has a tool "${twice}" already: unregister("${twice}") first, or give this one another name or version.`,
        { name: twice },
      );
    }
    for (const [index, entry] of entries.entries()) this.#entries.set(keys[index] ?? entry.name, entry);
    this.#newest = undefined;
    return this;
  }

  /**
   * Registers every tool that a module exports, all or none, and returns their names.
   * @param module a module, or the URL of one: `new URL("./tools.ts", import.meta.url)`.
   * @throws ConfigurationError if it exports no tool; NameClashError as in `register`.
   */
  async load(module: object | string): Promise<readonly string[]> {
    const { toolsOfModule } = await loadModuleTools();
    const sources = await toolsOfModule(module);
    this.#add(sources);
    return sources.map((source) => keyOf(toEntry(source)));
  }

  /** Removes a tool: one version of it as `name@version`, or all as `name`. `false` if there is none. */
  unregister(name: string): boolean {
    const keys = [...this.#entries].flatMap(([key, entry]) =>
      key === name || entry.name === name ? [key] : [],
    );
    for (const key of keys) this.#entries.delete(key);
    this.#newest = undefined;
    return keys.length > 0;
  }

  /** Whether there is a tool of that name, or that version of one as `name@version`. */
  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** A tool: its newest version, or the one of `name@version`. */
  async get(name: string): Promise<Tool | undefined> {
    const entry = this.#find(name);
    return entry && (await this.#derive([entry]))[0];
  }

  /** Every tool and version by name, in the order of registration; versions as `name@version`. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** The newest version of every tool. The same list until something changes. */
  tools(): Promise<readonly Tool[]> {
    this.#newest ??= this.#listNewest();
    return this.#newest;
  }

  /** The newest version of every tool that has a tag. */
  async tagged(tag: string): Promise<readonly Tool[]> {
    return (await this.tools()).filter(({ annotations }) => annotations.tags?.includes(tag));
  }

  /** The tools whose names, descriptions, parameters and tags fit a query best (BM25), the best first; at most `limit`, 5 by default. */
  async search(query: string, limit = 5): Promise<readonly Tool[]> {
    const { searchTools } = await loadSearch();
    return searchTools(await this.tools(), query, limit);
  }

  /** What became of the calls of every tool and version so far, by name as in `names`, in all runs that have it. */
  stats(): ToolReport {
    return reportOf(
      [...this.#entries].map(([key, { source, name }]) => [key, statisticsOf(source).of(name)]),
    );
  }

  #find(name: string): Entry | undefined {
    return this.#newestByName().get(name) ?? this.#entries.get(name);
  }

  #newestByName(): Map<string, Entry> {
    const newest = new Map<string, Entry>();
    for (const entry of this.#entries.values()) {
      const other = newest.get(entry.name);
      if (!other || compareVersions(other.version, entry.version) < 0) newest.set(entry.name, entry);
    }
    return newest;
  }

  #listNewest(): Promise<readonly Tool[]> {
    const listed = this.#derive([...this.#newestByName().values()]);
    // What failed once may succeed later (a file that was being written), so failures are not remembered.
    listed.catch(() => (this.#newest = undefined));
    return listed;
  }

  async #derive(entries: readonly Entry[]): Promise<readonly Tool[]> {
    const functions = entries.flatMap(({ source }) =>
      isFunctionTool(source) && !this.#derived.has(source) ? [source] : [],
    );
    const derived = functions.length === 0 ? [] : await (await loadDerive()).deriveTools(functions);
    for (const [index, source] of functions.entries()) {
      const tool = derived[index];
      if (tool) this.#derived.set(source, tool);
    }
    return entries.flatMap(({ source }) =>
      isFunctionTool(source) ? (this.#derived.get(source) ?? []) : source,
    );
  }
}

function toEntry(source: ToolFunction | FunctionTool | Tool): Entry {
  if (!isToolSource(source) || isToolset(source)) {
    throw invalidTool(
      "A registry takes functions, tool(...) and complete tools: list a toolset with the agent instead.",
    );
  }
  const named = typeof source === "function" ? functionTool(source, {}, undefined) : source;
  if (named.name === undefined) {
    throw invalidTool(
      'A function without a name was registered: give one, registry.tool(fn, { name: "..." }).',
    );
  }
  const { version = "" } = "fn" in named ? named.options : named.annotations;
  return { source: named, name: named.name, version };
}

function keyOf({ name, version }: Entry): string {
  return version === "" ? name : `${name}@${version}`;
}

function invalidTool(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-tool" });
}
