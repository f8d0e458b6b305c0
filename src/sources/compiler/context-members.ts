/** What a `ToolContext` has: a type with nothing but these may stand for one. */
export const contextMembers = [
  "context",
  "signal",
  "agent",
  "model",
  "toolCallId",
  "idempotencyKey",
  "messages",
  "progress",
  "call",
  "runAgent",
  "step",
  "sleep",
  "waitFor",
] as const;
