import { fingerprint } from "../../base/util/fingerprint.ts";
import { memoize } from "../../base/util/memoize.ts";
import type { Message } from "../../message/messages.ts";
import type { ModelRequest } from "../../model/types.ts";
import { openaiInfo } from "./info.ts";
import type { Connection } from "./options.ts";

/**
 * The fields of a request that control the cache, as far as both APIs have them
 * (https://developers.openai.com/api/docs/guides/prompt-caching).
 */
export interface CacheFields {
  readonly prompt_cache_key?: string;
  readonly prompt_cache_retention?: "24h";
  readonly prompt_cache_options?: { readonly mode: "explicit" };
}

/** OpenAI's own host. Azure, which serves the same protocols, does not have all of the fields. */
const ownHost = /(?:^|\.)openai\.com$/;

/** The models that keep prompts for a day on request: those that the guide lists. */
const keepsForDay =
  /^gpt-(?:4\.1|5|5-codex|5\.[1-5](?:-(?:pro|chat|chat-latest|codex|codex-mini|codex-max))?)(?:-\d{4}-\d\d-\d\d)?$/;

/** GPT-5.6 and later, which look prompts up at the ends of earlier ones, and charge for what they write to the cache. */
const hasBreakpoints = /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d)(?![\da-z])/;

/**
 * The fields that `settings.cache` requests. OpenAI caches by itself. The key leads the requests of a conversation to the same
 * servers, so that it is sent by itself only to models that could not read the prompts of other conversations anyway. Compatible
 * servers may refuse the fields: they are sent there only for an explicit lifetime.
 * @param hour - The fields with which the API keeps the prompts of GPT-5.6 and later for an hour or longer, if it does.
 */
export function cacheFields<Hour extends object = never>(
  { modelId, host, providerTools = [] }: Connection,
  { settings = {}, tools = [], messages }: ModelRequest,
  warnings: string[],
  hour?: Hour,
): CacheFields | (Omit<CacheFields, "prompt_cache_options"> & Hour) {
  const { cache = "auto", providerOptions = {} } = settings;
  const isPaid = ownHost.test(host) && hasBreakpoints.test(modelId);
  // Without a breakpoint of the caller's, this mode caches nothing. Earlier models cache for free, and always.
  if (cache === false) return isPaid ? { prompt_cache_options: { mode: "explicit" } } : {};
  if (cache === "auto" && (!isPaid || tools.length + providerTools.length === 0)) return {};
  const first = messages.find(({ role }) => role !== "system");
  const key = first ? { prompt_cache_key: keyOf(first) } : {};
  if (cache !== "1h" || setsLifetime(providerOptions)) return key;
  if (isPaid && hour) return { ...key, ...hour };
  if (openaiInfo.ownHost.test(host) && keepsForDay.test(modelId))
    return { ...key, prompt_cache_retention: "24h" };
  const hint = isPaid ? " in Chat Completions. Use openai.responses" : "";
  warnings.push(
    `settings.cache is sent without its hour: ${modelId} of ${host} has no such lifetime${hint}.`,
  );
  return key;
}

function setsLifetime(options: object): boolean {
  return Object.hasOwn(options, "prompt_cache_options") || Object.hasOwn(options, "prompt_cache_retention");
}

/** The same for all requests of a conversation. Other instructions and tools need no other key: OpenAI tells these apart by itself. */
const keyOf = /* @__PURE__ */ memoize(
  (first: Message): string =>
    `skein-${fingerprint(JSON.stringify(first.role === "tool" ? first.result.content : first.content))}`,
);
