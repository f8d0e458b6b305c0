/** Marks agents, so that a tool's return value can be known as one without importing the class. */
export const agentBrand: unique symbol = Symbol.for("skein.agent");

/** What lower layers know of an agent. */
export interface AgentLike {
  readonly name: string;
  readonly description?: string;
  readonly [agentBrand]: true;
}

/** Whether `value` is an agent. */
export function isAgent(value: unknown): value is AgentLike {
  return typeof value === "object" && value !== null && agentBrand in value;
}
