import { offeredTools } from "../../../executor/offered-tools.ts";
import { derivePolicy } from "../../../tool/derived-policy.ts";
import { askToolsets, registerTools } from "../../../tool/register-tools.ts";
import { assertDistinctNames, toolEntries, type ToolEntry } from "../../../tool/resolve.ts";
import { ToolTable } from "../../../tool/table.ts";
import type { Tool } from "../../../tool/types.ts";
import { sameLists } from "../../../base/util/same-lists.ts";
import type { McpServerDefinition } from "./types.ts";

/** The most different warnings that are reported. */
const mostReports = 100;

/** The tools of a server, its agents included. Schemas of plain functions are found at the first request. */
export class OfferedTools {
  readonly #entries: readonly ToolEntry[];
  readonly #report: (error: Error) => void;
  readonly #reported = new Set<string>();
  #toolsets: readonly (readonly Tool[])[] = [];
  #table: ToolTable | undefined;

  /** @throws ConfigurationError for something that is not a tool; NameClashError if two have the same name. */
  constructor({ tools, agents = [] }: McpServerDefinition, report: (error: Error) => void) {
    this.#report = report;
    const asTools = agents.map((agent, index) => ({
      source: agent.asTool(),
      place: `agents[${index}] (the agent ${agent.name})`,
    }));
    this.#entries = [...toolEntries(tools, "serveMcp()"), ...asTools];
    assertDistinctNames(this.#entries);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The current tools for that context. Every call lists the toolsets again. */
  async table(context: unknown, signal: AbortSignal): Promise<ToolTable> {
    const warn = (message: string): void => this.#warn(message);
    const toolsets = await askToolsets(this.#entries, { context, agent: undefined, messages: [], warn });
    if (!this.#table || !sameLists(toolsets, this.#toolsets)) {
      const all = await registerTools(this.#entries, toolsets);
      const tools = all.tools.filter((tool) => tool.execute !== undefined).map(checked);
      this.#table = new ToolTable(tools, undefined, all);
      this.#toolsets = toolsets;
    }
    return offeredTools(this.#table, { context, agent: undefined, signal, warn });
  }

  /** A warning that a toolset repeats at every list, such as that its server is down, is reported once. */
  #warn(message: string): void {
    if (this.#reported.has(message) || this.#reported.size === mostReports) return;
    this.#reported.add(message);
    this.#report(new Error(message));
  }
}

/** Clients check results against the listed output schema: one that does not match becomes an error that says so. */
function checked(tool: Tool): Tool {
  const outputSchema = promisedOutput(tool);
  if (!outputSchema || tool.policy.validateOutput !== undefined) return tool;
  return { ...tool, policy: derivePolicy(tool.policy, { validateOutput: true }) };
}

/** The output schema listed to clients: none for plain text, and none where they see less than the tool returned. */
export function promisedOutput({ outputSchema, policy }: Tool): Tool["outputSchema"] {
  if (!outputSchema || policy.mask || policy.maxResultChars) return undefined;
  const { type } = outputSchema.jsonSchema;
  return type === "string" || type === "null" ? undefined : outputSchema;
}
