import type { JsonObject } from "../../../base/util/json.ts";
import { asNumber, asObject, asObjects, asText, stringIn } from "../../kit/json-values.ts";
import { type BatchHttp, idOf, readObject } from "./batch-http.ts";
import { outcomesIn } from "./batch-results.ts";
import {
  type BatchApi,
  type BatchOutcome,
  type BatchOutcomes,
  type BatchRequest,
  clockDifference,
  type LostBatch,
  mostPages,
  unclear,
} from "./types.ts";

/** Where the name of a batch stands in its `metadata`. */
const nameOfGroup = "skein_batch";

/** What became of requests that a batch which did not complete has no line for. */
const restOf = new Map<string, BatchOutcome>([
  ["expired", "expired"],
  ["cancelled", "canceled"],
]);

/**
 * OpenAI's Batch API (https://platform.openai.com/docs/api-reference/batch): requests are a file of lines, and so are the answers. A batch
 * has its name in its `metadata`.
 * @param http - Paths are below the model's base URL.
 * @param path - The path of the model's requests, such as `/chat/completions`.
 */
export function openaiBatches(http: BatchHttp, path: string): BatchApi {
  const url = `/v1${path}`;
  const contentOf = (id: string | undefined): Promise<string> =>
    id === undefined ? Promise.resolve("") : http.get(`/files/${encodeURIComponent(id)}/content`);
  const outcomesOf = (files: readonly string[]): BatchOutcomes =>
    outcomesIn(files, readLine, (line) => http.excerpt(line));
  return {
    create: async (group, requests) => {
      const file = readObject(await http.prepare("/files", fileOf(group, url, requests)));
      const batch = await http.post("/batches", {
        input_file_id: idOf(file),
        endpoint: url,
        completion_window: "24h",
        metadata: { [nameOfGroup]: group },
      });
      return idOf(readObject(batch));
    },
    look: async (id) => {
      const batch = readObject(await http.get(`/batches/${encodeURIComponent(id)}`));
      const status = asText(batch["status"]);
      if (status === "failed") return { ...outcomesOf([]), rest: { status: 400, body: problemOf(batch) } };
      if (!["completed", "expired", "cancelled"].includes(status)) return undefined;
      const files = await Promise.all([
        contentOf(stringIn(batch, "output_file_id")),
        contentOf(stringIn(batch, "error_file_id")),
      ]);
      const rest = restOf.get(status);
      return { ...outcomesOf(files), ...(rest && { rest }) };
    },
    find: (lost) => findBatch(http, lost),
    cancel: async (id) => void (await http.post(`/batches/${encodeURIComponent(id)}/cancel`)),
  };
}

function fileOf(group: string, url: string, requests: readonly BatchRequest[]): FormData {
  const lines = requests.map(({ customId, body }) =>
    JSON.stringify({ custom_id: customId, method: "POST", url, body }),
  );
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }), `${group}.jsonl`);
  return form;
}

/** The list has the newest first. */
async function findBatch(http: BatchHttp, { group, since }: LostBatch): Promise<string | undefined> {
  let cursor = "";
  for (let page = 0; page < mostPages; page++) {
    const list = readObject(await http.get(`/batches?limit=100${cursor}`));
    const batches = asObjects(list["data"]);
    const match = batches.find((batch) => asObject(batch["metadata"])[nameOfGroup] === group);
    if (match) return idOf(match);
    const last = batches.at(-1);
    const createdAt = (asNumber(last?.["created_at"]) ?? 0) * 1_000;
    if (!last || list["has_more"] !== true || createdAt < since - clockDifference) return undefined;
    cursor = `&after=${encodeURIComponent(idOf(last))}`;
  }
  return unclear;
}

/** Why a batch was refused after it was submitted, as the error of a request by itself. */
function problemOf(batch: JsonObject): JsonObject {
  const [first] = asObjects(asObject(batch["errors"])["data"]);
  const message = asText(first?.["message"]) || "The batch failed.";
  return { error: { message, type: "invalid_request_error", code: asText(first?.["code"]) || null } };
}

function readLine(value: unknown): readonly [string, BatchOutcome] | undefined {
  const line = asObject(value);
  const customId = asText(line["custom_id"]);
  if (customId === "") return undefined;
  const error = asObject(line["error"]);
  const code = asText(error["code"]);
  if (code === "batch_expired") return [customId, "expired"];
  if (code === "batch_cancelled") return [customId, "canceled"];
  const response = asObject(line["response"]);
  const status = asNumber(response["status_code"]);
  if (status !== undefined) return [customId, { status, body: response["body"] }];
  return [customId, { status: 500, body: { error } }];
}
