import type { Model } from "../../../model/types.ts";
import { httpModel } from "../../kit/http-model.ts";
import type { OpenAIResponsesOptions } from "../options.ts";
import { openaiProtocol } from "../protocol.ts";
import { ResponsesDecoder } from "./decode.ts";
import { responsesRequest } from "./request.ts";

const protocol = openaiProtocol({
  path: "/responses",
  encode: responsesRequest,
  stores: "images-and-documents",
  decode: (context) => new ResponsesDecoder(context),
});

/** Creates a model of the Responses API. */
export function responsesModel(modelId: string, options: OpenAIResponsesOptions): Model {
  return httpModel(protocol, modelId, options);
}
