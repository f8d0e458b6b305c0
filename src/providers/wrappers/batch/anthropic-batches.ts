import { asNumber, asObject, asObjects, asText } from "../../kit/json-values.ts";
import { type BatchHttp, idOf, readObject } from "./batch-http.ts";
import { outcomesIn } from "./batch-results.ts";
import {
  type BatchApi,
  type BatchOutcome,
  type BatchOutcomes,
  clockDifference,
  type LostBatch,
  mostPages,
  unclear,
} from "./types.ts";
import type { JsonObject } from "../../../base/util/json.ts";

/** The statuses of the types of errors (https://platform.claude.com/docs/en/api/errors). */
const statuses = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/**
 * Anthropic's Message Batches (https://platform.claude.com/docs/en/api/messages/batches). A batch has no name: whether one is that which is
 * looked for, its results say.
 * @param http - Paths are below `/v1/messages`.
 */
export function anthropicBatches(http: BatchHttp): BatchApi {
  const resultsOf = async (id: string): Promise<BatchOutcomes> =>
    outcomesIn([await http.get(`/batches/${encodeURIComponent(id)}/results`)], readLine, (line) =>
      http.excerpt(line),
    );
  return {
    create: async (_group, requests) => {
      const list = requests.map(({ customId, body }) => ({ custom_id: customId, params: body }));
      return idOf(readObject(await http.post("/batches", { requests: list })));
    },
    look: async (id) => {
      const batch = readObject(await http.get(`/batches/${encodeURIComponent(id)}`));
      return isOver(batch) ? resultsOf(id) : undefined;
    },
    find: async (lost) => {
      const { candidates, isCut } = await batchesSince(http, lost);
      let isUnclear = isCut;
      for (const batch of candidates) {
        const results = isOver(batch) ? await resultsOf(idOf(batch)) : undefined;
        if (results?.ids.has(lost.customId)) return idOf(batch);
        // What cannot be read may be of the request.
        if (!results || results.unreadable.length > 0) isUnclear = true;
      }
      return isUnclear ? unclear : undefined;
    },
    cancel: async (id) => void (await http.post(`/batches/${encodeURIComponent(id)}/cancel`)),
  };
}

function isOver(batch: JsonObject): boolean {
  return batch["processing_status"] === "ended";
}

/** The batches that may be the one that is looked for: begun since, and not larger. The list has the newest first. */
async function batchesSince(
  http: BatchHttp,
  { since, size }: LostBatch,
): Promise<{ readonly candidates: readonly JsonObject[]; readonly isCut: boolean }> {
  const candidates: JsonObject[] = [];
  let cursor = "";
  for (let page = 0; page < mostPages; page++) {
    const list = readObject(await http.get(`/batches?limit=100${cursor}`));
    for (const batch of asObjects(list["data"])) {
      if (Date.parse(asText(batch["created_at"])) < since - clockDifference)
        return { candidates, isCut: false };
      if (sizeOf(batch) <= size) candidates.push(batch);
    }
    const last = asText(list["last_id"]);
    if (list["has_more"] !== true || last === "") return { candidates, isCut: false };
    cursor = `&after_id=${encodeURIComponent(last)}`;
  }
  return { candidates, isCut: true };
}

function sizeOf(batch: JsonObject): number {
  return Object.values(asObject(batch["request_counts"])).reduce<number>(
    (sum, count) => sum + (asNumber(count) ?? 0),
    0,
  );
}

function readLine(value: unknown): readonly [string, BatchOutcome] | undefined {
  const line = asObject(value);
  const customId = asText(line["custom_id"]);
  const result = asObject(line["result"]);
  const type = asText(result["type"]);
  if (type === "succeeded") return [customId, { status: 200, body: result["message"] }];
  if (type === "expired" || type === "canceled") return [customId, type];
  if (type !== "errored") return undefined;
  // `{ type: "error", error: { type, message } }`, as a request by itself gets it.
  const error = asObject(result["error"]);
  const kind = asText(asObject(error["error"])["type"]);
  return [customId, { status: statuses.get(kind) ?? 500, body: error }];
}
