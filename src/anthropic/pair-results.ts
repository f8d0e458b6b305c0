import type { RequestBlock, RequestMessage, ToolResultBlock } from "./wire.ts";

/**
 * Makes each user's turn begin with exactly one result for each call of the turn before, as the API demands. A call
 * without one is answered; a result without a call is told as what the user says.
 */
export function pairResults(turns: readonly RequestMessage[]): RequestMessage[] {
  const paired: RequestMessage[] = [];
  for (const turn of turns) {
    const calls = callsOf(paired.at(-1));
    if (turn.role === "user") paired.push(withResults(turn, calls));
    else paired.push(turn);
  }
  const open = callsOf(paired.at(-1));
  if (open.length > 0) paired.push({ role: "user", content: open.map(unanswered) });
  return paired;
}

function callsOf(turn: RequestMessage | undefined): string[] {
  if (turn?.role !== "assistant") return [];
  return turn.content.flatMap((block) =>
    block.type === "tool_use" && typeof block.id === "string" ? [block.id] : [],
  );
}

function withResults({ role, content }: RequestMessage, calls: readonly string[]): RequestMessage {
  const open = new Set(calls);
  const results: RequestBlock[] = [];
  const rest: RequestBlock[] = [];
  for (const block of content) {
    if (!isResult(block)) rest.push(block);
    else if (open.delete(block.tool_use_id)) results.push(block);
    else rest.push(...(block.content ?? [{ type: "text", text: "(an empty result)" }]));
  }
  return { role, content: [...results, ...[...open].map(unanswered), ...rest] };
}

function isResult(block: RequestBlock): block is ToolResultBlock {
  return block.type === "tool_result";
}

function unanswered(toolUseId: string): ToolResultBlock {
  const text = "This call was not executed: the conversation went on without it.";
  return { type: "tool_result", tool_use_id: toolUseId, content: [{ type: "text", text }], is_error: true };
}
