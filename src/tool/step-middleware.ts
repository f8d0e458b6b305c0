import type { JsonObject } from "../base/util/json.ts";
import type { ToolCall, ToolResult } from "../message/messages.ts";
import type { BlockReason } from "../message/run-state.ts";
import type { StepKey } from "../message/step-key.ts";
import type { ModelCall } from "../model/model-call.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/types.ts";
import type { AgentLike } from "./agent-like.ts";

/** The step that a middleware stands around. */
export interface StepInfo {
  readonly key: StepKey;
  /** The agent whose turn it is. */
  readonly agent: AgentLike;
  /** The application's data, frozen. */
  readonly context: unknown;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /**
   * The `output` that the run would take from a text, such as an answer or the arguments of `outputTool`, read and validated as its end
   * does it; `undefined` where the run has none, and for a text that does not fit.
   */
  readOutput(text: string): Promise<unknown>;
  /**
   * Ends the run with the status `"blocked"`, and the runs around it: it calls no further model and begins no further tool call. Around
   * a model call, the answer is withheld, whatever the function yields afterwards, and none is necessary; around a tool call, those beside it that have begun
   * are completed. Only the first call has an effect.
   */
  block(reason: BlockReason): void;
  /** Counts answers of models that the function has used itself, such as `result.modelCalls` of another run, to the run's usage. */
  count(calls: readonly ModelCall[]): void;
}

/** The call of a tool that a middleware stands around. */
export interface ToolStepInfo extends StepInfo {
  /**
   * The input that the tool would get from a call, as JSON: coerced and validated as its execution does it, so that an object that a model
   * wrote as text is one. `undefined` where the arguments do not fit, or the tool is not there.
   */
  readInput(call: ToolCall): Promise<unknown>;
  /** What the tool returned for the page that shows the call, beside a result of `next`: `meta` of `result()`. No model reads it. */
  metaOf(result: ToolResult): JsonObject | undefined;
}

/** The model call that a middleware stands around. */
export interface ModelStepInfo extends StepInfo {
  /** The model to call. */
  readonly model: Model;
  /** The tool whose arguments are taken as the answer, where the run has an `output`. A text that fits is taken as well. */
  readonly outputTool: string | undefined;
  /** How often the model was called so far: 0 before `next`, more than 1 if it failed before its first event. */
  readonly attempts: number;
}

/**
 * Functions around model calls and calls of tools. Each does what it likes before and after `next`, which performs the step: it
 * may change what goes in and what comes out, call `next` again, or answer without it. The first middleware of a list is the
 * outermost. A run that is cancelled does not wait for them: return or throw once `info.signal` is aborted.
 */
export interface StepMiddleware {
  /**
   * Whether `model` sees an answer as a whole, as one that judges or changes it must: where the provider pauses in the middle, the model is
   * called again for the rest within the same turn, before any middleware of the run sees the end. Only an answer that a limit of the run
   * ends in the middle comes as far as it is there, with `shouldContinue`. `false` by default: each part is an answer of a turn of its own.
   */
  readonly wholeAnswers?: boolean;
  /**
   * Around a model call with its retries. The last event must be `finish`, whose generation is what the run goes on with.
   * Each answer of the model counts to the run's usage, whatever becomes of it. What the function itself throws fails the run
   * with the code `middleware-failed`.
   */
  model?(
    request: ModelRequest,
    info: ModelStepInfo,
    next: (request: ModelRequest) => AsyncIterable<ModelEvent>,
  ): AsyncIterable<ModelEvent>;
  /**
   * Around a call of a tool: one that a model made, or a tool. `next` checks the arguments and asks for permission: the
   * result of a call that waits for a person has the outcome `"not-executed"`. An approval is for one call: the same call of
   * `next` again has the first result. What it throws is what the tool threw.
   */
  tool?(
    call: ToolCall,
    info: ToolStepInfo,
    next: (call: ToolCall) => Promise<ToolResult>,
  ): Promise<ToolResult>;
}
