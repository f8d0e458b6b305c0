import { ConfigurationError } from "../errors.ts";
import { assertKnownOptions } from "../options/known-options.ts";
import {
  policyOptions,
  type CachePolicy,
  type RateLimit,
  type RetryPolicy,
  type ToolPolicy,
} from "./policy.ts";

const retryOptions = { times: true, delay: true, when: true } satisfies Record<keyof RetryPolicy, true>;
const rateOptions = { calls: true, per: true } satisfies Record<keyof RateLimit, true>;
const cacheOptions = {
  ttl: true,
  maxEntries: true,
  maxChars: true,
  key: true,
  scope: true,
} satisfies Record<keyof CachePolicy, true>;

/** The figures among the options, and what each counts. All are above 0. */
const figures = {
  timeout: "milliseconds",
  concurrency: "calls at once",
  limit: "calls at once",
  maxResultChars: "characters",
  calls: "calls",
  per: "milliseconds",
  ttl: "milliseconds",
  maxEntries: "results",
  maxChars: "characters",
} as const;

/**
 * The part of a tool's options that the executor enforces.
 * @throws ConfigurationError if one of them makes no sense.
 */
export function policyOf(options: ToolPolicy, place = "tool(...)"): ToolPolicy {
  const given = Object.entries(options).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(policyOptions, name),
  );
  const policy: ToolPolicy = Object.fromEntries(given);
  const { retries, concurrency, rateLimit, cache, requires, mask } = policy;
  if (typeof concurrency === "object") {
    assertKnownOptions(concurrency, { limit: true }, `concurrency of ${place}`);
    assertFigures({ ...policy, concurrency: concurrency.limit }, place);
  } else assertFigures(policy, place);
  if (typeof retries === "number" && !(retries >= 0)) throw invalid(place, "retries", retries, "0 or more");
  if (typeof retries === "object") assertKnownOptions(retries, retryOptions, `retries of ${place}`);
  if (rateLimit !== undefined) assertRateLimit(rateLimit, place);
  if (typeof cache === "object") {
    assertKnownOptions(cache, cacheOptions, `cache of ${place}`);
    assertFigures(cache, `cache of ${place}`);
  }
  assertNames(requires, "requires", place);
  if (typeof mask === "object") assertNames(mask, "mask", place);
  return policy;
}

function assertRateLimit(limit: RateLimit, place: string): void {
  const where = `rateLimit of ${place}`;
  assertKnownOptions(limit, rateOptions, where);
  for (const name of ["calls", "per"] as const) {
    if (limit[name] === undefined) throw invalid(where, name, undefined, figures[name]);
  }
  assertFigures(limit, where);
}

function assertFigures(options: object, place: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (!isFigure(name) || value === undefined || (typeof value === "number" && value > 0)) continue;
    throw invalid(place, name, value, `${figures[name]} above 0, or Infinity for no limit`);
  }
}

function isFigure(name: string): name is keyof typeof figures {
  return Object.hasOwn(figures, name);
}

function assertNames(names: readonly string[] | undefined, option: string, place: string): void {
  if (names === undefined) return;
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return;
  throw invalid(place, option, names, "a list of names");
}

function invalid(place: string, option: string, value: unknown, fix: string): ConfigurationError {
  return new ConfigurationError(`${option} of ${place} is ${String(value)}: give ${fix}.`, {
    code: "invalid-tool",
    data: { option },
  });
}
