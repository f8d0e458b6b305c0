import type { AssistantMessage, Message } from "../../message/messages.ts";
import type { ModelRequest } from "../../model/types.ts";
import { callsOf } from "../kit/test-messages.ts";
import { buildRequest, type BuiltRequest } from "./request.ts";

/** A history with one user message. */
export const hello: readonly Message[] = [{ role: "user", content: "Hello" }];

/** A small image. */
export const image = "data:image/png;base64,iVBORw0=";

/** Translates a request for a model. */
export function build(request: Partial<ModelRequest>, modelId = "gemini-3.8-flash"): BuiltRequest {
  return buildRequest({ messages: hello, ...request }, { provider: "google", modelId, isFirstParty: true });
}

/** The body as the server receives it. */
export function bodyOf(request: Partial<ModelRequest>, modelId?: string): ReturnType<typeof JSON.parse> {
  return JSON.parse(JSON.stringify(build(request, modelId).body));
}

/** An answer with a call for each id. */
export function called(...ids: readonly string[]): AssistantMessage {
  return callsOf('{"bird":"heron"}', ids);
}

/** The result of a call. */
export function answered(
  toolCallId: string,
  ...content: Extract<Message, { role: "tool" }>["result"]["content"]
): Message {
  return {
    role: "tool",
    result: { toolCallId, toolName: "look_up", content, isError: false, outcome: "success" },
  };
}
