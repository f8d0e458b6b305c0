import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import type { HostedPassage } from "../../../model/hosted-call.ts";
import { asObject, asObjects, asText, isJsonObject, stringIn } from "../json-values.ts";
import {
  beginCall,
  endCall,
  type HostedCallReader,
  idOf,
  type OpenCalls,
  pageOf,
  textsIn,
  withTexts,
  type ReadCall,
} from "./shape.ts";

/**
 * Reads the parts of Google's own tools: code and its result, calls and their responses, and the sources that stand at the end of an
 * answer. A search without a call of its own is read from its sources.
 */
export const readGoogleCall: HostedCallReader = (part, open) => {
  const { executableCode, codeExecutionResult, toolCall, toolResponse, metadata } = part;
  if (isJsonObject(executableCode)) return beginCall(codeCall(executableCode, part), open);
  if (isJsonObject(codeExecutionResult)) return endCode(codeExecutionResult, part, open);
  if (isJsonObject(toolCall)) return beginCall(toolCallOf(toolCall, part), open);
  if (isJsonObject(toolResponse))
    return endCall(stringIn(toolResponse, "id"), open, (call) => {
      const ended = withResponse(call, toolResponse, part);
      if (ended.tool === "webSearch") open.search = ended;
      return ended;
    });
  return isJsonObject(metadata) ? callsOfMetadata(metadata, open) : [];
};

function codeCall(code: JsonObject, part: JsonObject): ReadCall {
  const name = "codeExecution";
  return {
    tool: name,
    name,
    id: stringIn(code, "id") ?? idOf(name, code),
    status: "running",
    input: { code: asText(code["code"]) },
    raw: [part],
  };
}

/** The result follows its code; older models send no ids. */
function endCode(result: JsonObject, part: JsonObject, open: OpenCalls): readonly ReadCall[] {
  const id =
    stringIn(result, "id") ?? [...open.running.values()].findLast(({ tool }) => tool === "codeExecution")?.id;
  return endCall(id, open, (call) => {
    const { outcome } = result;
    const raw = [...call.raw, part];
    if (call.tool !== "codeExecution") return { ...call, status: "completed", raw };
    const output = { stdout: asText(result["output"]) };
    if (outcome === "OUTCOME_OK" || outcome === undefined)
      return { ...call, status: "completed", output, raw };
    return { ...call, status: "failed", error: asText(outcome), output, raw };
  });
}

function toolCallOf(toolCall: JsonObject, part: JsonObject): ReadCall {
  const name = asText(toolCall["toolType"]);
  const args = asObject(toolCall["args"]);
  const call = {
    name,
    id: stringIn(toolCall, "id") ?? idOf(name, toolCall),
    status: "running",
    raw: [part],
  } as const;
  const queries = textsIn(args["queries"], args["query"]);
  switch (name) {
    case "GOOGLE_SEARCH_WEB":
      return { ...call, tool: "webSearch", input: { queries }, results: [] };
    case "URL_CONTEXT":
      return { ...call, tool: "webFetch", input: { urls: textsIn(args["urls"], args["url"]) }, results: [] };
    case "FILE_SEARCH":
      return { ...call, tool: "fileSearch", input: { queries }, results: [] };
    default:
      return { ...call, tool: "other", input: args };
  }
}

/** What a response holds is not documented: it stays in `raw`, and the sources at the end of the answer say what was found. */
function withResponse(call: ReadCall, toolResponse: JsonObject, part: JsonObject): ReadCall {
  const response: JsonValue = toolResponse["response"] ?? null;
  const end = { status: "completed", raw: [...call.raw, part] } as const;
  return call.tool === "other" ? { ...call, ...end, output: response } : { ...call, ...end };
}

/** The calls that the sources of an answer speak of. */
function callsOfMetadata(
  { groundingMetadata, urlContextMetadata }: JsonObject,
  { search }: OpenCalls,
): readonly ReadCall[] {
  const grounding = asObject(groundingMetadata);
  const chunks = asObjects(grounding["groundingChunks"]);
  const calls: ReadCall[] = [];
  const queries = textsIn(grounding["webSearchQueries"]);
  const results = chunks.flatMap(({ web }) =>
    pageOf(asObject(web)["uri"], { title: asObject(web)["title"] }),
  );
  if (search?.tool === "webSearch") calls.push({ ...search, results, raw: [...search.raw, grounding] });
  else if (queries.length + results.length > 0)
    calls.push({ ...done("googleSearch", grounding), tool: "webSearch", input: { queries }, results });
  const passages = chunks.flatMap(({ retrievedContext }) =>
    isJsonObject(retrievedContext) ? [retrievedContext] : [],
  );
  if (passages.length > 0)
    calls.push({
      ...done("fileSearch", passages),
      tool: "fileSearch",
      input: { queries: textsIn(grounding["retrievalQueries"]) },
      results: passages.map(passageOf),
    });
  const places = chunks.flatMap(({ maps }) => (isJsonObject(maps) ? [maps] : []));
  if (places.length > 0) calls.push({ ...done("googleMaps", places), tool: "other", output: places });
  const reads = asObjects(asObject(urlContextMetadata)["urlMetadata"]);
  return reads.length === 0 ? calls : [...calls, fetchOf(reads)];
}

type CallFields = Pick<ReadCall, "name" | "id" | "status" | "raw">;

/** A call of which only the sources are known. */
function done(name: string, content: JsonValue): CallFields {
  return { name, id: idOf(name, content), status: "completed", raw: [content] };
}

function fetchOf(reads: readonly JsonObject[]): ReadCall {
  const isRead = ({ urlRetrievalStatus: status }: JsonObject): boolean =>
    status === undefined || status === "URL_RETRIEVAL_STATUS_SUCCESS";
  const failures = reads.filter((read) => !isRead(read)).map((read) => asText(read["urlRetrievalStatus"]));
  return {
    ...done("urlContext", reads),
    ...(failures.length === reads.length && { status: "failed", error: failures.join(", ") }),
    tool: "webFetch",
    input: { urls: textsIn(reads.map(({ retrievedUrl }) => retrievedUrl)) },
    results: reads.filter(isRead).flatMap(({ retrievedUrl }) => pageOf(retrievedUrl, {})),
  };
}

function passageOf(context: JsonObject): HostedPassage {
  return withTexts({
    fileId: context["documentName"] ?? context["uri"],
    filename: context["title"],
    text: context["text"],
  });
}
