import type { Model } from "../../../model/types.ts";
import type { OpenAIOptions } from "../options.ts";
import { modelOver, type Protocol } from "../stream.ts";
import { ResponsesDecoder } from "./decode.ts";
import { responsesRequest } from "./request.ts";

const protocol: Protocol = {
  path: "/responses",
  encode: responsesRequest,
  decode: (context) => new ResponsesDecoder(context),
};

/** A model reached through the Responses API. */
export function responsesModel(modelId: string, options: OpenAIOptions): Model {
  return modelOver(protocol, modelId, options);
}
