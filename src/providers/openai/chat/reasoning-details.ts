import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import { defineOwn } from "../../../base/util/snapshot.ts";
import { asText } from "../../kit/json-values.ts";

/**
 * OpenRouter's `reasoning_details` (https://openrouter.ai/docs/guides/best-practices/reasoning-tokens), assembled
 * from the pieces of a stream: the server requires the complete blocks back unchanged, including their signatures.
 */
export class ReasoningDetails {
  readonly #blocks: Record<string, JsonValue | undefined>[] = [];

  /** Adds a block, or the next piece of the last one. */
  add(piece: JsonObject): void {
    const last = this.#blocks.at(-1);
    if (
      !last ||
      last["type"] !== piece["type"] ||
      last["index"] !== piece["index"] ||
      isOtherId(last, piece)
    ) {
      this.#blocks.push({ ...piece });
      return;
    }
    for (const [key, value] of Object.entries(piece)) {
      const isGrowing = (key === "text" || key === "summary" || key === "data") && typeof value === "string";
      if (isGrowing) last[key] = asText(last[key]) + value;
      else if (value !== null && value !== "") defineOwn(last, key, value);
    }
  }

  /** The blocks so far. */
  get merged(): readonly JsonObject[] {
    return this.#blocks;
  }
}

function isOtherId(last: JsonObject, piece: JsonObject): boolean {
  const [before, now] = [last["id"], piece["id"]];
  return typeof before === "string" && typeof now === "string" && before !== now;
}
