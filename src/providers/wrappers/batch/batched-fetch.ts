import { ConfigurationError } from "../../../errors.ts";
import type { ModelRequest } from "../../../model/types.ts";
import type { Fetch } from "../../../model/wire-seam.ts";
import { asObject } from "../../kit/json-values.ts";
import { anthropicBatches } from "./anthropic-batches.ts";
import { BatchHttp, BatchRefusal } from "./batch-http.ts";
import { BatchedRequest, type BatchScope, type Fate } from "./batched-request.ts";
import { openaiBatches } from "./openai-batches.ts";
import type { BatchApi } from "./types.ts";

/**
 * A `fetch` that answers a model's request from a batch: as if the answer had come by itself, without streaming.
 * @param fate - Has why it failed, afterwards.
 */
export function batchedFetch(
  scope: BatchScope,
  { later, signal }: ModelRequest,
  fetch: Fetch,
  fate: Fate,
): Fetch {
  return async (input, init) => {
    // A file that the request refers to: only bytes are sent as such.
    if (init?.body instanceof Uint8Array) return fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    const {
      stream: _,
      stream_options: _options,
      ...body
    } = asObject(JSON.parse(typeof init?.body === "string" ? init.body : "{}"));
    try {
      const key = JSON.stringify([url.href, ...headers]);
      const request = { api: apiAt(scope, url, headers, fetch), key, body, later, signal };
      return await new BatchedRequest(scope, request, fate).answer();
    } catch (error) {
      fate.failure = error instanceof BatchRefusal ? error.toError(scope.model) : error;
      throw fate.failure;
    }
  };
}

/**
 * The batch API beside the address of a model's requests.
 * @throws ConfigurationError for an API without one.
 */
export function apiAt({ model }: BatchScope, url: URL, headers: Headers, fetch: Fetch): BatchApi {
  const address = `${url.origin}${url.pathname}`;
  if (address.endsWith("/v1/messages")) return anthropicBatches(new BatchHttp(address, headers, fetch));
  const path = ["/chat/completions", "/responses"].find((each) => address.endsWith(each));
  if (path !== undefined)
    return openaiBatches(new BatchHttp(address.slice(0, -path.length), headers, fetch), path);
  throw new ConfigurationError(
    `batched() does not know the batch API of ${model.provider}:${model.modelId}. It takes models of anthropic() and openai().`,
    { code: "invalid-option", data: { option: "model" } },
  );
}
