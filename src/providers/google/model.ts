import { strictForm } from "../../schema/strict.ts";
import type { Model } from "../../model/types.ts";
import { type HttpProtocol, httpModel } from "../kit/http-model.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { ContentDecoder } from "./decode.ts";
import { googleTools, type GoogleTools } from "./hosted-tools.ts";
import { googleInfo } from "./info.ts";
import { assertUsable, connect, type GoogleConnection, type GoogleOptions } from "./options.ts";
import { type BuiltRequest, buildRequest } from "./request.ts";

const protocol: HttpProtocol<GoogleOptions, GoogleConnection, BuiltRequest> = {
  defaultProvider: googleInfo.name,
  connect,
  encode: (connection, request) => buildRequest(request, connection),
  files: async (connection) => (await import("./files.ts")).googleFiles(connection),
  decode: (context) => new ContentDecoder(context),
  supportsOutput: ({ schema }, modelId) =>
    capabilitiesOf(modelId).structuredOutput && strictForm(schema, googleInfo.strict).ok,
};

/** Creates models of Google, and tools that Google executes. */
export interface Google {
  /**
   * A model of Google's Gemini API, or of any compatible server.
   * @param modelId - Such as `"gemini-3.8-flash"`
   */
  (modelId: string, options?: GoogleOptions): Model;
  /** Tools that Google executes, for `providerTools` of a model. */
  readonly tools: GoogleTools;
}

/**
 * A model of Google's Gemini API (https://ai.google.dev/api/generate-content), or of any server that is compatible with it. The key is
 * read at the first request. Fields for which Skein has no setting go into `settings.providerOptions`, such as
 * `{ safetySettings: [...] }` or `{ cachedContent: "cachedContents/..." }`.
 * @param modelId - Such as `"gemini-3.8-flash"`
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key.
 */
// oxlint-disable-next-line no-restricted-properties -- a literal of this file, onto a function of this file
export const google: Google = Object.assign(
  (modelId: string, options: GoogleOptions = {}): Model => {
    assertUsable(modelId, options);
    return httpModel(protocol, modelId, options);
  },
  { tools: googleTools },
);
