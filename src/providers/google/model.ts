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
 * A model behind Google's Gemini API (https://ai.google.dev/api/generate-content), or behind any server that speaks it. The key is
 * read at the first request. Fields that Skein does not name go into `settings.providerOptions`, such as
 * `{ safetySettings: [...] }`, `{ cachedContent: "cachedContents/..." }` or `{ tools: [{ googleSearch: {} }] }`.
 * @param modelId - Such as `"gemini-3.8-flash"`
 * @throws ConfigurationError for an unknown option, an invalid id, and a base URL or key that cannot be sent.
 */
export function google(modelId: string, options: GoogleOptions = {}): Model {
  assertUsable(modelId, options);
  return httpModel(protocol, modelId, options);
}
