import type { ToolKind } from "@agentclientprotocol/sdk";
import type { AnyAgent } from "../../agent/agent.ts";
import { handoffEntries, reachableAgents } from "../../agent/handoff.ts";
import { isToolset } from "../../tool/is-source.ts";
import { staticName, toolEntries, type ToolEntry } from "../../tool/resolve.ts";
import type { Tool, ToolAnnotations } from "../../tool/types.ts";

/** What an editor shows of a tool besides its name. */
export interface ToolFacts {
  readonly kind: ToolKind;
  /** Its name for people. */
  readonly title?: string;
  /** Its results are the plan of the session. */
  readonly isPlan?: true;
}

/** The facts of the tools of a team: by agent and tool. */
export type FactsOfTeam = ReadonlyMap<string, ReadonlyMap<string, ToolFacts>>;

/**
 * What is declared of the tools of an agent and of those it can hand over to: the hints and tags of `tool()`, and the hints of MCP servers.
 * Nothing is concluded from names.
 * @param context - What toolsets list their tools by. Without it they are left out: listing may start a server.
 */
export async function factsOfTeam(
  agent: AnyAgent,
  context?: Readonly<Record<string, unknown>>,
): Promise<FactsOfTeam> {
  const facts = reachableAgents([agent]).map(
    async (each) => [each.name, await factsOf(each, context)] as const,
  );
  return new Map(await Promise.all(facts));
}

async function factsOf(
  agent: AnyAgent,
  context: Readonly<Record<string, unknown>> | undefined,
): Promise<ReadonlyMap<string, ToolFacts>> {
  const facts = new Map<string, ToolFacts>();
  const lists = await Promise.all(
    toolEntries(agent.tools).map((entry) => annotationsIn(entry, agent, context)),
  );
  for (const [name, annotations] of lists.flat()) if (!facts.has(name)) facts.set(name, toFacts(annotations));
  // The agents are the modes of the session.
  for (const entry of handoffEntries(agent)) {
    const name = staticName(entry);
    if (name !== undefined) facts.set(name, { kind: "switch_mode" });
  }
  return facts;
}

/** The annotations of the tools of an entry, by their names. */
async function annotationsIn(
  entry: ToolEntry,
  agent: AnyAgent,
  context: Readonly<Record<string, unknown>> | undefined,
): Promise<readonly (readonly [name: string, annotations: ToolAnnotations])[]> {
  const { source } = entry;
  if (isToolset(source)) {
    if (!context) return [];
    const list = async (): Promise<readonly Tool[]> => source.tools({ context, agent, messages: [] });
    // What fails here fails in the run, which reports it.
    return (await list().catch(() => [])).map(({ name, annotations }) => [name, annotations]);
  }
  const name = staticName(entry);
  return name === undefined ? [] : [[name, "annotations" in source ? source.annotations : source.options]];
}

function toFacts(annotations: ToolAnnotations): ToolFacts {
  const { title, tags = [] } = annotations;
  return {
    kind: kindOf(annotations),
    ...(title !== undefined && { title }),
    ...(tags.includes("plan") && { isPlan: true }),
  };
}

/** Hints say whether a tool changes something, tags what it does. */
function kindOf({ readOnlyHint, destructiveHint, openWorldHint, tags = [] }: ToolAnnotations): ToolKind {
  if (readOnlyHint !== true && tags.includes("execute")) return "execute";
  if (readOnlyHint !== true) return destructiveHint === true ? "edit" : "other";
  if (tags.includes("search")) return "search";
  return openWorldHint === true ? "fetch" : "read";
}
