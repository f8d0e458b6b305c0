/** A call as far as the client has it. */
export interface LaneCall {
  /** The id in the run. */
  readonly toolCallId: string;
  /** The id that the client has. */
  readonly wireId: string;
  readonly toolName: string;
  /** The agent within the run, or the tool, that made the call. */
  readonly subagentRunId: string | undefined;
  /** The assistant's message that the call is in; none for calls of tools. */
  readonly messageId: string | undefined;
  /** Set for a call of an earlier stream. */
  readonly isEarlier: boolean;
  /** Whether the client has the call. */
  isVisible: boolean;
  /** Whether its arguments may go on. */
  isOpen: boolean;
  /** Whether a second call of the same id has come in the same answer. */
  isDoubled: boolean;
  isAnswered: boolean;
  /** Whether its tool has been called. */
  isExecuting: boolean;
  /** Whether its tool has run agents, or made calls. */
  hasWork: boolean;
  arguments: string;
}

/** What is certain of a call from its beginning. */
type CallFields = Pick<
  LaneCall,
  "toolCallId" | "wireId" | "toolName" | "subagentRunId" | "messageId" | "isEarlier"
>;

/** What a lane says of a new call. */
export type CallPlace = Pick<LaneCall, "subagentRunId" | "messageId">;

/** A call of which nothing was sent. */
export function newCall(fields: CallFields): LaneCall {
  return {
    ...fields,
    isVisible: false,
    isOpen: false,
    isDoubled: false,
    isAnswered: false,
    isExecuting: false,
    hasWork: false,
    arguments: "",
  };
}

/** The field that says whose an event is. */
export function ownerField({ subagentRunId }: { readonly subagentRunId: string | undefined }): {
  readonly subagentRunId?: string;
} {
  return subagentRunId === undefined ? {} : { subagentRunId };
}

/** Whether a piece begins another object: two calls of one answer have the same id, and the second gets one of its own later. */
export function isAnotherObject(before: string, text: string): boolean {
  if (!before.endsWith("}") || !text.startsWith("{")) return false;
  try {
    return typeof JSON.parse(before) === "object";
  } catch {
    // It is within a string.
    return false;
  }
}
