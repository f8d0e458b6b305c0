import type { Usage } from "../../message/messages.ts";
import type { RunStatus } from "../../message/run-state.ts";

/** A message of `useChat`, with those parts that a run has. It is a `UIMessage` of the AI SDK (`ai` 7). */
export interface UIMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly metadata?: MessageMetadata;
  readonly parts: UIMessagePart[];
}

/** A part of a message. */
export type UIMessagePart =
  | TextPart
  | { readonly type: "reasoning"; readonly text: string; readonly state?: "streaming" | "done" }
  | FilePart
  | ToolPart
  | { readonly type: "data-handoff"; readonly data: HandoffData }
  | { readonly type: "step-start" };

/** Text of the user or of the agent. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly state?: "streaming" | "done";
}

/** An image or another file: `url` is an `https:` address or a `data:` URL. */
export interface FilePart {
  readonly type: "file";
  readonly url: string;
  /** Such as `"image/png"`, or `"image"` where no more is known. */
  readonly mediaType: string;
  readonly filename?: string;
}

/** A call of a tool. */
export type ToolPart = {
  readonly type: `tool-${string}`;
  readonly toolCallId: string;
  /** Set for a call that the provider of the model has executed. */
  readonly providerExecuted?: true;
} & (
  | { readonly state: "input-available"; readonly input: unknown }
  | {
      readonly state: "approval-requested";
      readonly input: unknown;
      readonly approval: { readonly id: string };
    }
  | { readonly state: "output-available"; readonly input: unknown; readonly output: unknown }
  | { readonly state: "output-error"; readonly input: unknown; readonly errorText: string }
  | {
      readonly state: "output-denied";
      readonly input: unknown;
      readonly approval: { readonly id: string; readonly approved: false };
    }
);

/** `data` of a part `data-handoff`: another agent goes on. */
export interface HandoffData {
  readonly from: string;
  readonly to: string;
}

/** `data` of a part `data-agent`: an agent that a tool runs. Such parts are of a stream alone: a history does not have them. */
export interface AgentData {
  /** Who is active in it. */
  readonly agent: string;
  /** The call whose tool runs the agent. */
  readonly parentToolCallId: string;
  readonly status: "running" | "failed" | RunStatus;
  /** What it writes in its current turn; up to 8,192 characters. */
  readonly text: string;
  /** Its latest calls, 50 at most. */
  readonly calls: AgentCall[];
}

/** A call of an agent that a tool runs. */
export interface AgentCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly state: "running" | "done" | "error";
}

/** `metadata` of an assistant's message. */
export interface MessageMetadata {
  /** The name of the agent that was active at the end. */
  readonly agent?: string;
  /** How the run ended, or that it is paused. */
  readonly status?: RunStatus;
  /** Tokens of the run, or of what it did since it was resumed. */
  readonly usage?: { readonly [Name in keyof Usage]?: number };
}
