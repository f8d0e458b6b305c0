import type { JsonObject, JsonValue } from "../../base/util/json.ts";

/**
 * The forms of AG-UI 1.0 (https://ag-ui.com/spec/1.0/schema.json), as far as Skein writes them. They are those of `@ag-ui/core`, whose package
 * a program needs only if it is a client.
 */

/** One change of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string };

/** Where the bytes of a part come from: base64, an address, or what a provider calls a file of its own. */
export type AgUiSource =
  | { readonly type: "data"; readonly value: string; readonly mimeType: string }
  | { readonly type: "url"; readonly value: string; readonly mimeType?: string }
  | { readonly type: "file"; readonly value: string; readonly mimeType?: string; readonly provider?: string };

/** A part of what a user writes or a tool returns. */
export type AgUiPart = { readonly id?: string; readonly metadata?: JsonValue } & (
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio" | "video" | "document"; readonly source: AgUiSource }
);

/** The content of a message: text, or parts in their order. */
export type AgUiContent = string | readonly AgUiPart[];

/** A call as an assistant's message has it. */
export interface AgUiToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly encryptedValue?: string;
  readonly metadata?: JsonObject;
}

/** The fields of every message. */
export interface AgUiMessageFields {
  readonly id: string;
  /** The agent within the run that the message is of; absent for the run's own. */
  readonly subagentRunId?: string;
  /** What is attached to it. A failed call has `{ skein: { isError: true, outcome } }`. */
  readonly metadata?: JsonObject;
  /** What a provider wants back as it is. Skein writes none. */
  readonly encryptedValue?: string;
}

/** A message of a conversation. */
export type AgUiMessage =
  | (AgUiMessageFields & {
      readonly role: "system" | "developer";
      readonly name?: string;
      readonly content: string;
    })
  | (AgUiMessageFields & { readonly role: "user"; readonly name?: string; readonly content: AgUiContent })
  | (AgUiMessageFields & {
      readonly role: "assistant";
      readonly name?: string;
      readonly content?: string;
      readonly toolCalls?: readonly AgUiToolCall[];
    })
  | (AgUiMessageFields & {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly content: AgUiContent;
      readonly error?: string;
    })
  | (AgUiMessageFields & { readonly role: "reasoning"; readonly content: string });

/** Something that a run needs from outside before it can go on. */
export interface AgUiInterrupt {
  readonly id: string;
  /**
   * `"tool_call"`: a person decides on a call. `"input_required"`: a call of an agent within the run waits for its result.
   */
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  /** The JSON Schema of the `payload` that answers it. */
  readonly responseSchema?: JsonObject;
  readonly metadata?: JsonObject;
  readonly subagentRunId?: string;
}

/** Why a run ended. */
export type AgUiOutcome =
  | { readonly type: "success"; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: "interrupt"; readonly interrupts: readonly [AgUiInterrupt, ...AgUiInterrupt[]] }
  | { readonly type: "cancelled" };

/** What a run has used, of all models together. */
export interface AgUiUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}

/** The agent within the run that an event is of; absent for the run's own. */
export interface AgUiAttribution {
  readonly subagentRunId?: string;
}

/** An event about a message: text or reasoning. */
export type AgUiMessageEvent = AgUiAttribution & { readonly messageId: string };

/** An event about a call. */
export type AgUiCallEvent = AgUiAttribution & { readonly toolCallId: string };

/** An event of a run, as `toAgUiEvents` writes it. */
export type AgUiEvent =
  | {
      readonly type: "RUN_STARTED";
      readonly threadId: string;
      readonly runId: string;
      readonly protocolVersion: "1.0";
    }
  | {
      readonly type: "RUN_FINISHED";
      readonly threadId: string;
      readonly runId: string;
      /** The output of a run that has an output schema. */
      readonly result?: JsonValue;
      readonly outcome: AgUiOutcome;
      readonly usage?: readonly AgUiUsage[];
    }
  | { readonly type: "RUN_ERROR"; readonly message: string; readonly code: string }
  | (AgUiMessageEvent & {
      readonly type: "TEXT_MESSAGE_START";
      readonly role: "assistant" | "user";
      readonly name?: string;
    })
  | (AgUiMessageEvent & { readonly type: "TEXT_MESSAGE_CONTENT"; readonly delta: string })
  | (AgUiMessageEvent & { readonly type: "TEXT_MESSAGE_END" })
  | (AgUiMessageEvent & { readonly type: "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END" })
  | (AgUiMessageEvent & { readonly type: "REASONING_MESSAGE_START"; readonly role: "reasoning" })
  | (AgUiMessageEvent & { readonly type: "REASONING_MESSAGE_CONTENT"; readonly delta: string })
  | (AgUiCallEvent & {
      readonly type: "TOOL_CALL_START";
      readonly toolCallName: string;
      readonly parentMessageId?: string;
    })
  | (AgUiCallEvent & { readonly type: "TOOL_CALL_ARGS"; readonly delta: string })
  | (AgUiCallEvent & { readonly type: "TOOL_CALL_END" })
  | (AgUiCallEvent & {
      readonly type: "TOOL_CALL_RESULT";
      readonly messageId: string;
      readonly content: AgUiContent;
      readonly role: "tool";
      /** Of a call that has failed: `{ skein: { isError: true, outcome } }`. */
      readonly metadata?: JsonObject;
    })
  | { readonly type: "STATE_SNAPSHOT"; readonly snapshot: JsonValue }
  /** A JSON Patch (RFC 6902). */
  | { readonly type: "STATE_DELTA"; readonly delta: readonly JsonPatchOperation[] }
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly AgUiMessage[] }
  | (AgUiMessageEvent & {
      readonly type: "ACTIVITY_SNAPSHOT";
      readonly activityType: string;
      readonly content: JsonObject;
    })
  | (AgUiAttribution & { readonly type: "CUSTOM"; readonly name: string; readonly value: JsonValue })
  | {
      readonly type: "SUBAGENT_STARTED";
      readonly subagentRunId: string;
      readonly name: string;
      readonly parentSubagentRunId?: string;
      readonly parentToolCallId?: string;
    }
  | {
      readonly type: "SUBAGENT_FINISHED";
      readonly subagentRunId: string;
      readonly outcome:
        | { readonly type: "success" }
        | { readonly type: "suspended"; readonly interruptIds: readonly string[] };
    }
  | {
      readonly type: "SUBAGENT_ERROR";
      readonly subagentRunId: string;
      readonly message: string;
      readonly code: string;
    };
