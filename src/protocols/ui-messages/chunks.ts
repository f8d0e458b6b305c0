import type { AgentData, FilePart, HandoffData, MessageMetadata, TextPart } from "./ui-message.ts";

/** Why a message ended, in the words of the AI SDK. */
export type UIFinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/**
 * What `toUIMessageChunks` emits: those chunks of the AI SDK's UI message stream (version 1, of `ai` 7) that a run has, with the
 * properties that they have here. Each is a `UIMessageChunk` of the AI SDK.
 */
export type UIMessageChunk =
  /** Without an id, the client goes on with its last message. */
  | { readonly type: "start"; readonly messageId?: string }
  /** One for each turn: a model call and the calls in its answer. */
  | { readonly type: "start-step" }
  | { readonly type: "finish-step" }
  /** What the message has of the current step is void. */
  | { readonly type: "reset-step" }
  | { readonly type: "text-start"; readonly id: string }
  | { readonly type: "text-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "text-end"; readonly id: string }
  | { readonly type: "reasoning-start"; readonly id: string }
  | { readonly type: "reasoning-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "reasoning-end"; readonly id: string }
  | { readonly type: "file"; readonly url: string; readonly mediaType: string }
  | ToolChunk
  /** What the user sent while the run worked. */
  | { readonly type: "steering-message"; readonly id: string; readonly parts: (TextPart | FilePart)[] }
  | { readonly type: "data-handoff"; readonly data: HandoffData }
  /** How an agent stands that a tool runs. One with the same `id` replaces the one before. */
  | { readonly type: "data-agent"; readonly id: string; readonly data: AgentData }
  | { readonly type: "message-metadata"; readonly messageMetadata: MessageMetadata }
  | {
      readonly type: "finish";
      readonly finishReason: UIFinishReason;
      readonly messageMetadata?: MessageMetadata;
    }
  /** The run was cancelled. */
  | { readonly type: "abort" }
  | { readonly type: "error"; readonly errorText: string };

/** What becomes of a call, which is a part `tool-<name>` of the message. */
export type ToolChunk =
  | { readonly type: "tool-input-start"; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: "tool-input-delta"; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      /** Set for a call that the provider of the model executes. */
      readonly providerExecuted?: true;
    }
  | {
      readonly type: "tool-input-error";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly errorText: string;
    }
  | { readonly type: "tool-approval-request"; readonly approvalId: string; readonly toolCallId: string }
  | { readonly type: "tool-approval-response"; readonly approvalId: string; readonly approved: boolean }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: unknown;
      /** Set for what a tool reports before its result. */
      readonly preliminary?: true;
      readonly providerExecuted?: true;
    }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
      readonly providerExecuted?: true;
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string };
