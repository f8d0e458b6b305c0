import { ConfigurationError } from "../../errors.ts";
import type { ToolCall, ToolOutcome, ToolResult } from "../../message/messages.ts";
import type { CachePolicy, PolicyContext, ToolPolicy } from "../../tool/policy.ts";
import type { Tool } from "../../tool/types.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { wholeValueOf } from "../finalize.ts";
import { canonicalJson } from "../../base/util/canonical-json.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { Lru } from "../../base/util/lru.ts";
import { plainCopy } from "../../base/util/plain-copy.ts";
import { unlessAborted } from "../../base/util/unless-aborted.ts";
import type { CallOutcome, ExecutionScope, Perform, Policy, ReadyCall, SettledCall } from "../types.ts";
import { argumentGuard, policyScope } from "./guard-arguments.ts";
import { Invalidations, type Dated } from "./invalidations.ts";
import { keyFrom } from "./key-from.ts";
import { reportFailure } from "./reported-failure.ts";
import { sharedBy } from "./shared-by.ts";

/** What equal calls have in common of their results. Every call gets a copy. */
type Shared = Omit<ToolResult, "toolCallId" | "toolName" | "succeeded">;

/** What calls get of an equal one. */
interface SharedResult {
  readonly shared: Shared;
  readonly error?: unknown;
  /** What the tool returned, where the result does not have all of that. */
  readonly whole?: JsonValue | undefined;
  /** What the tool returned for the page that shows its calls. */
  readonly meta?: JsonObject | undefined;
}

interface CacheEntry extends Dated, Omit<SharedResult, "error"> {
  /** By the clock of `performance.now()`. */
  readonly expires: number;
}

/** A call under way, which equal ones wait for. Never rejects. */
interface InFlight extends Dated {
  readonly toolCallId: string;
  /** What tells its run from others. */
  readonly run: ExecutionScope["memory"];
  readonly sharedOutcome: Promise<SharedOutcome>;
}

/** What calls that wait for an equal one get from it. */
type SharedOutcome =
  | ({ readonly for: "all"; readonly chars: number } & SharedResult)
  /** The call used its own run: every caller makes its call itself. */
  | { readonly for: "itself" }
  /** It waits for calls within it: the others of its run wait as well. */
  | { readonly for: "later" }
  /** It was cancelled: one of the others makes the call, and the rest wait for that. */
  | { readonly for: "nobody" };

/** What one run, or all runs, remember of a tool. */
class Memory {
  readonly results: Lru<CacheEntry>;
  readonly inFlight = new Map<string, InFlight>();

  constructor({ maxEntries = 1_000, maxChars = 10_000_000 }: CachePolicy<never, never>) {
    this.results = new Lru(maxEntries, maxChars);
  }
}

/** What went wrong for one has gone wrong for all who wait for it. */
const failures: ReadonlySet<ToolOutcome> = new Set(["error", "timeout"]);

const invalidationsOf = sharedBy("cache", () => new Invalidations());
const sharedMemoryOf = sharedBy("cache", (policy) => new Memory(cachePolicy(policy)));

/**
 * Answers a call with the result of an equal one that is remembered or under way. Remembered are successes that ask nothing of
 * the run: no handoff, no change of the context, no end.
 */
export const cache: Policy = (next, tool) => {
  const policy = cachePolicy(tool.policy);
  const invalidations = invalidationsOf(tool);
  // A policy may serve several tools.
  const prefix = JSON.stringify(tool.name);
  const guarded = argumentGuard(tool, "cache.key");
  const scopeOf = (scope: PolicyContext): PolicyContext => policyScope(tool.name, "cache.key", scope);
  return async (ready) => {
    const memory = policy.scope === "shared" ? sharedMemoryOf(tool) : runMemory(ready, tool, policy);
    const args = argumentsOf(ready, policy);
    const key = prefix + keyOf(ready, policy, { guarded, scopeOf }, args);
    for (;;) {
      const entry = memory.results.get(key);
      if (entry && entry.expires > performance.now() && !invalidations.reach(entry))
        return hit(ready.call, entry);
      const ongoing = memory.inFlight.get(key);
      if (!ongoing || invalidations.reach(ongoing)) {
        const dated = { args, since: invalidations.count };
        return lead(next, ready, { memory, invalidations, key, dated, ttl: policy.ttl });
      }
      const sharedOutcome = await unlessAborted(ongoing.sharedOutcome, ready.scope.signal);
      if (sharedOutcome.for === "all") return hit(ready.call, sharedOutcome);
      if (sharedOutcome.for === "itself") return next(ready);
      const isOfRun = sharedOutcome.for === "later" && ongoing.run === ready.scope.memory;
      if (isOfRun)
        return ongoing.toolCallId === ready.call.toolCallId ? next(ready) : shareLater(ready, ongoing);
      if (sharedOutcome.for === "later" && memory.inFlight.get(key) === ongoing) memory.inFlight.delete(key);
    }
  };
};

/**
 * Forgets results of a tool, wherever they are kept.
 * @throws ConfigurationError if it has no cache.
 */
export function forgetResults(tool: Pick<Tool, "policy">, args?: Readonly<Record<string, unknown>>): void {
  if (!tool.policy?.cache) {
    throw new ConfigurationError(
      "invalidate() takes a tool with a cache, as tool(fn, { cache: true }) gives it.",
      { code: "invalid-tool" },
    );
  }
  invalidationsOf(tool).add(args);
}

function cachePolicy({ cache = false }: ToolPolicy<never, never>): CachePolicy<never, never> {
  return typeof cache === "object" ? cache : {};
}

function runMemory({ scope }: ReadyCall, tool: Tool, policy: CachePolicy<never, never>): Memory {
  // One object a tool, and nobody else's key.
  const place = invalidationsOf(tool);
  const existing = scope.memory.get(place);
  if (existing instanceof Memory) return existing;
  const memory = new Memory(policy);
  scope.memory.set(place, memory);
  return memory;
}

/** The arguments as canonical JSON; `undefined` if they have none, which a key of the program's own makes up for. */
function argumentsOf({ input, tool }: ReadyCall, { key }: CachePolicy<never, never>): string | undefined {
  let problem: string;
  try {
    return canonicalJson(input);
  } catch (error) {
    problem = safeMessage(error);
  }
  if (key) return undefined;
  // Without a cause: it is the author of the tool who has to learn of it, as of every bug.
  throw new TypeError(
    `the cache of ${tool.name} cannot tell its arguments apart: ${problem}. Give it a key: cache: { key }.`,
  );
}

/** What the function of a key gets, so that it reads nothing that is not there. */
interface Guards {
  readonly guarded: (input: unknown) => unknown;
  readonly scopeOf: (scope: PolicyContext) => PolicyContext;
}

function keyOf(
  ready: ReadyCall,
  { key }: CachePolicy<never, never>,
  { guarded, scopeOf }: Guards,
  args = "",
): string {
  if (!key) return args;
  const { input, scope } = ready;
  return reportFailure("cache.key", ready, () => keyFrom("cache", key, guarded(input), scopeOf(scope)));
}

function hit({ toolCallId, toolName }: ToolCall, { shared, error, whole, meta }: SharedResult): SettledCall {
  return {
    result: { toolCallId, toolName, ...plainCopy(shared) },
    ...(whole !== undefined && { cut: { returned: whole } }),
    ...(error !== undefined && { error }),
    ...(meta && { meta: plainCopy(meta) }),
    cached: true,
  };
}

/** A call that gets the result of an equal one, which waits for calls within it. */
function shareLater({ call }: ReadyCall, { toolCallId: sharedWith }: InFlight): CallOutcome {
  return { suspended: { toolCallId: call.toolCallId, toolCall: call, sharedWith, steps: [] }, requests: [] };
}

/** Where the result of a call under way goes. */
interface Destination {
  readonly memory: Memory;
  readonly invalidations: Invalidations;
  readonly key: string;
  readonly dated: Dated;
  readonly ttl: number | undefined;
}

/** Makes the call, for all who wait for it and for those who come later. */
async function lead(next: Perform, ready: ReadyCall, destination: Destination): Promise<CallOutcome> {
  const { memory, key, dated } = destination;
  const finish = (outcome?: CallOutcome): SharedOutcome => {
    const sharedOutcome = sharedOutcomeOf(ready, outcome);
    // What has begun and waits is not to begin again in this run.
    const isOver = sharedOutcome.for !== "later";
    if (isOver && memory.inFlight.get(key) === ongoing) memory.inFlight.delete(key);
    if (sharedOutcome.for === "all" && outcome && "result" in outcome && !outcome.result.isError)
      storeResult(sharedOutcome, destination);
    return sharedOutcome;
  };
  // What throws at once rejects, too.
  const work = (async () => next(ready))();
  const { call, scope } = ready;
  const source = { toolCallId: call.toolCallId, run: scope.memory };
  const ongoing: InFlight = { ...dated, ...source, sharedOutcome: work.then(finish, () => finish()) };
  memory.inFlight.set(key, ongoing);
  await ongoing.sharedOutcome;
  return work;
}

function storeResult(
  { shared, chars, whole, meta }: SharedResult & { readonly chars: number },
  { memory, invalidations, key, dated, ttl }: Destination,
): void {
  // What was invalidated meanwhile must not displace what was made since.
  if (invalidations.reach(dated)) return;
  const expires = performance.now() + (ttl ?? Number.POSITIVE_INFINITY);
  const size = chars + key.length + (dated.args?.length ?? 0);
  memory.results.set(key, { ...dated, shared, whole, meta, expires }, size);
}

function sharedOutcomeOf({ scope, tool }: ReadyCall, outcome: CallOutcome | undefined): SharedOutcome {
  if (outcome && "suspended" in outcome) return { for: "later" };
  if (!outcome || !("result" in outcome)) return { for: "nobody" };
  const { result, error, cut, meta, ...requests } = outcome;
  if (result.isError && (scope.signal?.aborted || !failures.has(result.outcome))) return { for: "nobody" };
  if (Object.values(requests).some((request) => request !== undefined)) return { for: "itself" };
  // What the tool has called was called for the first of them.
  const { toolCallId: _, toolName: __, succeeded: ___, ...shared } = result;
  try {
    // Through its text: what the tool still holds of it must not be what is kept.
    const text = JSON.stringify(shared);
    const whole = cut && wholeValueOf({ result, cut });
    // A part of it is nothing for the tools that call for it.
    if (cut && whole === undefined) return { for: "itself" };
    const chars = text.length + lengthOf(whole) + lengthOf(meta);
    // It is a copy of JSON already.
    return {
      for: "all",
      shared: JSON.parse(text),
      chars,
      whole,
      meta,
      ...(error !== undefined && { error }),
    };
  } catch (thrown) {
    scope.observer.warn(`A result of ${tool.name} cannot be cached: ${safeMessage(thrown)}`);
    return { for: "itself" };
  }
}

function lengthOf(value: JsonValue | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
