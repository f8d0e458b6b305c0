import { describeArgument, invalidOption } from "../base/options/known-options.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import { InvalidInputError } from "../errors.ts";
import { assertModel, assertSettings } from "../model/check-settings.ts";
import { streamModel } from "../model/stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { unlessAborted } from "../base/util/unless-aborted.ts";
import { assertOutput } from "../tool/output.ts";
import { resolveTools } from "../tool/register-tools.ts";
import { loadGeneratedOutput } from "./features.ts";
import type { GenerateRequest } from "./types.ts";
import { inputMessages } from "./resume/input.ts";
import { watchedAnswer } from "./steps/answer-watch.ts";
import { modelNamed } from "./turn/named-model.ts";

/**
 * Asks a model once, as `generate` and `generateStream` do.
 * @param caller - The one that was called, for errors.
 */
export async function* streamAnswer(
  model: Model | string,
  request: string | GenerateRequest,
  caller: string,
): AsyncGenerator<ModelEvent, void> {
  if ((model ?? undefined) === undefined || isPromiseLike(model))
    throw invalidOption(
      `The first argument of ${caller} must be a model or its name, not ${describeArgument(model)}.`,
      { option: "model" },
    );
  assertModel(model, caller);
  const chosen = typeof model === "string" ? await modelNamed(model) : model;
  const { output, ...rest } = typeof request === "string" ? { messages: request } : (request ?? {});
  if (rest.messages === undefined)
    throw new InvalidInputError(`${caller} requires messages. Pass { messages: "Hello" }.`);
  assertOutput(output, caller);
  const plain = await toModelRequest(rest, caller);
  const streamWithOutput = output && (await loadGeneratedOutput()).streamWithOutput;
  yield* watchedAnswer(chosen, plain, (watched) =>
    untilAborted(
      streamWithOutput ? streamWithOutput(chosen, watched, output) : streamModel(chosen, watched),
      watched.signal,
    ),
  );
}

/**
 * The same events, until the signal is aborted: a model of a program's own may ignore it.
 * @throws the signal's reason
 */
async function* untilAborted(
  events: AsyncGenerator<ModelEvent, void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent, void> {
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await unlessAborted(events.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const ended = events.return();
    // A model that ignores its signal may never end.
    if (signal?.aborted) ended.catch(() => {});
    else await ended;
  }
}

async function toModelRequest(
  { messages, tools, ...rest }: Omit<GenerateRequest, "output">,
  caller: string,
): Promise<ModelRequest> {
  assertSettings(rest.settings, caller);
  const toolTable = tools && (await resolveTools(tools));
  return { ...rest, messages: inputMessages(messages), ...(toolTable && { tools: toolTable.specs }) };
}
