import { ConfigurationError, MalformedResponseError } from "../../errors.ts";
import { AnswerMeter, answerTooLong } from "../../model/answer-limit.ts";
import { GenerationBuilder } from "../../model/generation-builder.ts";
import { requestIdOf } from "../../model/http-errors.ts";
import { markSelfTimed } from "../../model/model-events.ts";
import { assertRealModelAllowed } from "../../model/real-models.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { Watch } from "../../model/watch.ts";
import { callIdsOf } from "../../message/repair-history.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";
import { type Call, callOf, supportsSchema } from "./call.ts";
import { sizeOf } from "./size-of.ts";
import { StreamDecoder } from "./decode.ts";
import { aiSdkError } from "./errors.ts";
import { isJsonObject, objectIn, stringIn } from "../kit/json-values.ts";
import { supportsSchemas } from "./structured-output.ts";
import type { AiSdkLanguageModel, AiSdkOptions, AiSdkStreamResult } from "./types.ts";

const knownOptions = {
  filesInResults: true,
  providerTools: true,
  structuredOutput: true,
} as const satisfies Record<keyof AiSdkOptions, true>;

/**
 * Turns a language model of the AI SDK (https://ai-sdk.dev/providers), of specification V2, V3 or V4, into a `Model`. Its key,
 * URL and headers are configured in the AI SDK. `provider` is `ai-sdk/` and the language model's, such as
 * `"ai-sdk/openai.responses"`; `settings.providerOptions` are the AI SDK's, grouped by provider.
 * @param languageModel - A model of a provider package, such as `google("gemini-3-pro")` of `@ai-sdk/google`
 * @throws ConfigurationError for anything but a language model of these specifications, and for an unknown option.
 */
export function fromAiSdk(languageModel: AiSdkLanguageModel, options: AiSdkOptions = {}): Model {
  assertLanguageModel(languageModel);
  assertKnownOptions(options, knownOptions, "fromAiSdk(model, { ... })");
  const provider = `ai-sdk/${languageModel.provider}`;
  const { modelId } = languageModel;
  const answer = new Exchange(languageModel, { ...options, provider });
  const supportsOutput: Model["supportsOutput"] = (output) =>
    (options.structuredOutput ?? supportsSchemas(languageModel)) && supportsSchema(languageModel, output);
  return { provider, modelId, supportsOutput, stream: markSelfTimed((request) => answer.events(request)) };
}

const versions: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"]);

function assertLanguageModel(value: unknown): void {
  const version = isJsonObject(value) ? value["specificationVersion"] : undefined;
  if (versions.has(version)) return;
  const problem =
    version === undefined
      ? "The model of fromAiSdk() is not a language model of the AI SDK."
      : `The model of fromAiSdk() has the specification ${JSON.stringify(version)}. Expected "v2", "v3" or "v4".`;
  throw new ConfigurationError(
    `${problem} Pass a model of a provider package, such as openai("gpt-5.2") of @ai-sdk/openai.`,
    { code: "invalid-model", data: {} },
  );
}

type ExchangeOptions = AiSdkOptions & { readonly provider: string };
type Reader = ReturnType<AiSdkStreamResult["stream"]["getReader"]>;

/** What the parts of one answer are read with. */
interface Reading {
  readonly reader: Reader;
  readonly decoder: StreamDecoder;
  readonly watch: Watch;
  readonly builder: GenerationBuilder;
}

/** Sends requests to one language model. */
class Exchange {
  readonly #model: AiSdkLanguageModel;
  readonly #options: ExchangeOptions;

  constructor(model: AiSdkLanguageModel, options: ExchangeOptions) {
    this.#model = model;
    this.#options = options;
  }

  /** The events of one answer. Leaving early ends the exchange. */
  async *events(request: ModelRequest): AsyncGenerator<ModelEvent, void> {
    const { signal } = request;
    const timeout = request.settings?.timeout ?? 300_000;
    signal?.throwIfAborted();
    assertAllowed(this.#model, this.#options.provider);
    const watch = new Watch(signal, timeout, this.#names());
    let headers: Readonly<Record<string, string>> = {};
    let reader: Reader | undefined;
    try {
      const builder = new GenerationBuilder(this.#names());
      watch.begin();
      const call = await guarded(watch, () => callOf(request, this.#model, this.#options));
      const ask = async (): Promise<AiSdkStreamResult> =>
        this.#model.doStream({ ...call.options, abortSignal: watch.signal });
      const result = await guarded(watch, ask, ({ stream }) => stream.getReader().cancel());
      watch.restart();
      headers = result.response?.headers ?? {};
      reader = result.stream.getReader();
      const decoder = this.#decoder(request, call, builder, headers);
      for await (const event of this.#read({ reader, decoder, watch, builder })) {
        signal?.throwIfAborted();
        yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      watch.signal.throwIfAborted();
      throw aiSdkError(error, { ...this.#names(), headers });
    } finally {
      watch.end();
      // Not awaited: it may wait for a server that has stopped responding.
      reader?.cancel().catch(() => {});
    }
  }

  async *#read({ reader, decoder, watch, builder }: Reading): AsyncGenerator<ModelEvent, void> {
    const events: ModelEvent[] = [];
    const meter = new AnswerMeter();
    for (;;) {
      watch.begin();
      const { done, value } = await nextPart(reader, decoder, watch);
      watch.pause();
      if (done) break;
      if (decoder.isComplete) {
        decoder.pushLate(value);
        continue;
      }
      const sizeBefore = builder.size;
      decoder.push(value, events);
      if (builder.size > sizeBefore) watch.restart();
      if (!meter.accepts(sizeOf(value), events.length > 0)) throw answerTooLong(this.#names());
      // The answer is complete. Wait at most a second for the end of the stream, which frees the connection.
      if (decoder.isComplete) watch.expectEnd(1000);
      yield* events.splice(0);
    }
    yield decoder.end();
  }

  #decoder(
    request: ModelRequest,
    { names, warnings }: Call,
    builder: GenerationBuilder,
    headers: Readonly<Record<string, string>>,
  ): StreamDecoder {
    const { provider, modelId } = this.#names();
    const requestId = requestIdOf(headers);
    return new StreamDecoder({
      provider,
      modelId,
      version: this.#model.specificationVersion,
      builder,
      names,
      usedIds: callIdsOf(request.messages),
      warnings,
      headers,
      failure: (error) => aiSdkError(error, { provider, modelId, headers }),
      malformed: (what, isRetryable) =>
        new MalformedResponseError(`${provider}:${modelId} ${what}`, {
          provider,
          modelId,
          requestId,
          isRetryable,
        }),
    });
  }

  #names(): { readonly provider: string; readonly modelId: string } {
    return { provider: this.#options.provider, modelId: this.#model.modelId };
  }
}

/** Waits for a result as long as the watch allows. A result that comes too late goes to `discard`. */
async function guarded<T>(
  watch: Watch,
  ask: () => Promise<T>,
  discard: (late: T) => unknown = () => {},
): Promise<T> {
  watch.signal.throwIfAborted();
  return watch.race(ask(), discard);
}

const over = { done: true, value: undefined } as const;

async function nextPart(reader: Reader, decoder: StreamDecoder, watch: Watch): ReturnType<Reader["read"]> {
  try {
    return await guarded(watch, () => reader.read());
  } catch (error) {
    // After a complete answer, it does not matter how the connection ends.
    if (decoder.isComplete) return over;
    throw error;
  }
}

/** The AI SDK does not reveal where a request goes, but most packages store the URL in their configuration. */
function assertAllowed(model: AiSdkLanguageModel, provider: string): void {
  const config = isJsonObject(model) ? objectIn(model, "config") : undefined;
  const baseURL = stringIn(config, "baseURL") ?? "";
  const url = URL.canParse(baseURL) ? baseURL : "https://a-provider-of-the-ai-sdk";
  assertRealModelAllowed(provider, model.modelId, url);
}
