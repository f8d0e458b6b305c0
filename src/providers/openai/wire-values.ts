import type { TokenLogprob } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { asNumber, asObjects, asText } from "../kit/json-values.ts";

/** Reads `{ token, logprob, top_logprobs }`, which both protocols share. */
export function logprobOf(value: JsonObject): TokenLogprob {
  const alternatives = asObjects(value["top_logprobs"]).map(tokenOf);
  return { ...tokenOf(value), ...(alternatives.length > 0 && { topLogprobs: alternatives }) };
}

function tokenOf(value: JsonObject): { token: string; logprob: number } {
  return { token: asText(value["token"]), logprob: asNumber(value["logprob"]) ?? Number.NEGATIVE_INFINITY };
}
