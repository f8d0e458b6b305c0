import { addUsage } from "../../message/usage.ts";
import type { Generation, ModelEvent, ModelRequest } from "../../model/types.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { limitReached } from "../turn/limit-reached.ts";

/**
 * The events of one whole answer. Where its provider pauses in the middle, the model is asked for the rest, as often as the limits of the
 * run permit turns: what they end is unfinished.
 * @param ask - Asks the model.
 */
export async function* wholeAnswer(
  run: ActiveRun,
  request: ModelRequest,
  ask: (request: ModelRequest) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  let answer: Generation | undefined;
  for (;;) {
    const messages = answer
      ? [...request.messages, { ...answer.message, shouldContinue: true as const }]
      : request.messages;
    let part: Generation | undefined;
    for await (const event of ask({ ...request, messages })) {
      if (event.type === "finish") part = event.generation;
      else yield event;
    }
    if (!part) return;
    answer = answer ? joined(answer, part) : part;
    const isPart = part.shouldContinue && part.message.toolCalls.length === 0;
    if (!isPart || limitReached(run)) break;
    run.furtherParts++;
  }
  yield { type: "finish", generation: answer };
}

/** Two parts of an answer as one: how it ended says the second. */
function joined(first: Generation, second: Generation): Generation {
  const logprobs = [...(first.logprobs ?? []), ...(second.logprobs ?? [])];
  return {
    ...second,
    text: first.text + second.text,
    message: { ...second.message, content: [...first.message.content, ...second.message.content] },
    usage: addUsage(first.usage, second.usage),
    ...(logprobs.length > 0 && { logprobs }),
    timing: {
      ...second.timing,
      firstTokenMs: first.timing.firstTokenMs ?? second.timing.firstTokenMs,
      totalMs: first.timing.totalMs + second.timing.totalMs,
    },
    warnings: [...new Set([...first.warnings, ...second.warnings])],
  };
}
