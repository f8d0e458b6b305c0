import type { ToolName } from "../message/run-state.ts";
import type { AgentLike } from "./agent-like.ts";
import type { ToolOriginPath, ToolTable } from "./table.ts";
import type { Tool } from "./types.ts";

/** Where the tools come from that the program which started a run executes: as from a toolset of this name, since each run may have others. */
export const callersTools = "the tools of the caller";

/** The names that the caller of a tool can use, and those that lead to one tool already. */
export interface NamingScope {
  readonly toolTable: ToolTable;
  readonly toolNames?: ToolNames | undefined;
  readonly agent: AgentLike | undefined;
  /** The tool that is called. */
  readonly tool: Tool;
}

/** The context of a call, for a tool that names others. */
export interface NamingContext {
  readonly naming: NamingScope;
}

/** Which tools the names lead to that calls of a run had. A name that a toolset's tool was called by is never another tool's. */
export class ToolNames {
  #names = new Map<string, ToolName>();
  readonly #assumed = new WeakSet<ToolName>();
  /** Whether every call of a toolset's tool in the history has its name here. A list of messages comes without. */
  readonly #isComplete: boolean;

  constructor(isComplete = true) {
    this.#isComplete = isComplete;
  }

  /** All names, in the order in which they were called first. */
  get entries(): readonly ToolName[] {
    return [...this.#names.values()];
  }

  /** Those that a state has: of agents with toolsets. */
  get stored(): readonly ToolName[] {
    return this.entries.filter((each) => !this.#assumed.has(each));
  }

  /**
   * Takes a name without an entry for that of the agent's own tool, also if the agent has toolsets by now: an approval must not reach a
   * tool of these.
   */
  assume(agent: string, toolName: string): void {
    const key = keyOf(agent, toolName);
    if (this.#names.has(key)) return;
    const own: ToolName = { agent, toolName, origin: [] };
    this.#names.set(key, own);
    this.#assumed.add(own);
  }

  /** Takes over which tool a call that waits is of: of the agent's own ones, unless it says where the tool comes from. */
  settle(agent: string, toolName: string, origin: ToolOriginPath | undefined): void {
    if (origin) this.set(agent, toolName, origin);
    else this.assume(agent, toolName);
  }

  /** Goes on with the names of a state. */
  continueFrom(names: readonly ToolName[] = []): void {
    this.#names = new Map(names.map((each) => [keyOf(each.agent, each.toolName), each]));
  }

  /** Notes that an agent calls a tool of its table. Where nothing changes, nothing is noted. */
  note(agent = "", toolName: string, toolTable: ToolTable): void {
    if (toolTable.isDynamic) this.set(agent, toolName, toolTable.originOf(toolName));
  }

  /** Notes which tool a name leads to, unless that is settled. */
  set(agent: string, toolName: string, origin: ToolOriginPath | undefined): void {
    const key = keyOf(agent, toolName);
    if (origin && !this.#names.has(key)) this.#names.set(key, { agent, toolName, origin });
  }

  /** Where the tools come from that an agent has called, or knows the names of. */
  originsFor(agent: string): readonly ToolOriginPath[] {
    return this.entries.flatMap((each) =>
      each.agent === agent && each.origin.length > 0 ? [each.origin] : [],
    );
  }

  /** The name under which an agent called a tool first. */
  nameOf(agent: string, origin: ToolOriginPath): string | undefined {
    const own = keyOf(...origin);
    return this.entries.find((each) => each.agent === agent && keyOf(...each.origin) === own)?.toolName;
  }

  /** Forgets where a name leads. */
  release(agent: string, toolName: string): void {
    this.#names.delete(keyOf(agent, toolName));
  }

  /** Where the tool comes from that the calls by this name are for. */
  originOf(agent = "", toolName: string): ToolOriginPath | undefined {
    return this.#names.get(keyOf(agent, toolName))?.origin;
  }

  /**
   * Where the tools may come from that calls by this name were for; `undefined` where nobody knows.
   * @param agent - Who made the calls, unless that is not known.
   */
  originsOf(toolName: string, agent: string | undefined): readonly ToolOriginPath[] | undefined {
    const origins = this.entries.flatMap((each) =>
      each.toolName === toolName && (agent ?? each.agent) === each.agent ? [each.origin] : [],
    );
    if (origins.length > 0) return origins;
    return this.#isComplete ? [[]] : undefined;
  }

  /** Whether all names of an agent lead to the same tools in a table. */
  fit(agent: string, toolTable: ToolTable): boolean {
    return this.entries.every(
      (each) =>
        each.agent !== agent ||
        keyOf(...each.origin) === keyOf(...(toolTable.originOf(each.toolName) ?? [""])),
    );
  }
}

function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names);
}
