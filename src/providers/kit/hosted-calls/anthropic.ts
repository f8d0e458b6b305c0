import type { JsonObject } from "../../../base/util/json.ts";
import { asNumber, asObject, asObjects, asText, stringIn } from "../json-values.ts";
import {
  beginCall,
  endCall,
  type HostedCallReader,
  idOf,
  pageOf,
  textsIn,
  withTexts,
  type ReadCall,
} from "./shape.ts";

/** Reads the blocks of Anthropic's own tools: `server_tool_use`, `mcp_tool_use`, and their results. */
export const readAnthropicCall: HostedCallReader = (block, open) => {
  const type = asText(block["type"]);
  if (type === "server_tool_use" || type === "mcp_tool_use") return beginCall(callOf(block), open);
  if (!type.endsWith("_tool_result")) return [];
  return endCall(stringIn(block, "tool_use_id"), open, (call) => finish(call, block));
};

function callOf(block: JsonObject): ReadCall {
  const name = asText(block["name"]);
  const input = asObject(block["input"]);
  const call = {
    name,
    id: asText(block["id"]) || idOf(name, block),
    status: "running",
    raw: [block],
  } as const;
  switch (name) {
    case "web_search":
      return { ...call, tool: "webSearch", input: { queries: textsIn(input["query"]) }, results: [] };
    case "web_fetch":
      return { ...call, tool: "webFetch", input: { urls: textsIn(input["url"]) }, results: [] };
    case "code_execution":
    case "bash_code_execution":
      return {
        ...call,
        tool: "codeExecution",
        input: { code: asText(input["code"]) || asText(input["command"]) },
      };
    default:
      return { ...call, tool: "other", ...(block["input"] !== undefined && { input: block["input"] }) };
  }
}

function finish(call: ReadCall, block: JsonObject): ReadCall {
  const { content = null } = block;
  const error = errorOf(block);
  const end = {
    status: error === undefined ? "completed" : "failed",
    ...(error !== undefined && { error }),
    raw: [...call.raw, block],
  } as const;
  const result = asObject(content);
  switch (call.tool) {
    case "webSearch":
      return {
        ...call,
        ...end,
        results: asObjects(content).flatMap((page) =>
          pageOf(page["url"], { title: page["title"], age: page["page_age"] }),
        ),
      };
    case "webFetch": {
      const document = asObject(result["content"]);
      const source = asObject(document["source"]);
      const text = source["type"] === "text" ? source["data"] : undefined;
      const fields = { title: document["title"], age: result["retrieved_at"], text };
      return { ...call, ...end, results: pageOf(result["url"], fields) };
    }
    case "codeExecution":
      return { ...call, ...end, ...outputOf(result) };
    case "other":
      return { ...call, ...end, output: content };
    // Anthropic has no such tools.
    case "fileSearch":
    case "imageGeneration":
      return { ...call, ...end };
  }
}

/** What code has printed. Its result may be encrypted. */
function outputOf(result: JsonObject): Pick<Extract<ReadCall, { tool: "codeExecution" }>, "output"> {
  const stdout = stringIn(result, "stdout");
  const exitCode = asNumber(result["return_code"]);
  if (stdout === undefined) return {};
  return {
    output: {
      stdout,
      ...withTexts({ stderr: result["stderr"] }),
      ...(exitCode !== undefined && { exitCode }),
    },
  };
}

function errorOf(block: JsonObject): string | undefined {
  const code = stringIn(asObject(block["content"]), "error_code");
  if (code !== undefined || block["is_error"] !== true) return code;
  const texts = asObjects(block["content"]).map((part) => asText(part["text"]));
  return textsIn(block["content"], texts).join("\n") || "error";
}
