import type { ToolKind } from "@agentclientprotocol/sdk";
import type { AnyAgent } from "../../agent/agent.ts";
import { handoffEntries, reachableAgents } from "../../agent/handoff.ts";
import { isToolset } from "../../tool/is-source.ts";
import { staticName, toolEntries } from "../../tool/resolve.ts";
import type { ToolAnnotations } from "../../tool/types.ts";
import { McpToolset } from "../../connectors/mcp/client/toolset.ts";

/** What an editor shows of a tool besides its name. */
export interface ToolFacts {
  readonly kind: ToolKind;
  /** Its name for people. */
  readonly title?: string;
}

/** The facts of the tools of a team: by agent and tool. */
export type FactsOfTeam = ReadonlyMap<string, ReadonlyMap<string, ToolFacts>>;

/**
 * What is declared of the tools of an agent and of those it can hand over to: the hints of `tool()` and of MCP servers. Nothing is
 * concluded from names.
 */
export async function factsOfTeam(agent: AnyAgent): Promise<FactsOfTeam> {
  const facts = reachableAgents([agent]).map(async (each) => [each.name, await factsOf(each)] as const);
  return new Map(await Promise.all(facts));
}

async function factsOf(agent: AnyAgent): Promise<ReadonlyMap<string, ToolFacts>> {
  const facts = new Map<string, ToolFacts>();
  for (const entry of toolEntries(agent.tools)) {
    const { source } = entry;
    if (isToolset(source)) {
      // Others may list something else each time they are asked. What fails here fails in the run, which reports it.
      if (!(source instanceof McpToolset)) continue;
      for (const { name, annotations } of await source.tools().catch(() => []))
        facts.set(name, toFacts(annotations));
      continue;
    }
    const name = staticName(entry);
    if (name !== undefined)
      facts.set(name, toFacts("annotations" in source ? source.annotations : source.options));
  }
  // The agents are the modes of the session.
  for (const entry of handoffEntries(agent)) {
    const name = staticName(entry);
    if (name !== undefined) facts.set(name, { kind: "switch_mode" });
  }
  return facts;
}

function toFacts({ title, readOnlyHint, destructiveHint, openWorldHint }: ToolAnnotations): ToolFacts {
  const changing = destructiveHint === true ? "edit" : "other";
  const reading = openWorldHint === true ? "fetch" : "read";
  const kind = readOnlyHint === true ? reading : changing;
  return { kind, ...(title !== undefined && { title }) };
}
