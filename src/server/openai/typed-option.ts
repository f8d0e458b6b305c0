import type { AnyAgent } from "../../agent/agent.ts";
import { reachableAgents } from "../../agent/handoff.ts";
import type { AnswerOptions } from "../../protocols/kit/answer-reader.ts";

/**
 * Whether the answer of a run has a schema, for the encoders' option `output`.
 * @param isWanted - Whether the client has one.
 */
export function typedOption(agent: AnyAgent, isWanted: boolean): Pick<AnswerOptions, "output"> {
  if (isWanted || agent.output !== undefined) return { output: true };
  // An agent that it hands off to may have one: then each turn shows.
  return [...reachableAgents([agent])].some(({ output }) => output !== undefined) ? {} : { output: false };
}
