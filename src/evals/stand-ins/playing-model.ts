import { GenerationBuilder } from "../../model/generation-builder.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";

/** What a stand-in says in one turn: text, or calls. */
export type Move = string | readonly { readonly tool: string; readonly arguments: object }[];

/** A model whose every answer is a move made from the request. */
export function playingModel(modelId: string, move: (request: ModelRequest) => Move): Model {
  let callCount = 0;
  return {
    provider: "evals",
    modelId,
    supportsOutput: () => true,
    async *stream(request): AsyncGenerator<ModelEvent, void> {
      request.signal?.throwIfAborted();
      const builder = new GenerationBuilder();
      const next = move(request);
      if (typeof next === "string") yield builder.text(next);
      for (const call of typeof next === "string" ? [] : next) {
        callCount += 1;
        const id = `${modelId}_${callCount}`;
        builder.startToolCall(id, id, call.tool);
        yield builder.toolInput(id, JSON.stringify(call.arguments));
        yield builder.endToolCall(id);
      }
      const finishReason = typeof next === "string" ? "stop" : "tool-calls";
      yield builder.finish({
        finishReason,
        rawFinishReason: finishReason,
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
        response: { id: undefined, modelId, headers: {} },
      });
    },
  };
}
