import { secretWord } from "../../base/util/redact-keys.ts";

/** Names of secrets: not the tokens that lead to the next page, which a replay needs. */
export const secretFieldName: string = `[\\w.%\\[-]{0,40}(?<!page_?|next_?|sync_?|continuation_?|cursor_?)${secretWord}(?:_token)?`;

/** Fields whose values are secrets. The signatures of a model's thoughts are none, and are sent back. */
export const secretField: RegExp = new RegExp(`^${secretFieldName}$`, "i");

/** Parameters of URLs and forms whose values are secrets. */
export const secretParameterName: string = `(?:${secretFieldName}|[\\w.-]{0,40}signature|key|sig)(?:\\]|%5D)?`;

/** The same, whole. */
export const secretParameter: RegExp = new RegExp(`^${secretParameterName}$`, "i");
