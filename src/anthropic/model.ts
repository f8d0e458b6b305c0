import { GenerationBuilder } from "../model/generation-builder.ts";
import { parseJson, postForEvents } from "../model/http.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { usedCallIds } from "../model/wire-names.ts";
import { AnswerDecoder } from "./decode.ts";
import { type AnthropicOptions, assertUsable, connect, defaultProvider } from "./options.ts";
import { buildRequest } from "./request.ts";

/**
 * A model behind Anthropic's Messages API (https://platform.claude.com/docs/en/api/messages), or behind any server that
 * speaks it. The key is read at the first request. Fields that Skein does not name go into `settings.providerOptions`,
 * such as `{ cache_control: { type: "ephemeral" } }`, which turns prompt caching on.
 * @param modelId - Such as `"claude-opus-5-5"`
 * @throws ConfigurationError for an unknown option, an id that is none and a base URL or key that cannot be sent.
 */
export function anthropic(modelId: string, options: AnthropicOptions = {}): Model {
  assertUsable(modelId, options);
  const { provider = defaultProvider } = options;
  return { provider, modelId, stream: (request) => stream(provider, modelId, options, request) };
}

async function* stream(
  provider: string,
  modelId: string,
  options: AnthropicOptions,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void, undefined> {
  const builder = new GenerationBuilder();
  const connection = connect(modelId, options);
  const { isFirstParty } = connection;
  const { body, betas, names, warnings } = buildRequest(request, { provider, modelId, isFirstParty });
  const answer = await postForEvents({
    provider,
    modelId,
    url: connection.url,
    headers: connection.headers(betas),
    body,
    fetch: options.fetch,
    signal: request.signal,
    timeout: request.settings?.timeout,
  });
  const usedIds = usedCallIds(request.messages);
  const decoder = new AnswerDecoder({ provider, modelId, builder, names, usedIds, warnings, answer });
  if (answer.kind === "json") {
    yield* decoder.readWhole(answer.value);
  } else {
    for await (const batch of answer.events) {
      for (const { data } of batch) {
        if (decoder.isComplete) break;
        for (const event of decoder.read(parseJson(data, answer))) {
          yield event;
          request.signal?.throwIfAborted();
        }
      }
      if (decoder.isComplete) answer.ending();
    }
  }
  yield decoder.finish();
}
