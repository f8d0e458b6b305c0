import type { Model } from "../../model/types.ts";
import { anthropicTools, type AnthropicTools } from "./tools.ts";
import { strictForm } from "../../schema/strict.ts";
import { type HttpProtocol, httpModel } from "../kit/http-model.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { MessageDecoder } from "./decode.ts";
import { anthropicInfo } from "./info.ts";
import {
  type AnthropicConnection,
  type AnthropicOptions,
  assertUsable,
  connect,
  headersWith,
} from "./options.ts";
import { type BuiltRequest, buildRequest } from "./request.ts";

const protocol: HttpProtocol<AnthropicOptions, AnthropicConnection, BuiltRequest> = {
  defaultProvider: anthropicInfo.name,
  connect,
  encode: (connection, request) => {
    const built = buildRequest(request, connection);
    return built.betas.length === 0 ? built : { ...built, headers: headersWith(connection, built.betas) };
  },
  files: async (connection) => (await import("./files.ts")).anthropicFiles(connection),
  decode: ({ encoded, request, ...context }) =>
    new MessageDecoder({
      ...context,
      history: request.messages,
      names: encoded.names,
      warnings: encoded.warnings,
    }),
  supportsOutput: ({ schema }, modelId) =>
    capabilitiesOf(modelId).structuredOutput && strictForm(schema, anthropicInfo.strict).ok,
};

/** Creates models of Anthropic, and tools that Anthropic executes. */
export interface Anthropic {
  /**
   * A model of Anthropic's Messages API, or of any compatible server.
   * @param modelId - Such as `"claude-opus-5-5"`
   */
  (modelId: string, options?: AnthropicOptions): Model;
  /** Tools that Anthropic executes, for `providerTools` of a model. */
  readonly tools: AnthropicTools;
}

/**
 * A model of Anthropic's Messages API (https://platform.claude.com/docs/en/api/messages), or of any server that is compatible
 * with it. The key is read at the first request. Fields for which Skein has no setting go into `settings.providerOptions`,
 * such as `{ metadata: { user_id: "..." } }`.
 * @param modelId - Such as `"claude-opus-5-5"`
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key.
 */
// oxlint-disable-next-line no-restricted-properties -- a literal of this file, onto a function of this file
export const anthropic: Anthropic = Object.assign(
  (modelId: string, options: AnthropicOptions = {}): Model => {
    assertUsable(modelId, options);
    return httpModel(protocol, modelId, options);
  },
  { tools: anthropicTools },
);
