import type { JsonObject } from "../base/util/json.ts";
import { isObject } from "../base/util/json.ts";

/**
 * A tool that a provider executes itself, such as a search of the web. It is an entry of `providerTools` of a model:
 * `anthropic("...", { providerTools: [anthropic.tools.webSearch()] })`.
 */
export interface HostedTool<Provider extends string = string> {
  readonly type: "hosted-tool";
  /** The provider that executes it, such as `"anthropic"`. */
  readonly provider: Provider;
  /** How it is written, such as `"webSearch"` for `anthropic.tools.webSearch()`. */
  readonly name: string;
  /** What a request has for it, in the provider's own form. */
  readonly definition: JsonObject;
}

/** Whether a value is a tool that a provider executes. */
export function isHostedTool(value: unknown): value is HostedTool {
  if (!isObject(value) || value["type"] !== "hosted-tool") return false;
  return (
    typeof value["provider"] === "string" &&
    typeof value["name"] === "string" &&
    isObject(value["definition"])
  );
}

/** A tool that a provider executes, as errors name it: `anthropic.tools.webSearch()`. */
export function describeHostedTool({ provider, name }: HostedTool): string {
  return `${provider}.tools.${name}()`;
}
