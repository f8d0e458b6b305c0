import type { Model } from "../../model/types.ts";
import { defaultProvider, type OpenAIOptions } from "../options.ts";
import { type Protocol, streamAnswer } from "../stream.ts";
import { ResponsesDecoder } from "./decode.ts";
import { responsesRequest } from "./request.ts";

const protocol: Protocol = {
  path: "/responses",
  encode: responsesRequest,
  decode: (context) => new ResponsesDecoder(context),
};

/** A model reached through the Responses API. */
export function responsesModel(modelId: string, options: OpenAIOptions): Model {
  const { provider = defaultProvider } = options;
  return { provider, modelId, stream: (request) => streamAnswer(protocol, modelId, options, request) };
}
