import { secretWord } from "../../base/util/redact-keys.ts";

/**
 * Names that mean a secret in what tools take and return. Short words stand by themselves or behind one that says of what: `pin`, not
 * `spin`. A `signature` alone is a thought's, which the provider needs back.
 */
const fieldWord = [
  String.raw`pwd|passcode|(?:db|user|admin|root|smtp|mail|ftp|ssh|redis|sql|pg)[-_]?pass`,
  String.raw`otp|(?:(?<![a-z])|(?:user|card|sms|login)[-_]?)pin|(?<![a-z])bearer|cvv`,
  String.raw`dsn|conn(?:ection)?[-_]?str(?:ing)?|access[-_]?key[-_]?id`,
  String.raw`(?:passw(?:or)?d|secret|token|pin)[-_]?(?:hash|digest|salt|confirm(?:ation)?)`,
  String.raw`(?:hmac|hook)[-_]?signature|(?:signing|encryption|secret|account|master|subscription|shared|storage|service|license|admin|deploy|ssh)[-_]?key|(?<![a-z])(?:auth|pass)`,
].join("|");

/** Names of secrets: not the tokens that lead to the next page, which a replay needs. */
export const secretFieldName: string = `[\\w.%\\[-]{0,40}(?<!page_?|next_?|sync_?|continuation_?|cursor_?)(?:${secretWord}|${fieldWord})(?:_token)?`;

/** Fields whose values are secrets. The signatures of a model's thoughts are none, and are sent back. */
export const secretField: RegExp = new RegExp(`^${secretFieldName}$`, "i");

/** Parameters of URLs and forms whose values are secrets. */
export const secretParameterName: string = `(?:${secretFieldName}|[\\w.-]{0,40}signature|key|sig)(?:\\]|%5D)?`;

/** The same, whole. */
export const secretParameter: RegExp = new RegExp(`^${secretParameterName}$`, "i");
