import { repairHistory } from "../../message/repair-history.ts";
import type { AnswerDecoder } from "../../model/answer-stream.ts";
import type { PostAnswer } from "../../model/http.ts";
import type { ModelRequest } from "../../model/types.ts";
import { WireNames } from "../../model/wire-names.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { AnswerCalls } from "../kit/answer-calls.ts";
import type * as kit from "../kit/http-model.ts";
import { asObject, asObjects, isJsonObject, parseObject, withExactArguments } from "../kit/json-values.ts";
import { openaiInfo } from "./info.ts";
import { type Connection, connect, type OpenAIResponsesOptions } from "./options.ts";
import { supportsOutput } from "./output-format.ts";

/** What a decoder needs to read an answer. */
export interface AnswerContext extends Omit<kit.AnswerContext, "request" | "encoded" | "usedIds"> {
  readonly names: WireNames;
  readonly calls: AnswerCalls;
  /** What could not be sent as requested. */
  readonly warnings: readonly string[];
}

/** The parts in which OpenAI's protocols differ. */
export interface ProtocolParts {
  /** Appended to the base URL, such as `"/chat/completions"`. */
  readonly path: string;
  readonly encode: (connection: Connection, request: ModelRequest) => kit.EncodedRequest;
  readonly decode: (context: AnswerContext) => AnswerDecoder;
  /** The parts that requests may refer to by ids of files. */
  readonly stores: "documents" | "images-and-documents";
}

/** One of OpenAI's protocols. */
export type OpenAIProtocol = kit.HttpProtocol<OpenAIResponsesOptions, Connection, kit.EncodedRequest>;

/** Creates one of OpenAI's protocols. */
export function openaiProtocol({ path, encode, decode, stores }: ProtocolParts): OpenAIProtocol {
  return {
    defaultProvider: openaiInfo.name,
    connect: (modelId, options) => connect(modelId, path, options),
    encode: (connection, request) =>
      encode(connection, { ...request, messages: repairHistory(request.messages) }),
    files: async (connection) => {
      const { openaiFiles, isDocument, isImageOrDocument } = await import("./files.ts");
      const takes = stores === "documents" ? isDocument : isImageOrDocument;
      return openaiFiles(connection, connection.url.slice(0, -path.length), takes);
    },
    decode: ({ request, encoded, usedIds, ...context }) => {
      const names = new WireNames((request.tools ?? []).map((tool) => tool.name));
      return decode({
        ...context,
        names,
        calls: new AnswerCalls(context.builder, usedIds),
        warnings: encoded.warnings,
      });
    },
    supportsOutput,
  };
}

/** Parses a piece of an answer; `undefined` for `[DONE]`. */
export function parseChunk(data: string, answer: PostAnswer): JsonObject | undefined {
  return data === "[DONE]" ? undefined : withExactArguments(parseObject(data, answer), data, hasObjects);
}

/** Whether the arguments of a call are an object instead of its text, as some compatible servers send them. */
function hasObjects({ choices, item, response }: JsonObject): boolean {
  for (const choice of asObjects(choices)) {
    const { tool_calls: calls, function_call: call } = asObject(choice["delta"] ?? choice["message"]);
    for (const { function: named } of asObjects(calls)) if (isObjectInput(named)) return true;
    if (isObjectInput(call)) return true;
  }
  return isObjectInput(item) || asObjects(asObject(response)["output"]).some(isObjectInput);
}

function isObjectInput(call: unknown): boolean {
  return isJsonObject(asObject(call)["arguments"]);
}
