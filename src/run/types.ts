import type { HostedCall } from "../model/hosted-call.ts";
import type {
  AssistantMessage,
  FinishReason,
  Message,
  ToolCall,
  ToolResult,
  Usage,
  UserMessage,
} from "../message/messages.ts";
import type { ApprovalDecision, RunState, RunStatus } from "../message/run-state.ts";
import type { Part } from "../message/parts.ts";
import type { Model, ModelRequest } from "../model/types.ts";
import type { CostLimit } from "../model/model-call.ts";
import type { AnyAgent } from "../agent/agent.ts";
import type { Output } from "../tool/output.ts";
import type { Toolset, ToolSources, ToolUi } from "../tool/types.ts";
import type { Compaction } from "./compaction/options.ts";
import type { Middleware } from "./steps/middleware.ts";
import type { BlockedRun, EndedRun, PausedRun } from "./result-types.ts";
import type { Session } from "./session/session.ts";
import type { TracingOptions } from "./tracing-options.ts";
import type { JsonObject, JsonValue } from "../base/util/json.ts";

/** An event of a run. Events are numbered within their run: `index`, counted from 0. */
export type RunEvent = RunEventBody & {
  /** The event's place in its run. */
  readonly index: number;
};

/** An event without its `index`. `agent` is always the name of the active agent. */
export type RunEventBody =
  | { readonly type: "turn-start"; readonly turn: number; readonly agent: string }
  /** A model is about to be called. */
  | {
      readonly type: "model-start";
      readonly turn: number;
      readonly agent: string;
      readonly provider: string;
      readonly modelId: string;
    }
  /** A model failed before its first event, and will be called again. */
  | {
      readonly type: "retry";
      readonly turn: number;
      readonly agent: string;
      /** The attempt that failed, counted from 1. */
      readonly attempt: number;
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
      readonly error: unknown;
    }
  /** A model has answered. Its calls are not executed yet. */
  | {
      readonly type: "model-end";
      readonly turn: number;
      readonly agent: string;
      /** Who answered. */
      readonly provider: string;
      /** The model's id as the provider reports it. */
      readonly modelId: string;
      /** How often the model was called: once, unless it failed before its first event or a middleware decided otherwise. */
      readonly attempts: number;
      /** Milliseconds to the first event of the last attempt; `undefined` if it emitted `finish` alone. */
      readonly firstTokenMs: number | undefined;
      /** From `model-start` on, all attempts included. */
      readonly durationMs: number;
      readonly finishReason: FinishReason;
      /** What the model used: with middleware, the sum of its answers, of which there may be none. */
      readonly usage: Usage;
    }
  | { readonly type: "text-delta"; readonly agent: string; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly agent: string; readonly text: string }
  | {
      readonly type: "tool-input-delta";
      readonly agent: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly text: string;
      /**
       * The arguments received so far, at least up to this piece: strings are cut off, numbers appear once they are complete. One
       * object that grows with the call: copy it to keep a snapshot. A getter, computed when it is read; not in JSON.
       */
      readonly partial?: unknown;
    }
  /** A piece of the `output`, as JSON, whether the model writes it as text or as a call's arguments. */
  | {
      readonly type: "output-delta";
      readonly agent: string;
      readonly text: string;
      /**
       * The output received so far, not validated yet. One value that grows with the answer: copy it to keep a snapshot.
       * A getter, computed when it is read; not in JSON.
       */
      readonly partial?: unknown;
    }
  /**
   * The provider has begun a call of a tool that it executes itself, such as a search of the web, or has ended it: the same `call.id`
   * comes again then.
   */
  | { readonly type: "hosted-call"; readonly agent: string; readonly call: HostedCall }
  /** A tool is about to be called. */
  | {
      readonly type: "tool-start";
      readonly agent: string;
      readonly toolCall: ToolCall;
      /** The call whose tool made this one. */
      readonly parentToolCallId?: string;
      /** The app that shows the call (MCP Apps), where its tool has one. */
      readonly ui?: ToolUi;
    }
  | {
      readonly type: "tool-progress";
      readonly agent: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly value: unknown;
      readonly parentToolCallId?: string;
    }
  /** A call has its result: a success, an error or another outcome. */
  | {
      readonly type: "tool-end";
      readonly agent: string;
      readonly result: ToolResult;
      readonly parentToolCallId?: string;
      /** What the tool returned, if `mask` hides some of it from the model. Probably secret: keep it out of logs. */
      readonly value?: JsonValue;
      /** What the tool threw, with its stack. The model sees its message only. */
      readonly error?: unknown;
      /** The result comes from an equal call: the tool was not called. */
      readonly cached?: true;
      /** From `tool-start` on, waiting for other calls included. */
      readonly durationMs: number;
      /** The app that shows the call (MCP Apps), where its tool has one. */
      readonly ui?: ToolUi;
      /** What the tool returned for the page that shows the call: `meta` of `result()`, `_meta` of an MCP server. */
      readonly meta?: JsonObject;
    }
  /** A call waits for a person's decision: it has this event instead of a `tool-end`, and the run will pause. */
  | {
      readonly type: "approval-request";
      /** The agent that made the call; one that a tool runs, where `parentToolCallId` is set. */
      readonly agent: string;
      /** What the decision refers to. */
      readonly approvalId: string;
      readonly toolCall: ToolCall;
      /** The arguments as the tool would get them. */
      readonly input: unknown;
      /** The call whose tool made this one, or runs the agent that did. */
      readonly parentToolCallId?: string;
    }
  /** An event of an agent that a tool of this run runs; deeper ones are within one another. */
  | {
      readonly type: "agent-event";
      readonly agent: string;
      /** The call whose tool runs the agent. */
      readonly parentToolCallId: string;
      readonly event: AgentRunEvent;
    }
  /** `agent` hands off to `to`. */
  /** What the user has sent while the run worked is in the conversation now. */
  | {
      readonly type: "user-message";
      readonly agent: string;
      readonly when: "steer" | "queue";
      readonly message: UserMessage;
    }
  | { readonly type: "handoff"; readonly agent: string; readonly to: string; readonly toolCallId: string }
  /** A model call and its tool calls are done. */
  | {
      readonly type: "turn-end";
      readonly turn: number;
      readonly agent: string;
      readonly message: AssistantMessage;
      readonly results: readonly ToolResult[];
      readonly finishReason: FinishReason;
      readonly usage: Usage;
    }
  /** The history was made shorter for the model call that follows. */
  | {
      readonly type: "compaction";
      readonly agent: string;
      /** About how many tokens the request would have had, and has now. */
      readonly before: number;
      readonly after: number;
      /** How many messages were left out, or are in a summary. */
      readonly dropped: number;
      /** How many results of tools were replaced by a note. */
      readonly pruned: number;
    }
  /** For one reader only, which is slower than the run: it has missed `count` events. */
  | { readonly type: "events-dropped"; readonly agent: string; readonly count: number }
  /** Something went wrong that the run survives. */
  | { readonly type: "warning"; readonly agent: string; readonly message: string }
  /** The last event of every run: it paused, ended, or failed. `result` of the run rejects with that `error`. */
  | {
      readonly type: "run-end";
      readonly agent: string;
      readonly status: "paused";
      readonly result: PausedRun;
      readonly error?: undefined;
    }
  | {
      readonly type: "run-end";
      readonly agent: string;
      readonly status: "blocked";
      readonly result: BlockedRun;
      readonly error?: undefined;
    }
  | {
      readonly type: "run-end";
      readonly agent: string;
      readonly status: EndedRun["status"];
      readonly result: EndedRun;
      readonly error?: undefined;
    }
  | {
      readonly type: "run-end";
      readonly agent: string;
      readonly status: "failed";
      readonly result?: undefined;
      readonly error: unknown;
    };

/**
 * An event of an agent that a tool runs. Its `run-end` has no result; the calls that wait in it are `approval-request` events of
 * the run around it.
 */
export type AgentRunEvent =
  | Exclude<RunEvent, { readonly type: "run-end" }>
  | {
      readonly type: "run-end";
      readonly index: number;
      readonly agent: string;
      readonly status: RunStatus | "failed";
      readonly error?: unknown;
    };

/** The result of a call that was executed elsewhere. */
export interface ExternalResult {
  readonly toolCallId: string;
  /** Text, parts, or any other JSON value. */
  readonly content: unknown;
  readonly isError?: boolean;
}

/**
 * Stores the steps of a run, so that a run which is started again repeats none of them.
 * `step` runs `perform` and stores its value (plain JSON) under `key`, or returns the stored value.
 */
export interface Journal {
  /** What `perform` returns, or what it returned for this key before. */
  step<T>(key: string, perform: () => Promise<T>): Promise<T>;
}

/** How to run. Durations are milliseconds. */
export interface RunOptions<C = unknown, O = unknown> {
  /** The application's data: copied, passed to tools and instructions, never shown to the model. */
  readonly context?: C;
  /** The most model calls this run may make; 20 by default. */
  readonly maxTurns?: number;
  /**
   * The most tokens of this run, agents called as tools included. Once they are used, it makes no further model call and ends
   * with the status `"budget"`. An answer without usage ends it with a ConfigurationError (`budget-unknown`).
   */
  readonly maxTokens?: number;
  /** The most money: `dollars(0.5)` of `skein/models`. An answer whose cost is unknown ends the run with `budget-unknown`. */
  readonly maxCost?: CostLimit;
  /**
   * The most calls of tools, those by other tools, by programs and by agents within the run included. Each is counted before it is
   * executed. Further calls are not: the run ends with the status `"max-tool-calls"`, and executes them once it is resumed.
   */
  readonly maxToolCalls?: number;
  /**
   * Once the model has made the same call this number of times, and it had the same result every time, the model reads that; with the
   * next one the run ends with the status `"repeating"`. At least 2; without it, nothing is compared.
   */
  readonly maxRepeats?: number;
  /**
   * The run ends once this number of answers in a row called one tool wrongly (invalid arguments, an unknown
   * tool), or gave a wrong `output`; 3 by default.
   */
  readonly maxCorrections?: number;
  /** Used instead of every agent's own model: a `Model`, or a name such as `"openai:gpt-5.2"`. */
  readonly model?: Model | string;
  /** Used instead of every agent's own `output`. */
  readonly output?: Output<O>;
  /** With `false`, the assistant's calls come back in `pending`, unexecuted. */
  readonly executeTools?: boolean;
  readonly signal?: AbortSignal;
  /** How long the whole run may take. */
  readonly timeout?: number;
  /** Tool calls at once; 8 by default. */
  readonly concurrency?: number;
  /** Results of pending calls that were executed elsewhere. */
  readonly results?: readonly ExternalResult[];
  /** Decisions on pending calls. Calls without one stay pending. */
  readonly approvals?: readonly ApprovalDecision[];
  /** Signs states and requests for approval. A resumed state that is unsigned, or has changed since, is refused. */
  readonly stateSecret?: string;
  /** Agents to find a state's agent in, as well as those that handoffs reach. */
  readonly agents?: readonly AnyAgent[];
  /** Prints every event to standard error. */
  readonly debug?: boolean;
  /** Called with every event, in order. What it throws becomes a warning. */
  readonly onEvent?: (event: RunEvent) => void;
  readonly journal?: Journal;
  /**
   * The id of the run, such as that of an order: started again with it, the run has the same idempotency keys and approval ids.
   * 1 to 200 characters. A state and a session have an id of their own.
   */
  readonly runId?: string;
  /** Functions around the run, its model calls and tool calls, and those of agents within it. */
  readonly middleware?: readonly Middleware[];
  /** Stores the conversation between runs: the run continues it and adds its own entries. The input `[]` resumes the last run. */
  readonly session?: Session;
  /** Shortens the history before it becomes too long for the model. */
  readonly compaction?: Compaction;
  /** Changes what `traceAll` of `skein/tracing` has set for all runs, or with `false` leaves this one out. Without it nothing is traced. */
  readonly tracing?: false | TracingOptions;
}

/** The options of a run that uses the context of its session. */
export interface RunOptionsOfSession<C = unknown, O = unknown> extends RunOptions<C, O> {
  readonly session: Session;
}

/** The options of a run with its own context. */
export interface RunOptionsWithOwnContext<C = unknown, O = unknown> extends RunOptions<C, O> {
  readonly context: C;
}

/**
 * The options of a run of an agent that needs a context. They must have one, or a session that stores one.
 */
// TypeScript's errors mention the last member only: the last by name, in older versions the last in the source.
export type RunOptionsWithContext<C = unknown, O = unknown> =
  | RunOptionsOfSession<C, O>
  | RunOptionsWithOwnContext<C, O>;

/** What the input of type `I` must also be: only a state may be `undefined`, such as that of an empty session. */
export type InputOf<I> = [I] extends [RunState | undefined]
  ? unknown
  : undefined extends I
    ? NonNullable<unknown>
    : unknown;

/**
 * The last arguments of `run` and `stream`. The options are required if the agent needs a context, unless the input is a state,
 * which has its own.
 */
// Nor are they for a wrong input: TypeScript would report that an argument is missing, instead of what is wrong.
export type RunArguments<I, C = unknown, O = unknown> = [I] extends [RunState | undefined]
  ? [options?: RunOptions<NoInfer<C>, O>]
  : undefined extends I
    ? [options?: RunOptions<NoInfer<C>, O>]
    : object extends C
      ? [options?: RunOptions<NoInfer<C>, O>]
      : [C] extends [never]
        ? [options?: RunOptions<NoInfer<C>, O>]
        : [options: RunOptionsWithContext<NoInfer<C>, O>];

/** The input of a run: a user's message, a history, or the state of an earlier run. */
export type RunInput<C = unknown> = string | readonly InputMessage[] | RunState<C>;

/** A message as a program writes it: an assistant's content may be plain text. */
export type InputMessage =
  | Message
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
      readonly agent?: string;
    }
  | { readonly role: "user"; readonly content: string | readonly Part[] };

/** How to execute calls outside a run. */
export interface ExecuteOptions {
  /** Passed to the tools. */
  readonly context?: unknown;
  readonly signal?: AbortSignal;
  /** Calls at once; 8 by default. */
  readonly concurrency?: number;
  /** Called with each value that a tool reports. */
  readonly onProgress?: (call: ToolCall, value: unknown) => void;
  /** Called with what a run would list in its `warnings`, such as a mistake in a tool's code. */
  readonly onWarning?: (message: string) => void;
}

/** A single request: like a `ModelRequest`, but with tools as agents list them, and messages as programs write them. */
export interface GenerateRequest<O = unknown> extends Omit<
  ModelRequest,
  "messages" | "tools" | "output" | "later"
> {
  readonly messages: string | readonly InputMessage[];
  /** Plain functions, `tool(...)`, toolkits. The model sees them; nothing is executed. */
  readonly tools?: ToolSources | Toolset;
  /** The schema of the answer: a JSON Schema, a Standard Schema (zod, valibot, arktype), or `output<Invoice>()`. */
  readonly output?: Output<O>;
}
