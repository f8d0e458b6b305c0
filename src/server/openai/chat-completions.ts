import { fromChatCompletionRequest } from "../../protocols/chat-completions/request.ts";
import { toChatCompletionResponse } from "../../protocols/chat-completions/to-chat-completion.ts";
import type { RouteHandler } from "../router.ts";
import { typedOption } from "./typed-option.ts";
import { agentOf } from "./models.ts";
import { startPlainRun, unlessLeft } from "./plain-run.ts";
import { refuse } from "./refuse.ts";

/** `POST /v1/chat/completions`: the client has the conversation, so that the run ends with its reader. */
export const createChatCompletion: RouteHandler = {
  answer: async (call) => {
    const request = fromChatCompletionRequest(await call.json());
    const agent = agentOf(call, request.model);
    // How an answer is sent does not make it another.
    const { stream: _stream, includeUsage: _includeUsage, ...contents } = request;
    const { running, onCancel } = await startPlainRun(call, agent, request, { chat: contents });
    const answer = toChatCompletionResponse(running, {
      model: request.model,
      stream: request.stream,
      includeUsage: request.includeUsage,
      ...typedOption(agent, request.responseFormat !== undefined),
      tools: request.tools.map(({ name }) => name),
      ...(call.server.options.show?.reasoning === true && { show: { reasoning: true } }),
      ...call.streaming,
      onCancel,
    });
    return unlessLeft(call, running, answer);
  },
  refuse,
};
