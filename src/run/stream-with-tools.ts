import type { Agent } from "../agent/agent.ts";
import { readCallerTools } from "./caller-tools.ts";
import type { RunStream } from "./events/run-stream.ts";
import { streamAs } from "./run.ts";
import type { RunInput, RunOptions } from "./types.ts";

/**
 * Runs an agent as `stream` does, with tools that the caller executes, which came from outside: the agents of the run have them beside
 * their own, and a call of one pauses the run.
 * @param callerTools - A list of `CallerTool`, not checked yet.
 * @throws InvalidInputError for tools that are not right, or have a name that a tool of the agent has; otherwise as `stream` does.
 */
export function streamWithTools(
  agent: Agent,
  input: RunInput,
  options: RunOptions,
  callerTools: unknown,
): RunStream {
  const { tools } = readCallerTools(callerTools, agent, "The list of tools");
  return streamAs(agent, input, options, { place: "stream()", callerTools: tools });
}
