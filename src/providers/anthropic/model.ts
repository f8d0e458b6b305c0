import { callIdsOf } from "../../message/repair-history.ts";
import { answerStream, type OpenAnswer } from "../../model/answer-stream.ts";
import { GenerationBuilder } from "../../model/generation-builder.ts";
import { postForEvents } from "../../model/http.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { withWireSeam } from "../../model/wire-seam.ts";
import { strictForm } from "../../schema/strict.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { MessageDecoder } from "./decode.ts";
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
  const stream: Model["stream"] = (request) =>
    answerStream(() => open(provider, modelId, options, request), request.signal);
  const takesOutput: Model["takesOutput"] = ({ schema }) =>
    capabilitiesOf(modelId).structuredOutput && strictForm(schema, "anthropic").ok;
  return withWireSeam({ provider, modelId, takesOutput, stream }, (wrap) =>
    anthropic(modelId, { ...options, fetch: wrap(options.fetch ?? globalThis.fetch) }),
  );
}

/** Sends a request; the ids of its history are gathered while that is on its way. */
async function open(
  provider: string,
  modelId: string,
  options: AnthropicOptions,
  request: ModelRequest,
): Promise<OpenAnswer> {
  const builder = new GenerationBuilder();
  const connection = connect(modelId, options);
  const { isFirstParty } = connection;
  const { body, betas, names, warnings } = buildRequest(request, { provider, modelId, isFirstParty });
  const posted = postForEvents({
    provider,
    modelId,
    url: connection.url,
    headers: connection.headers(betas),
    body,
    fetch: options.fetch,
    signal: request.signal,
    timeout: request.settings?.timeout,
  });
  const usedIds = callIdsOf(request.messages);
  const answer = await posted;
  const decoder = new MessageDecoder({ provider, modelId, builder, names, usedIds, warnings, answer });
  return { answer, decoder };
}
