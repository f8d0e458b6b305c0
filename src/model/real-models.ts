import { ConfigurationError } from "../errors.ts";
import { type Fetch, isOfflineFetch } from "./wire-seam.ts";

let blocked = false;

/** Forbids or allows requests to model providers that are not on this machine. For tests; see `skein/testing`. */
export function setRealModelsBlocked(value: boolean): void {
  blocked = value;
}

/**
 * Called by every adapter before it sends a request, with the `fetch` of its options.
 * @throws ConfigurationError (`real-model-blocked`) if real models are blocked and `url` is not on this machine.
 */
export function assertRealModelAllowed(provider: string, modelId: string, url: string, fetch?: Fetch): void {
  if (!blocked || isOfflineFetch(fetch) || isLoopback(new URL(url).hostname)) return;
  throw new ConfigurationError(
    `blockRealModels() is in force, and ${provider}:${modelId} would have sent a request to ${new URL(url).host}. ` +
      "Give the run a ScriptedModel or FunctionModel, or call the function that blockRealModels() returned.",
    { code: "real-model-blocked", data: { provider, modelId } },
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
