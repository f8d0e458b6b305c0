/** A registered symbol, so that two copies of the package know each other's agents. */
const agentBrand: unique symbol = Symbol.for("skein.agent");

/** The agent that a tool runs, on the tool itself: copies of the tool have it, too. */
const toolAgent: unique symbol = Symbol.for("skein.tool-agent");

/** Set on a tool whose agent is a durable run of its own. */
const isDetachedMark: unique symbol = Symbol.for("skein.is-detached");

/** What lower layers know of an agent. */
export interface AgentLike {
  readonly name: string;
  readonly description?: string;
}

/** Marks an object as an agent. Only the class `Agent` does so. */
export function markAgent(agent: AgentLike): void {
  Object.defineProperty(agent, agentBrand, { value: true });
}

/** Whether `value` is an agent. Nothing made of JSON passes for one, and no proxy that has everything. */
export function isAgent(value: unknown): value is AgentLike {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, agentBrand)) return false;
  return "name" in value && typeof value.name === "string";
}

/** A tool that says which agent it runs: decisions on calls of that agent can be checked before the tool is called. */
export function withToolAgent<T extends object>(tool: T, agent: AgentLike, isDetached = false): T {
  const copy = { ...tool, [toolAgent]: agent, ...(isDetached && { [isDetachedMark]: true }) };
  return copy;
}

/** Whether the agent of a tool is a durable run of its own. */
export function isDetachedTool(tool: object): boolean {
  return isDetachedMark in tool;
}

/** The agent that a tool runs, if the tool was made of one. */
export function toolAgentOf(tool: object): AgentLike | undefined {
  const agent: unknown = toolAgent in tool ? tool[toolAgent] : undefined;
  return isAgent(agent) ? agent : undefined;
}
