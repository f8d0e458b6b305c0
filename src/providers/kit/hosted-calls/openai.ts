import type { JsonObject } from "../../../base/util/json.ts";
import type { HostedPassage } from "../../../model/hosted-call.ts";
import { asNumber, asObject, asObjects, asText, stringIn } from "../json-values.ts";
import { type HostedCallReader, idOf, pageOf, textsIn, withTexts, type ReadCall } from "./shape.ts";

/** Reads the items of OpenAI's own tools, such as `web_search_call`. Call and result are one item. */
export const readOpenAICall: HostedCallReader = ({ item }) => {
  const call = callOf(asObject(item));
  return call ? [call] : [];
};

/** Items of calls that the program has to execute itself. */
const notHosted: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "computer_call",
  "local_shell_call",
  "apply_patch_call",
]);

/** The call of an item; `undefined` for any other item. */
function callOf(item: JsonObject): ReadCall | undefined {
  const type = asText(item["type"]);
  if (!type.endsWith("_call") || notHosted.has(type)) return undefined;
  const name = type.slice(0, -"_call".length);
  const call = { name, id: asText(item["id"]) || idOf(name, item), ...statusOf(item), raw: [item] };
  switch (name) {
    case "web_search":
      return webCall(call, asObject(item["action"]));
    case "file_search":
      return {
        ...call,
        tool: "fileSearch",
        input: { queries: textsIn(item["queries"]) },
        results: asObjects(item["results"]).map(passageOf),
      };
    case "code_interpreter":
      return { ...call, tool: "codeExecution", input: { code: asText(item["code"]) }, ...outputOf(item) };
    case "image_generation":
      return { ...call, tool: "imageGeneration", input: withTexts({ prompt: item["revised_prompt"] }) };
    default: {
      const { arguments: input, output } = item;
      const ownName = stringIn(item, "name") ?? name;
      return {
        ...call,
        name: ownName,
        tool: "other",
        ...(input !== undefined && { input }),
        ...(output !== undefined && output !== null && { output }),
      };
    }
  }
}

type CallFields = Pick<ReadCall, "name" | "id" | "status" | "error" | "raw">;

/** A search, or a page that the model opens or looks through. */
function webCall(call: CallFields, action: JsonObject): ReadCall {
  if (action["type"] === "open_page" || action["type"] === "find_in_page")
    return {
      ...call,
      tool: "webFetch",
      input: { urls: textsIn(action["url"]) },
      results: pageOf(action["url"], {}),
    };
  const queries = textsIn(action["queries"]);
  return {
    ...call,
    tool: "webSearch",
    input: { queries: queries.length > 0 ? queries : textsIn(action["query"]) },
    results: asObjects(action["sources"]).flatMap(({ url, title }) => pageOf(url, { title })),
  };
}

function passageOf(result: JsonObject): HostedPassage {
  const score = asNumber(result["score"]);
  return {
    ...withTexts({ fileId: result["file_id"], filename: result["filename"], text: result["text"] }),
    ...(score !== undefined && { score }),
  };
}

/** What code has printed. Without `include`, the API does not show it. */
function outputOf({ outputs }: JsonObject): Pick<Extract<ReadCall, { tool: "codeExecution" }>, "output"> {
  if (!Array.isArray(outputs)) return {};
  return {
    output: {
      stdout: asObjects(outputs)
        .map(({ logs }) => asText(logs))
        .join(""),
    },
  };
}

function statusOf(item: JsonObject): Pick<ReadCall, "status" | "error"> {
  const { status, error } = item;
  const message = asText(error) || asText(asObject(error)["message"]) || asText(asObject(error)["type"]);
  if (message !== "" || status === "failed" || status === "incomplete")
    return { status: "failed", error: message || asText(status) };
  return { status: status === undefined || status === "completed" ? "completed" : "running" };
}
