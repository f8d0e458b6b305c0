import type { AssistantMessage, Generation, Model, ModelEvent, ModelRequest, ToolCall } from "skein";

const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
const response = { id: undefined, modelId: "instant", headers: {} };
const timing = { firstTokenMs: 0, totalMs: 0, tokensPerSecond: undefined };

/**
 * The leanest model there can be: it calls `shout` once in each of `turns` turns, and then it answers. It costs so little
 * that what is measured is the loop around it. `wait`, if given, is awaited before each answer.
 */
export function instantModel(turns: number, wait?: (turn: number) => Promise<unknown>): Model {
  return {
    provider: "bench",
    modelId: "instant",
    async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent, void> {
      const turn = (messages.length - 1) / 2;
      if (wait) await wait(turn);
      if (turn >= turns) {
        yield { type: "text-delta", text: "done" };
        yield finish("done", []);
        return;
      }
      const toolCallId = `call_${turn}`;
      const toolCall: ToolCall = { toolCallId, toolName: "shout", arguments: '{"text":"hello"}' };
      yield { type: "tool-input-delta", toolCallId, toolName: "shout", text: toolCall.arguments };
      yield { type: "tool-call", toolCall };
      yield finish("", [toolCall]);
    },
  };
}

function finish(text: string, toolCalls: readonly ToolCall[]): ModelEvent {
  const message: AssistantMessage = {
    role: "assistant",
    content:
      text === ""
        ? toolCalls.map(({ toolCallId }) => ({ type: "tool-call", toolCallId }))
        : [{ type: "text", text }],
    toolCalls,
  };
  const reason = toolCalls.length > 0 ? "tool-calls" : "stop";
  const generation: Generation = {
    text,
    message,
    toolCalls,
    finishReason: reason,
    rawFinishReason: reason,
    usage,
    response,
    timing,
    warnings: [],
  };
  return { type: "finish", generation };
}
