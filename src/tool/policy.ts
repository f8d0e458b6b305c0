import type { AgentLike } from "./agent-like.ts";

/**
 * The arguments of a tool by name, where types cannot say more: TypeScript does not know the names of a function's parameters.
 * Say what they are: `approval: ({ amount }: { amount: number }) => amount > 50`.
 */
export interface ToolArguments {
  readonly [name: string]: unknown;
}

/**
 * The arguments of a function of one object: its properties if it is destructured, `({ amount }: Payment)`, else the object under
 * the parameter's name, `(payment: Payment)`. A read of what is not there throws.
 */
export type ObjectArguments<I> = I & { readonly [parameter: string]: I };

/** What a policy may look at beside the arguments. */
export interface PolicyContext<C = unknown> {
  /** The application's data as it was before this batch of calls. Frozen. */
  readonly context: C;
  /** The agent that made the call; `undefined` outside a run. */
  readonly agent: AgentLike | undefined;
}

/** Which failures are tried again, and how soon. */
export interface RetryPolicy {
  /** Further attempts after the first; 2 by default. */
  readonly times?: number;
  /**
   * The longest first wait in milliseconds, doubled for each further one as far as 30,000; 200 by default. Waits are random
   * up to it, and as long as the error's `retryAfter` says; an error that asks for more than 30,000 is the last.
   */
  readonly delay?: number;
  /** Says which errors may pass. By default those that say so: `isTransient` or `isRetryable` is `true`. */
  readonly when?: (error: unknown) => boolean;
}

/** How many calls at once there may be of all tools that name this object. */
export interface ConcurrencyLimit {
  readonly limit: number;
}

/** How often a tool may be called. */
export interface RateLimit {
  /** Calls that may begin in any stretch of `per`. */
  readonly calls: number;
  /** Milliseconds. */
  readonly per: number;
}

/** What is remembered of a tool's results, and for how long. Errors never are. */
export interface CachePolicy<I = ToolArguments, C = unknown> {
  /** Milliseconds a result is good for; without end by default. */
  readonly ttl?: number;
  /** The most results; 1,000 by default. The one that was not used for longest goes first. */
  readonly maxEntries?: number;
  /** The most characters of all results and their keys together; 10,000,000 by default. */
  readonly maxChars?: number;
  /** What makes two calls the same: the arguments by default. Add what else the result depends on, a user say. */
  readonly key?: (args: I, scope: PolicyContext<C>) => string;
  /** Whether results hold for the run that made them, or for all; `"run"` by default. */
  readonly scope?: "run" | "shared";
}

/** What the executor holds a tool to. Durations are milliseconds. */
export interface ToolPolicy<I = ToolArguments, C = unknown> {
  /** How long a call may take, retries included; 60,000 by default. `Infinity` for no deadline. */
  readonly timeout?: number;
  /** Asks the provider to hold the model to the schema (OpenAI's and Anthropic's strict mode). Off by default. */
  readonly strict?: boolean;
  /** Tries again after errors that are marked as transient: how often, or a whole `RetryPolicy`. */
  readonly retries?: number | RetryPolicy;
  /** Calls of this tool at once, over all runs. Tools with the same object share it. */
  readonly concurrency?: number | ConcurrencyLimit;
  /** Calls with the same key run one after the other, over all runs; with `true`, all calls do. */
  readonly serialize?: boolean | ((args: I) => string);
  /** Calls wait until they may begin, over all runs. Further attempts do not count. */
  readonly rateLimit?: RateLimit;
  /** Remembers results; equal calls that are under way are made once. */
  readonly cache?: boolean | CachePolicy<I, C>;
  /** Calls wait for a person's decision: the run pauses. A function says which. */
  readonly approval?: boolean | ((args: I, scope: PolicyContext<C>) => boolean | Promise<boolean>);
  /** Who may use the tool: for others it is neither shown nor executed. */
  readonly allow?: (scope: PolicyContext<C>) => boolean | Promise<boolean>;
  /** Tools that must have succeeded earlier in the run. */
  readonly requires?: readonly string[];
  /** The most characters of a result that the model is shown; it reads the rest with the tool `read_result`. */
  readonly maxResultChars?: number;
  /** The model sees a placeholder instead of the result, or of these properties of it; the application sees the value. */
  readonly mask?: boolean | readonly string[];
  /** The result ends the run and is its text, unless it is an error. Of several in a batch the last one counts. */
  readonly final?: boolean;
  /** Checks results against the tool's output schema. Off by default. */
  readonly validateOutput?: boolean;
}
