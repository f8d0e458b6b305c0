import { findAgent } from "../../agent/handoff.ts";
import type { AssistantMessage } from "../../message/messages.ts";
import type { Model } from "../../model/types.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** The models of answers, by their contents: copies of a message share those. Without the models that were options of a run. */
const modelsOfAnswers = new WeakMap<object, Model>();

/** Records which model gave an answer: another agent may go on with it in a run of its own. */
export function recordModel({ config, model }: ActiveRun, { content }: AssistantMessage): void {
  if (model && config.options.model === undefined) modelsOfAnswers.set(content, model);
}

/** The model that a run would call next, or its name; `undefined` where the environment has to name one. */
export function chosenModel(run: ActiveRun): Model | string | undefined {
  const { options, callersModel } = run.config;
  return options.model ?? run.agent.model ?? run.model ?? callersModel ?? earlierModel(run);
}

/** In a conversation that began in another run, the model used last: that of the agent that answered last, if it is at hand. */
function earlierModel({ config, conversation }: ActiveRun): Model | string | undefined {
  const { messages, inputLength } = conversation;
  for (let index = inputLength - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== "assistant" || message.agent === undefined) continue;
    const model = findAgent(message.agent, config.roots)?.model ?? modelsOfAnswers.get(message.content);
    if (model !== undefined) return model;
  }
  return undefined;
}
