import { describeValue, invalidOption, readOptions } from "../../base/options/known-options.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { freeze, frozenCopy } from "../../base/util/snapshot.ts";
import { describeHostedTool, type HostedTool, isHostedTool } from "../../model/hosted-tool.ts";

/** What the options of a hosted tool become in a request. */
export interface HostedToolSpec<Options extends object> {
  readonly provider: string;
  readonly name: string;
  /** The field of the wire for each option. */
  readonly fields: Readonly<Record<keyof Options, string>>;
}

/**
 * The options of a hosted tool under the names of the wire. What is not set is left out.
 * @throws ConfigurationError for an unknown option, and for one that is not JSON.
 */
export function hostedFields<Options extends object>(
  { provider, name, fields }: HostedToolSpec<Options>,
  options: Options,
): Readonly<Record<string, JsonValue>> {
  const place = `${provider}.tools.${name}({ ... })`;
  const values = frozenCopy(readOptions(options, fields, place));
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const names = new Map<string, string>(Object.entries(fields));
  return Object.fromEntries(
    entries.map(([option, value]): readonly [string, JsonValue] => {
      if (!isJson(value))
        throw invalidOption(`${option} of ${place} is ${describeValue(value)}. Pass what JSON can carry.`, {
          option,
        });
      return [names.get(option) ?? option, value];
    }),
  );
}

/** Creates a hosted tool. It never changes. */
export function hostedTool<Provider extends string>(
  provider: Provider,
  name: string,
  definition: JsonObject,
): HostedTool<Provider> {
  return freeze({ type: "hosted-tool", provider, name, definition });
}

/**
 * Checks the domains of a search.
 * @throws ConfigurationError for one with a scheme, which the providers refuse, and for what is not a list of texts, or an empty one.
 */
export function assertDomains(option: string, domains: unknown, place: string): void {
  if (domains === undefined) return;
  const texts: readonly unknown[] | undefined = Array.isArray(domains) ? domains : undefined;
  const wrong = texts?.find(
    (domain) => typeof domain !== "string" || domain === "" || domain.includes("://"),
  );
  if (texts && texts.length > 0 && wrong === undefined) return;
  const inList = texts?.length === 0 ? "is empty" : `has ${describeValue(wrong)}`;
  const problem = texts ? inList : `is ${describeValue(domains)}`;
  throw invalidOption(
    `${option} of ${place} ${problem}. Pass a list of domains without "https://", such as ["example.com"].`,
    { option },
  );
}

/** @throws ConfigurationError unless an option is left out, or a whole number from `least` to `most`. */
export function assertWholeNumber(
  option: string,
  value: unknown,
  {
    place,
    least = 1,
    most = Infinity,
  }: { readonly place: string; readonly least?: number; readonly most?: number },
): void {
  if (value === undefined) return;
  const isFit = typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
  if (isFit) return;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw invalidOption(`${option} of ${place} is ${describeValue(value)}. Pass a whole number ${range}.`, {
    option,
  });
}

/**
 * Checks the `providerTools` of a model.
 * @param provider - Whose tools they must be, such as `"anthropic"`.
 * @param place - The call as it is written in messages, such as `anthropic("claude-x", { ... })`.
 * @throws ConfigurationError for what is not a hosted tool, for another provider's, and for two of one name.
 */
export function assertHostedTools(tools: unknown, provider: string, place: string): void {
  if (tools === undefined) return;
  const invalid = (problem: string): Error =>
    invalidOption(`providerTools${problem}`, { option: "providerTools" });
  const example = `Pass a list of ${provider}.tools, such as [${exampleOf(provider)}].`;
  if (!Array.isArray(tools)) throw invalid(` of ${place} is ${describeValue(tools)}. ${example}`);
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (!isHostedTool(tool))
      throw invalid(
        `[${index}] of ${place} is ${describeValue(tool)}. ${example} Functions go into the agent's tools.`,
      );
    if (tool.provider !== provider)
      throw invalid(
        `[${index}] of ${place} is ${describeHostedTool(tool)}, which only ${tool.provider} executes. ${example}`,
      );
    if (names.has(tool.name))
      throw invalid(`[${index}] of ${place} is the second ${describeHostedTool(tool)}. Pass it once.`);
    names.add(tool.name);
  }
}

function exampleOf(provider: string): string {
  return `${provider}.tools.${provider === "google" ? "googleSearch" : "webSearch"}()`;
}

function isJson(value: unknown): value is JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  return Object.values(value).every((each) => each === undefined || isJson(each));
}
