import type { EarlierStep } from "../../executor/types.ts";
import type { RunState } from "../../message/run-state.ts";
import type { ActiveRun } from "./active-run.ts";
import { outermost } from "./may-have-begun.ts";

/**
 * The steps that the open calls of a run have come to before: in the state that it resumes, and, where a process died, in what its
 * session has.
 */
export function* earlierSteps({ config }: ActiveRun): Generator<EarlierStep> {
  for (const [key, step] of config.decided?.steps ?? [])
    yield "state" in step ? { key, begin: beginOf(step.state) } : { key };
  for (const key of outermost(config).record?.steps.keys() ?? []) yield { key };
}

/** The agent that a run began with, and its input, unless that is more than text. */
export function beginOf({
  messages,
  agent,
}: Pick<RunState, "messages" | "agent">): NonNullable<EarlierStep["begin"]> {
  const [first] = messages;
  const answer = messages.find(({ role }) => role === "assistant");
  return {
    agent: (answer?.role === "assistant" ? answer.agent : undefined) ?? agent,
    input: first?.role === "user" && typeof first.content === "string" ? first.content : undefined,
  };
}
