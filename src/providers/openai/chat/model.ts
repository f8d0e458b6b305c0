import type { Model } from "../../../model/types.ts";
import type { OpenAIOptions } from "../options.ts";
import { modelOver, type Protocol } from "../stream.ts";
import { ChatDecoder } from "./decode.ts";
import { chatRequest } from "./request.ts";

const protocol: Protocol = {
  path: "/chat/completions",
  encode: chatRequest,
  decode: (context) => new ChatDecoder(context),
};

/** A model reached through Chat Completions. */
export function chatModel(modelId: string, options: OpenAIOptions): Model {
  return modelOver(protocol, modelId, options);
}
