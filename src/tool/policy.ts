import type { AgentLike } from "./agent-like.ts";

/**
 * The arguments of a tool by name. TypeScript has no type for the names of a function's parameters, so declare those that you
 * read: `approval: ({ amount }: { amount: number }) => amount > 50`.
 */
export interface ToolArguments {
  readonly [name: string]: unknown;
}

/**
 * The arguments of a function of one object: its properties if it is destructured, `({ amount }: Payment)`, else the object under
 * the parameter's name, `(payment: Payment)`. Reading an unknown property throws.
 */
export type ObjectArguments<I> = I & { readonly [parameter: string]: I };

/** What a policy receives in addition to the arguments. */
export interface PolicyContext<C = unknown> {
  /** The application's data as it was before this batch of calls. Frozen. */
  readonly context: C;
  /** The agent that made the call; `undefined` outside a run. */
  readonly agent: AgentLike | undefined;
}

/** Which failures are retried, and when. */
export interface RetryPolicy {
  /** Attempts after the first; 2 by default. */
  readonly times?: number;
  /**
   * The upper limit of the first delay in milliseconds; 200 by default. It doubles for each further one, up to 30,000. Delays are
   * random below the limit, but at least the error's `retryAfter`; an error with one above 30,000 is not retried. Or a function that returns
   * the milliseconds to wait after an error (the first attempt is 0), or `undefined` to give up.
   */
  readonly delay?: number | ((error: unknown, attempt: number) => number | undefined);
  /** Which errors are transient. By default those whose `isTransient` or `isRetryable` is `true`. */
  readonly when?: (error: unknown) => boolean;
}

/** Limits the concurrent calls of all tools that share this object. */
export interface ConcurrencyLimit {
  readonly limit: number;
}

/** How often a tool may be called. */
export interface RateLimit {
  /** Calls that may begin in any period of `per`. */
  readonly calls: number;
  /** Milliseconds. */
  readonly per: number;
}

/** How results of a tool are cached. Errors never are. */
export interface CachePolicy<I = ToolArguments, C = unknown> {
  /** Milliseconds until a result expires; never by default. */
  readonly ttl?: number;
  /** The most results; 1,000 by default. The least recently used one is evicted first. */
  readonly maxEntries?: number;
  /** The most characters of all results and their keys together; 10,000,000 by default. */
  readonly maxChars?: number;
  /** The cache key: the arguments by default. Add what else the result depends on, such as a user. */
  readonly key?: (args: I, scope: PolicyContext<C>) => string;
  /** Whether results are cached for one run, or shared by all; `"run"` by default. */
  readonly scope?: "run" | "shared";
}

/** The limits and rules that the executor enforces for a tool. Durations are milliseconds. */
export interface ToolPolicy<I = ToolArguments, C = unknown> {
  /** How long a call may take, retries included; 60,000 by default. `Infinity` for no deadline. */
  readonly timeout?: number;
  /** Asks the provider to enforce the schema (strict mode of OpenAI and Anthropic). Off by default. */
  readonly strict?: boolean;
  /** Retries after transient errors: how often, or a `RetryPolicy`. */
  readonly retries?: number | RetryPolicy;
  /** Calls of this tool at once, over all runs. Tools with the same object share it. */
  readonly concurrency?: number | ConcurrencyLimit;
  /** Calls with the same key run one after the other, over all runs; with `true`, all calls do. */
  readonly serialize?: boolean | ((args: I) => string);
  /**
   * The most calls in a run, those by other tools and agents within it included: the model reads that it has to do without further ones.
   * Further attempts and results of the cache do not count. Tools that their toolsets have under one name count as one.
   */
  readonly maxCalls?: number;
  /** Calls wait until they may begin, over all runs. Further attempts do not count. */
  readonly rateLimit?: RateLimit;
  /** Caches results; equal concurrent calls share one. */
  readonly cache?: boolean | CachePolicy<I, C>;
  /** Calls wait for a person's decision: the run pauses. A function says which. */
  readonly approval?: boolean | ((args: I, scope: PolicyContext<C>) => boolean | Promise<boolean>);
  /**
   * What becomes of a call that may have been under way when its process died, once the run is resumed: `"repeat"`, by default, makes it
   * again with the same `idempotencyKey`; `"ask"` has a person decide; `"tell"` lets the model know that it may or may not have taken effect.
   */
  readonly interrupted?: "repeat" | "ask" | "tell";
  /** Who may use the tool: for others it is neither shown nor executed. */
  readonly allow?: (scope: PolicyContext<C>) => boolean | Promise<boolean>;
  /**
   * Who may call it: with `"tools"` only other tools, by `context.call`. Models neither see it nor can call it. `"all"` by default.
   */
  readonly callers?: "all" | "tools";
  /** Tools that must have succeeded earlier in the run. */
  readonly requires?: readonly string[];
  /** The most characters of a result that the model sees; it reads the rest with the tool `read_result`. */
  readonly maxResultChars?: number;
  /** The model sees a placeholder instead of the result, or of these properties of it; the application sees the value. */
  readonly mask?: boolean | readonly string[];
  /** The result ends the run and is its text, unless it is an error. Of several in a batch the last one counts. */
  readonly final?: boolean;
  /** Checks results against the tool's output schema. Off by default. */
  readonly validateOutput?: boolean;
}
