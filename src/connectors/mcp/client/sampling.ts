import type { Client, CreateMessageRequest, CreateMessageResult } from "@modelcontextprotocol/client";
import { isCompleteAgent } from "../../../agent/handoff.ts";
import type { FinishReason, Message } from "../../../message/messages.ts";
import type { Part } from "../../../message/parts.ts";
import type { Model } from "../../../model/types.ts";
import { generate } from "../../../run/generate.ts";
import { toPart } from "./content.ts";
import { mcpHost } from "./host.ts";
import type { SamplingOptions, SamplingRequest } from "./questions.ts";
import type { ServerScope } from "./scope.ts";

/** The most tokens of an answer unless the options say otherwise. */
const defaultMaxTokens = 4_096;

/** JSON-RPC 2.0: the parameters are not as they should be. */
const invalidParams = -32_602;

/** The code that the protocol's examples have for a user who does not want it. */
const rejected = -1;

/** Answers the server's wishes for a model's words. */
export function serveSampling(client: Client, options: SamplingOptions, scope: ServerScope): void {
  client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq: { signal } }) => {
    const request = toRequest(params, options, scope.server, signal);
    const approve = options.approve ?? mcpHost().approveSampling;
    if ((await approve?.(request)) !== true)
      throw new Refusal("The user rejected the sampling request.", rejected);
    const { server, maxOutputTokens, ...modelRequest } = request;
    const { temperature, stopSequences } = params;
    const model = modelFor(options, scope);
    const { text, finishReason, response } = await generate(model, {
      ...modelRequest,
      settings: {
        maxOutputTokens,
        ...(temperature !== undefined && { temperature }),
        ...(stopSequences && { stopSequences }),
      },
    });
    return {
      role: "assistant",
      content: { type: "text", text },
      model: response.modelId,
      stopReason: stopReasonOf(finishReason),
    } satisfies CreateMessageResult;
  });
}

function toRequest(
  { messages, maxTokens, systemPrompt, tools, toolChoice }: CreateMessageRequest["params"],
  { maxOutputTokens = defaultMaxTokens }: SamplingOptions,
  server: string,
  signal: AbortSignal,
): SamplingRequest {
  if (tools || toolChoice)
    throw new Refusal("This client offers no tools in sampling requests.", invalidParams);
  return {
    server,
    messages: messages.map(toMessage),
    maxOutputTokens: Math.max(1, Math.min(maxTokens, maxOutputTokens)),
    signal,
    ...(systemPrompt !== undefined && { instructions: systemPrompt }),
  };
}

function toMessage({ role, content }: CreateMessageRequest["params"]["messages"][number]): Message {
  const parts: readonly Part[] = [content].flat().map((block) => {
    if (block.type === "tool_use" || block.type === "tool_result")
      throw new Refusal("This client offers no tools in sampling requests.", invalidParams);
    return toPart(block);
  });
  return role === "user" ? { role, content: parts } : { role, content: parts, toolCalls: [] };
}

/** The model of the last call that is under way, or of its agent. */
function modelFor({ model }: SamplingOptions, { calls }: ServerScope): Model | string {
  const call = [...calls].at(-1);
  const chosen = model ?? call?.model ?? (isCompleteAgent(call?.agent) ? call.agent.model : undefined);
  if (chosen === undefined) throw new Refusal("No model is available for sampling at this moment.", rejected);
  return chosen;
}

const stopReasons: Partial<Record<FinishReason, string>> = { stop: "endTurn", length: "maxTokens" };

function stopReasonOf(reason: FinishReason): string {
  return stopReasons[reason] ?? reason;
}

/** An error whose code and message are sent to the server. */
class Refusal extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}
