import { GenerationBuilder } from "../../model/generation-builder.ts";
import type { Model, ModelEvent, ModelRequest, OutputSpec } from "../../model/types.ts";
import { sleep } from "../../base/util/sleep.ts";
import { type OfflineConversation, provider, readConversation } from "./conversation.ts";
import { decide, modelId } from "./decide.ts";
import type { OfflineDecision, PlannedCall } from "./decision.ts";
import { wordOutput } from "./output.ts";
import { notice } from "./wording.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** Settings of the offline model. */
export interface OfflineOptions {
  /** Milliseconds between the pieces of an answer, to make it look typed; 0 by default. */
  readonly delay?: number;
}

/** There are no tokens: a limit of tokens or money holds here, too. */
const nothingUsed = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

const optionNames = { delay: true } satisfies Record<keyof OfflineOptions, true>;

/**
 * A model that needs no network and no key: it chooses a tool by keywords, fills the arguments from the user's message,
 * asks for missing ones, and answers with the tool's result. The same request always gets the same answer.
 * It does not understand language, and says so in its first answer: use it for a first run, demos and tests.
 */
export function offline(options: OfflineOptions = {}): Model {
  assertKnownOptions(options, optionNames, "offline()");
  return {
    provider,
    modelId,
    supportsOutput: () => true,
    stream: (request) => answer(request, options.delay ?? 0),
  };
}

async function* answer(request: ModelRequest, delay: number): AsyncGenerator<ModelEvent> {
  const { signal } = request;
  signal?.throwIfAborted();
  const builder = new GenerationBuilder();
  const conversation = readConversation(request.messages);
  const decision = decide(request, conversation);
  for (const event of play(decision, conversation, builder, request.output)) {
    if (delay > 0) await sleep(delay, signal);
    signal?.throwIfAborted();
    yield event;
  }
  signal?.throwIfAborted();
  const response = { id: undefined, modelId, headers: {} };
  const finishReason = decision.kind === "call" ? "tool-calls" : "stop";
  yield builder.finish({ finishReason, response, usage: nothingUsed });
}

function* play(
  decision: OfflineDecision,
  conversation: OfflineConversation,
  builder: GenerationBuilder,
  output: OutputSpec | undefined,
): Iterable<ModelEvent> {
  if (decision.kind === "call") {
    for (const [index, call] of decision.calls.entries())
      yield* playCall(call, conversation.callCount + index + 1, builder);
    return;
  }
  const words = conversation.isIntroduced ? decision.text : `${decision.text}\n\n(${notice})`;
  const text = output ? wordOutput(output, conversation, words) : words;
  for (const piece of text.match(/\s*\S+/gu) ?? []) yield builder.text(piece);
  const { asking } = decision;
  if (asking) {
    const data = { asking: { toolName: asking.toolName, arguments: asking.arguments } };
    builder.endPart({ provider, data });
  }
}

/** Call ids continue the count of the calls in the history, so that every id is unique. */
function* playCall(
  { toolName, arguments: args }: PlannedCall,
  number: number,
  builder: GenerationBuilder,
): Iterable<ModelEvent> {
  const id = `offline_${number}`;
  builder.startToolCall(id, id, toolName);
  for (const piece of JSON.stringify(args).match(/[^,]+,?|,/gu) ?? []) yield builder.toolInput(id, piece);
  yield builder.endToolCall(id);
}
