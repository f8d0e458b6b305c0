import type { Model } from "../../model/types.ts";
import { defaultProvider, type OpenAIOptions } from "../options.ts";
import { type Protocol, streamAnswer } from "../stream.ts";
import { ChatDecoder } from "./decode.ts";
import { chatRequest } from "./request.ts";

const protocol: Protocol = {
  path: "/chat/completions",
  encode: chatRequest,
  decode: (context) => new ChatDecoder(context),
};

/** A model reached through Chat Completions. */
export function chatModel(modelId: string, options: OpenAIOptions): Model {
  const { provider = defaultProvider } = options;
  return { provider, modelId, stream: (request) => streamAnswer(protocol, modelId, options, request) };
}
