/** A registered symbol, so that two copies of the package know each other's agents. */
const agentBrand: unique symbol = Symbol.for("skein.agent");

/** What lower layers know of an agent. */
export interface AgentLike {
  readonly name: string;
  readonly description?: string;
}

/** Marks an object as an agent. Only the class `Agent` does so. */
export function markAgent(agent: AgentLike): void {
  Object.defineProperty(agent, agentBrand, { value: true });
}

/** Whether `value` is an agent. Nothing made of JSON passes for one. */
export function isAgent(value: unknown): value is AgentLike {
  return typeof value === "object" && value !== null && agentBrand in value;
}
