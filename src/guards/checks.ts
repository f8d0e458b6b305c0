import type { JsonObject } from "../base/util/json.ts";
import type { Message, ToolCall, ToolResult } from "../message/messages.ts";
import type { ModelCall } from "../model/model-call.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { CallVerdict, Verdict } from "./verdict.ts";

/** What every check gets. */
export interface Judged {
  /**
   * The text to judge. Of the arguments of a call, their names and values, one to a line; of an answer in a run with an `output`, below what
   * the model wrote, those of the output that the run takes from it: no escape hides anything from a pattern.
   */
  readonly text: string;
  /** The agent whose turn it is. */
  readonly agent: AgentLike;
  /** The application's data, frozen. */
  readonly context: unknown;
  /** Aborted when nobody waits for the verdict any more: the run is cancelled, or the time of the check is over. */
  readonly signal: AbortSignal;
  /** Counts what the check itself has used to the run: `count(await run(judge, text, { signal }))`. */
  count(used: { readonly modelCalls: readonly ModelCall[] }): void;
}

/** What was written since the last answer, and not by the agent: by the user, and in all system messages, also those before. */
export interface JudgedInput extends Judged {
  readonly stage: "input";
  /** Everything that the model is about to get, images and files too. */
  readonly messages: readonly Message[];
}

/**
 * An answer, or the result of a tool that ends the run. Below what the model wrote, `text` has what the calls of the provider's own tools
 * have that clients see, and the addresses, titles and quotes that the answer cites. Reasoning is not in it.
 */
export interface JudgedOutput extends Judged {
  readonly stage: "output";
  /** What the model got. Empty for the result of a tool. */
  readonly messages: readonly Message[];
}

/** A call that is about to be executed. */
export interface JudgedCall extends Judged {
  readonly stage: "tool";
  /** The call, with its arguments as they were written: a frozen copy. */
  readonly call: ToolCall;
  /**
   * The input that the tool would get, as JSON. Where the arguments do not fit, they are there as they were written; `undefined` where they
   * are not JSON.
   */
  readonly input: unknown;
}

/** What a tool returned, or threw. */
export interface JudgedResult extends Judged {
  readonly stage: "result";
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** What the tool returned for the page that shows the call, which clients get: `meta` of `result()`. `text` has its names and values. */
  readonly meta?: JsonObject;
}

/** The checks of a guard: one for each stage that it watches. What one throws fails the run with a `GuardError`. */
export interface GuardChecks {
  /** Judges what the user wrote, before the model reads it. */
  readonly input?: (judged: JudgedInput) => Verdict | Promise<Verdict>;
  /**
   * Judges each answer that has text, before its tools are called, and the result of a tool that ends the run. An answer that its provider
   * pauses in the middle is judged as a whole; one that a limit of the run ends there, as far as it came.
   */
  readonly output?: (judged: JudgedOutput) => Verdict | Promise<Verdict>;
  /** Judges each call before it is executed, those by other tools and by programs too. */
  readonly tool?: (judged: JudgedCall) => CallVerdict | Promise<CallVerdict>;
  /** Judges what a tool returned before the model, or the tool that called it, reads it. */
  readonly result?: (judged: JudgedResult) => CallVerdict | Promise<CallVerdict>;
}

/** How a guard works. Durations are milliseconds. */
export interface GuardOptions {
  /** Its name, in `result.blocked`; `"guard"` by default. */
  readonly name?: string;
  /** What the user reads where a verdict has no `message` of its own: the text of a blocked run. Nothing by default. */
  readonly message?: string;
  /**
   * Whether `input` is checked while the model answers already. Nothing of the answer is passed on before the verdict; if that is to block,
   * the model is stopped, and what it has used is not known.
   */
  readonly parallel?: boolean;
  /** Whether an answer is kept back, as a whole, until `output` has passed it. Without it the answer streams, and may be seen before that. */
  readonly hold?: boolean;
  /** How long a check may take; 60,000 by default. */
  readonly timeout?: number;
}
