import type { JsonValue } from "../base/util/json.ts";
import type { AssistantPart, Part } from "./parts.ts";

/** A model's wish to call a tool. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments exactly as the model wrote them: JSON where the model behaved. */
  readonly arguments: string;
  /** Set where the model's server had given the call an id that another one has: that id. */
  readonly originalId?: string;
}

/** How a tool call ended. */
export type ToolOutcome =
  | "success"
  /** The tool threw, or said `isError`. */
  | "error"
  /** The arguments were not JSON or did not fit the tool's schema; the tool was not called. */
  | "invalid-arguments"
  | "unknown-tool"
  /** A person decided against it, or the caller of the run may not use the tool. */
  | "denied"
  /** The tool did not settle before its deadline. */
  | "timeout"
  /** The run, or the conversation, ended or went on before the tool settled: the call may or may not have taken effect. */
  | "cancelled"
  /** The call was not started (a truncated answer, say). A middleware sees it also for a call that waits. */
  | "not-executed";

/** The result of a tool call: the content that the model sees, and the value that the application can read. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The tool that answered, where that of `toolName` is deprecated and names another to use. */
  readonly usedTool?: string;
  readonly content: readonly Part[];
  /** The tool's return value, where it is JSON other than a string. */
  readonly structuredContent?: JsonValue;
  /**
   * Set where `content` was truncated (`maxResultChars`) and can be read on: how many characters there are, the whole text where it is
   * not that of `structuredContent`, and the most characters that are read at once.
   */
  readonly truncated?: { readonly length: number; readonly text?: string; readonly limit?: number };
  /** Set where the tool returned more than a result may have: 1,048,576 characters, 100 levels. */
  readonly isCut?: true;
  /** Set where a note stands for the content: it was old, large, and left out (`pruneResults`). */
  readonly isPruned?: true;
  readonly isError: boolean;
  readonly outcome: ToolOutcome;
  /** The tools that were called on behalf of this one, and succeeded: other tools may require them. */
  readonly succeeded?: readonly string[];
  /** Set where the run ends with this result once the calls beside it have theirs. */
  readonly final?: true;
}

/** Instructions within a history. The active agent's instructions are not part of a history: they travel beside it. */
export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
}

/** What the user says. */
export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly Part[];
  /** How many earlier messages, now left out, this one summarizes. */
  readonly summaryOf?: number;
  /** The tools that had succeeded in those: other tools may require them. */
  readonly succeeded?: readonly string[];
  /** Set where the message reports to the model what is wrong with the answer before it. */
  readonly correction?: true;
}

/** What a model says: content in the order of the wire, and the tool calls that the content refers to. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantPart[];
  readonly toolCalls: readonly ToolCall[];
  /** The name of the agent that said it. */
  readonly agent?: string;
  /** Set where the run was cancelled while the answer came: its text ends in the middle. */
  readonly truncated?: true;
  /** Set where the provider paused in the middle of the answer: the next message of the assistant goes on with it, if none of others comes between. */
  readonly shouldContinue?: true;
}

/** The answer to one tool call. */
export interface ToolMessage {
  readonly role: "tool";
  readonly result: ToolResult;
}

/** One entry of a history. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Tokens used. Absent figures were not reported; a total is the provider's own, else the sum. */
export interface Usage {
  /** Tokens of the request, cached ones included. */
  readonly inputTokens: number | undefined;
  /** Tokens of the answer, reasoning included. */
  readonly outputTokens: number | undefined;
  readonly totalTokens: number | undefined;
  /** Those of `inputTokens` that were read from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** Those of `inputTokens` that were written to the provider's cache. */
  readonly cacheWriteTokens?: number;
  /** Those of `outputTokens` that were spent on reasoning. */
  readonly reasoningTokens?: number;
  /** How often the provider has searched the web, where it says so (Anthropic does): it charges for that beside the tokens. */
  readonly webSearches?: number;
}

/** Why a model stopped, in one vocabulary for all providers. */
export type FinishReason =
  | "stop"
  | "length"
  | "tool-calls"
  | "content-filter"
  | "error"
  | "cancelled"
  | "other";
