import { findAgent } from "../../agent/handoff.ts";
import { ModelNotFoundError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";

/**
 * The model that the environment names. In a conversation with an agent that is not at hand it may be another one than before: the run
 * warns of that.
 * @throws ModelNotFoundError if there is none.
 */
export async function environmentModel(run: ActiveRun): Promise<Model> {
  const { defaultModel } = await import("#model-resolution");
  const absent = absentAgent(run);
  if (absent === undefined) return defaultModel();
  const problem = `The agent ${run.agent.name} has no model, and that of ${absent}, which answered before, is not available`;
  const remedy = `Pass ${absent} in options.agents, or set options.model.`;
  try {
    const model = await defaultModel();
    warn(run, `${problem}: the model of the environment answers. ${remedy}`);
    return model;
  } catch (error) {
    if (!(error instanceof ModelNotFoundError)) throw error;
    throw new ModelNotFoundError(`${problem}. ${remedy}`, { agent: run.agent.name, absent });
  }
}

/** The agent that answered last before the run, if it cannot be reached: nothing shows what its model was. */
function absentAgent({ config, conversation }: ActiveRun): string | undefined {
  const { messages, inputLength } = conversation;
  for (let index = inputLength - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== "assistant" || message.agent === undefined) continue;
    if (!findAgent(message.agent, config.roots)) return message.agent;
  }
  return undefined;
}
