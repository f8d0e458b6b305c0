import { ConfigurationError } from "../errors.ts";
import { assertKnownOptions } from "../base/options/known-options.ts";
import { memoize } from "../base/util/memoize.ts";
import { frozenCopy } from "../base/util/snapshot.ts";
import type { CachePolicy, ConcurrencyLimit, RateLimit, RetryPolicy, ToolPolicy } from "./policy.ts";
import type { FunctionTool, Tool, ToolAnnotations, ToolUi } from "./types.ts";
import { isUiAddress } from "./ui.ts";

/** What an option takes. */
interface Kind {
  readonly words: string;
  readonly accepts: (value: unknown) => boolean;
  /** Where an object is taken, too: what each of its own options takes. */
  readonly parts?: Kinds;
  readonly isRequired?: true;
}

type Kinds = Readonly<Record<string, Kind>>;

const count: Kind = {
  words: "a whole number above 0, or Infinity for no limit",
  accepts: (value) => value === Infinity || (Number.isInteger(value) && Number(value) > 0),
};
const duration: Kind = {
  words: "milliseconds above 0, or Infinity for no limit",
  accepts: (value) => typeof value === "number" && value > 0,
};
const amount: Kind = { words: "0 or more", accepts: (value) => typeof value === "number" && value >= 0 };
const flag: Kind = { words: "true or false", accepts: (value) => typeof value === "boolean" };
const text: Kind = { words: "a text", accepts: (value) => typeof value === "string" };
const callback: Kind = { words: "a function", accepts: (value) => typeof value === "function" };
const names: Kind = {
  words: "a list of names",
  accepts: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};

// Marked, so that bundlers leave the table out for those who do not use it.
/* @__NO_SIDE_EFFECTS__ */
const either = (one: Kind, other: Kind): Kind => ({
  words: `${one.words}, or ${other.words}`,
  accepts: (value) => one.accepts(value) || other.accepts(value),
});
/* @__NO_SIDE_EFFECTS__ */
const withParts = ({ words, accepts }: Kind, parts: Kinds): Kind => ({
  words: `${words}, or { ${Object.keys(parts).join(", ")} }`,
  accepts,
  parts,
});
/* @__NO_SIDE_EFFECTS__ */
const required = (kind: Kind): Kind => ({ ...kind, isRequired: true });

/** Every option of a policy, and what it takes. */
export const policyKinds: Readonly<Record<keyof ToolPolicy, Kind>> = {
  timeout: duration,
  strict: flag,
  retries: withParts(amount, {
    times: amount,
    delay: either(amount, callback),
    when: callback,
  } satisfies Record<keyof RetryPolicy, Kind>),
  concurrency: withParts(count, {
    limit: required(count),
  } satisfies Record<keyof ConcurrencyLimit, Kind>),
  serialize: either(flag, callback),
  maxCalls: count,
  rateLimit: {
    words: "{ calls, per }",
    accepts: () => false,
    parts: {
      calls: required(count),
      per: {
        words: "milliseconds above 0",
        accepts: (value) => duration.accepts(value) && value !== Infinity,
        isRequired: true,
      },
    } satisfies Record<keyof RateLimit, Kind>,
  },
  cache: withParts(flag, {
    ttl: duration,
    maxEntries: count,
    maxChars: count,
    key: callback,
    scope: { words: '"run" or "shared"', accepts: (value) => value === "run" || value === "shared" },
  } satisfies Record<keyof CachePolicy, Kind>),
  approval: either(flag, callback),
  interrupted: {
    words: '"repeat", "ask" or "tell"',
    accepts: (value) => value === "repeat" || value === "ask" || value === "tell",
  },
  allow: callback,
  callers: {
    words: '"all" or "tools"',
    accepts: (value) => value === "all" || value === "tools",
  },
  requires: names,
  maxResultChars: count,
  mask: either(flag, names),
  final: flag,
  validateOutput: flag,
};

/** Every option that describes a tool, and what it takes. */
const annotationKinds: Readonly<Record<keyof ToolAnnotations | "description", Kind>> = {
  description: text,
  title: text,
  namespace: text,
  tags: names,
  version: text,
  deprecated: withParts(either(flag, text), { use: required(text) }),
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
  ui: {
    words: '{ resourceUri: "ui://..." }',
    accepts: () => false,
    parts: {
      resourceUri: {
        words: "an address that begins with ui:// and has at most 1,000 characters without spaces",
        accepts: isUiAddress,
        isRequired: true,
      },
      server: text,
    } satisfies Record<Exclude<keyof ToolUi, "serverId">, Kind>,
  },
};

/** @throws ConfigurationError (`invalid-tool`) if an option that describes a tool makes no sense. */
export function assertAnnotations(options: ToolAnnotations, place: string): void {
  assertKinds(new Map(Object.entries(options)), annotationKinds, place);
}

/**
 * The part of a tool's options that the executor enforces.
 * @throws ConfigurationError if one of them makes no sense.
 */
export function policyOf(options: ToolPolicy<never, never>, place = "tool(...)"): ToolPolicy<never, never> {
  // A getter is read once: what was checked is what holds.
  const own = Object.entries(options).filter(([name]) => Object.hasOwn(policyKinds, name));
  assertGuards(own, place);
  const entries = own.filter(([, value]) => value !== undefined);
  assertKinds(new Map(entries), policyKinds, place);
  const policy: ToolPolicy<never, never> = Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "object" ? frozenPart(value) : value]),
  );
  checked.add(policy);
  return Object.freeze(policy);
}

/** Options that are objects, copied once each: a limit is shared by the tools that have the same one. */
const frozenPart = memoize((part: object) => (Object.isFrozen(part) ? part : frozenCopy(part)));

/** Policies without a mistake. */
const checked = new WeakSet<ToolPolicy<never, never>>();

/**
 * Checks the policy of a complete tool, which any program may have written.
 * @throws ConfigurationError if one of its options makes no sense, or would be ignored.
 */
export function assertPolicy({ name, policy }: Pick<Tool | FunctionTool, "name" | "policy">): void {
  if (checked.has(policy)) return;
  const place = name === undefined ? "the policy of a tool" : `the policy of the tool ${name}`;
  assertKnownOptions(policy, policyKinds, place);
  policyOf(policy, place);
  for (const part of Object.values(policy)) Object.freeze(part);
  checked.add(Object.freeze(policy));
}

/** What to write for no guard at all. */
const openGuards: ReadonlyMap<string, string> = new Map([
  ["approval", "approval: false"],
  ["allow", "allow: () => true"],
]);

/** A guard that is there but undefined, such as `approval: config.aproval`, was meant to guard. */
function assertGuards(options: readonly (readonly [string, unknown])[], place: string): void {
  for (const [name, value] of options) {
    const open = openGuards.get(name);
    if (value !== undefined || open === undefined) continue;
    throw new ConfigurationError(
      `${name} of ${place} is undefined, which would let every call through. Leave it out, or write ${open}.`,
      { code: "invalid-tool", data: { option: name } },
    );
  }
}

function assertKinds(options: ReadonlyMap<string, unknown>, kinds: Kinds, place: string): void {
  for (const [name, { words, accepts, parts, isRequired }] of Object.entries(kinds)) {
    const value = options.get(name);
    if (accepts(value) || (value === undefined && !isRequired)) continue;
    if (!parts || typeof value !== "object" || value === null) {
      throw new ConfigurationError(`${name} of ${place} must be ${words}, not ${String(value)}.`, {
        code: "invalid-tool",
        data: { option: name },
      });
    }
    const where = `${name} of ${place}`;
    assertKnownOptions(value, parts, where);
    assertKinds(new Map(Object.entries(value)), parts, where);
  }
}
