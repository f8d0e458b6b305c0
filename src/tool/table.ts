import { NameClashError } from "../errors.ts";
import type { ToolResult } from "../message/messages.ts";
import type { ToolSpec } from "../model/types.ts";
import { assertTool } from "./assert-tool.ts";
import { statisticsOf } from "./statistics.ts";
import type { Tool } from "./types.ts";

interface Entry {
  readonly tool: Tool;
  readonly place: string;
  readonly origin: ToolOriginPath;
}

/** Where a tool of a toolset comes from: the names of its toolsets, the outermost first, and its own in the last. Empty for any other tool. */
export type ToolOriginPath = readonly string[];

const noToolset: ToolOriginPath = [];

/** What a model call may use: tools by name, in the order they were registered. Names are data: `constructor` and `__proto__` are ordinary ones. */
export class ToolTable {
  /** Names of tools that there are, but not for the caller of this table. */
  readonly refused: ReadonlySet<string>;
  /** Whether a toolset is among the sources of the tools, so that a name may lead to another tool at another time. */
  readonly isDynamic: boolean;
  readonly #tools = new Map<string, Entry>();
  #specs: readonly ToolSpec[] | undefined;
  #instructions: string | undefined;
  #warnings: readonly string[] | undefined;
  #isGuarded: boolean | undefined;

  /**
   * @param tools registered at once; their places are `tools[0]`, `tools[1]`, ...
   * @param source - The table that they are from.
   */
  constructor(
    tools: readonly Tool[] = [],
    refused: ReadonlySet<string> = new Set(),
    source?: Pick<ToolTable, "isDynamic" | "originOf">,
  ) {
    this.refused = refused;
    this.isDynamic = source?.isDynamic ?? false;
    for (const [index, tool] of tools.entries())
      this.register(tool, `tools[${index}]`, source?.originOf(tool.name));
  }

  /**
   * Adds a tool. `place` says where it comes from, for messages about clashes.
   * @throws NameClashError if there is one of that name; ConfigurationError if it is not a complete tool, or its policy makes no sense.
   */
  register(tool: Tool, place = "register()", origin: ToolOriginPath = noToolset): void {
    const other = this.#tools.get(tool.name);
    if (other) throw nameClash(tool.name, other.place, place);
    assertTool(tool);
    this.#tools.set(tool.name, { tool, place, origin });
    this.#specs = undefined;
    this.#instructions = undefined;
    this.#warnings = undefined;
    this.#isGuarded = undefined;
  }

  /** The tool of that name. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name)?.tool;
  }

  /** Where the tool of that name comes from; `undefined` if there is none. */
  originOf(name: string): ToolOriginPath | undefined {
    return this.#tools.get(name)?.origin;
  }

  /** Whether there is a tool of that name. */
  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** The names that models see, in order. */
  get names(): readonly string[] {
    return this.specs.map(({ name }) => name);
  }

  /** All tools, in order. */
  get tools(): readonly Tool[] {
    return [...this.#tools.values()].map(({ tool }) => tool);
  }

  /** What the tools' schemas say only in part. */
  get warnings(): readonly string[] {
    this.#warnings ??= this.tools.flatMap(({ name, warnings = [] }) =>
      warnings.map((text) => `${name}: ${text}`),
    );
    return this.#warnings;
  }

  /** Whether a tool says who may use it, or which ones come first. */
  get isGuarded(): boolean {
    this.#isGuarded ??= this.tools.some(({ policy }) => policy.allow ?? policy.requires);
    return this.#isGuarded;
  }

  /** Counts a call of a tool that took `durationMs` milliseconds: the executor of the call does that. */
  record(result: ToolResult, durationMs: number, cached?: boolean): void {
    const tool = this.get(result.toolName);
    if (tool) statisticsOf(tool).record(result, durationMs, cached);
  }

  /** The tools as a model sees them: the same array until a tool is added or removed. */
  get specs(): readonly ToolSpec[] {
    this.#specs ??= this.#visible.map(toolSpec);
    return this.#specs;
  }

  /** What the tools that a model sees bring for its instructions; empty where they bring nothing. */
  get instructions(): string {
    this.#instructions ??= instructionsOf(this.#visible);
    return this.#instructions;
  }

  /** The names of tools whose latest result stays when a history is made shorter. */
  get lasting(): ReadonlySet<string> {
    return new Set(this.tools.flatMap(({ name, keepLatest }) => (keepLatest ? [name] : [])));
  }

  get #visible(): readonly Tool[] {
    return this.tools.filter((tool) => !isForTools(tool) && !this.#isReplaced(tool));
  }

  #isReplaced({ annotations: { deprecated } }: Tool): boolean {
    return typeof deprecated === "object" && this.has(deprecated.use);
  }
}

/** What tools bring for a model's instructions, in their order. */
export function instructionsOf(tools: readonly Tool[]): string {
  return tools.flatMap(({ instructions = "" }) => (instructions === "" ? [] : [instructions])).join("\n\n");
}

/** Whether only other tools may call a tool. */
export function isForTools({ policy }: Tool): boolean {
  return policy.callers === "tools";
}

/** The error for two tools of one name, naming both places. */
export function nameClash(
  name: string,
  first: string,
  second: string,
  advice = 'Give one another name: tool(fn, { name: "..." }), or a record: tools: { otherName: fn }.',
): NameClashError {
  return new NameClashError(`Two tools are called "${name}": ${first} and ${second}. ${advice}`, {
    name,
    places: [first, second],
  });
}

function toolSpec(tool: Tool): ToolSpec {
  const { deprecated } = tool.annotations;
  const why = typeof deprecated === "string" ? `: ${deprecated}` : ".";
  const description = `${tool.description ?? ""}${deprecated ? ` Deprecated${why}` : ""}`.trim();
  return {
    name: tool.name,
    ...(description !== "" && { description }),
    inputSchema: tool.inputSchema.jsonSchema,
    ...(tool.policy.strict !== undefined && { strict: tool.policy.strict }),
  };
}
