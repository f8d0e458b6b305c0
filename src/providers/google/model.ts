import { strictForm } from "../../schema/strict.ts";
import type { Model } from "../../model/types.ts";
import { type HttpProtocol, httpModel } from "../kit/http-model.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { ContentDecoder } from "./decode.ts";
import { googleInfo } from "./info.ts";
import { assertUsable, connect, type GoogleConnection, type GoogleOptions } from "./options.ts";
import { type BuiltRequest, buildRequest } from "./request.ts";

const protocol: HttpProtocol<GoogleOptions, GoogleConnection, BuiltRequest> = {
  defaultProvider: googleInfo.name,
  connect,
  encode: (connection, request) => buildRequest(request, connection),
  decode: (context) => new ContentDecoder(context),
  supportsOutput: ({ schema }, modelId) =>
    capabilitiesOf(modelId).structuredOutput && strictForm(schema, googleInfo.strict).ok,
};

/**
 * A model of Google's Gemini API (https://ai.google.dev/api/generate-content), or of any server that is compatible with it. The key is
 * read at the first request. Fields for which Skein has no setting go into `settings.providerOptions`, such as
 * `{ safetySettings: [...] }`, `{ cachedContent: "cachedContents/..." }` or `{ tools: [{ googleSearch: {} }] }`.
 * @param modelId - Such as `"gemini-3.8-flash"`
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key.
 */
export function google(modelId: string, options: GoogleOptions = {}): Model {
  assertUsable(modelId, options);
  return httpModel(protocol, modelId, options);
}
