import type { Generation, ModelEvent, ModelRequest } from "../../model/types.ts";
import { fromAiSdk } from "./model.ts";
import type { AiSdkCallOptions, AiSdkLanguageModel, AiSdkOptions, AiSdkSpecification } from "./types.ts";

/** A language model of the AI SDK that plays parts, and records its calls. */
export interface PlayedModel extends AiSdkLanguageModel {
  readonly calls: AiSdkCallOptions[];
}

interface PlayedOptions {
  readonly version?: AiSdkSpecification;
  readonly provider?: string;
  readonly supportedUrls?: AiSdkLanguageModel["supportedUrls"];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The last part of an answer in each specification. */
export const ends: Readonly<Record<AiSdkSpecification, object>> = {
  v2: { type: "finish", finishReason: "stop", usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 } },
  v3: end("stop", "end_turn"),
  v4: end("stop", "end_turn"),
};

/** The last part of V3 and V4. */
export function end(unified: string, raw?: string): object {
  const usage = {
    inputTokens: { total: 5, cacheRead: 3, cacheWrite: 1 },
    outputTokens: { total: 2, reasoning: 1 },
  };
  return { type: "finish", finishReason: { unified, raw }, usage };
}

/** Creates a language model that answers each call with `parts`. */
export function languageModel(parts: readonly unknown[], options: PlayedOptions = {}): PlayedModel {
  const { version = "v4", provider = "maker.chat", supportedUrls = {}, headers } = options;
  const calls: AiSdkCallOptions[] = [];
  return {
    specificationVersion: version,
    provider,
    modelId: "m-1",
    supportedUrls,
    calls,
    async doStream(call) {
      calls.push(call);
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream, ...(headers && { response: { headers } }) };
    },
  };
}

/** All events of one answer. */
export async function eventsOf(
  model: AiSdkLanguageModel,
  request: Partial<ModelRequest> = {},
  options: AiSdkOptions = {},
): Promise<ModelEvent[]> {
  const messages = [{ role: "user", content: "Hello" }] as const;
  return Array.fromAsync(fromAiSdk(model, options).stream({ messages, ...request }));
}

/** The generation of one answer. */
export async function answerOf(
  model: AiSdkLanguageModel,
  request?: Partial<ModelRequest>,
  options?: AiSdkOptions,
): Promise<Generation> {
  const last = (await eventsOf(model, request, options)).at(-1);
  if (last?.type !== "finish") throw new Error("The stream has no finish event.");
  return last.generation;
}
