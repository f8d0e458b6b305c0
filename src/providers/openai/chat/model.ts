import type { Model } from "../../../model/types.ts";
import { httpModel } from "../../kit/http-model.ts";
import type { OpenAIOptions } from "../options.ts";
import { openaiProtocol } from "../protocol.ts";
import { ChatDecoder } from "./decode.ts";
import { chatRequest } from "./request.ts";

const protocol = openaiProtocol({
  path: "/chat/completions",
  encode: chatRequest,
  stores: "documents",
  decode: (context) => new ChatDecoder(context),
});

/** Creates a model of the Chat Completions API. */
export function chatModel(modelId: string, options: OpenAIOptions): Model {
  return httpModel(protocol, modelId, options);
}
