/** What stands in the place of a secret. */
export const mask = "[redacted]";

/**
 * Keys as providers write them, whole or in part: `sk-...`, `gsk_...`, `xai-...`, `Bearer ...`, those of GitHub, GitLab, Amazon, Slack, npm,
 * PyPI, Shopify, SendGrid, Stripe, Replicate, Databricks and other services, and JSON web tokens. Names such as `pk_order_item` are
 * none: such a key has a digit or a capital, looked for in 60 characters, so that long texts stay cheap. For the same reason a web token
 * is looked for only where a word begins.
 */
export const keyLike: RegExp =
  /\b(?:(?:sk|gsk|xai|nvapi)[-_]|(?:pk|hf)[-_](?=[\w*.-]{0,60}[\dA-Z*]))[\w*.-]{6,}|\bAIza[\w-]{20,}|\bBearer\s+[\w*.~+/=-]{6,}|\b(?:gh[opsur]|github_pat)_\w{20,}|\bA[KS]IA[\dA-Z]{16}|\b(?:xox\w|xapp)-[\w-]{8,}|\b(?:gl(?:pat|dt|rt|cbt|ptt|ft|imt|soat)|GOCSPX|PMAK)-(?=[\w.-]{0,60}\d)[\w.-]{20,}|\bpypi-AgE[\w-]{16,}|\b(?:dop_v1|shp(?:at|ca|pa|ss)|whsec|lin_api|ntn|sntrys)_(?=\w{0,60}\d)\w{20,}|\brk_(?:live|test)_[\da-zA-Z]{16,}|\br8_[\da-zA-Z]{30,}|\bnpm_[\da-zA-Z]{36}\b|\bdapi[\da-f]{32}|\bya29\.[\w-]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;

/** The end of a name of something secret. */
export const secretWord =
  "(?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|authorization|credentials?|cookie|jwt|session[-_]?id)";
/** Such a field as JSON writes it, within another text too: `"token": "..."`, `\\"apiKey\\":\\"...\\"`. */
const secretField = new RegExp(
  `(\\\\{0,3}["'])([\\w.-]{0,40}(?:${secretWord}|signature))\\1(\\s{0,8}:\\s{0,8})\\1(?!\\1)(?:(?!\\1)(?:\\\\[^]|[^]))*`,
  "gi",
);
/** Such a field as an address has it: `?api_key=...`. */
const secretParameter = new RegExp(`([?&;][\\w.-]{0,40}(?:${secretWord}|signature)=)[^\\s&;"'<>\\\\]+`, "gi");

/** The password of an address: `postgres://user:...@host`. */
export const addressPassword: RegExp = /(:\/\/[^\s/:@"'<>\\]{0,200}:)[^\s/@"'<>\\]{1,400}(?=@)/g;

/** The text with whatever looks like a key masked, the passwords of addresses, and whatever stands in a field that is named like one. */
export function redactKeys(text: string): string {
  return text
    .replaceAll(keyLike, mask)
    .replaceAll(secretField, (_, quote, name, colon) => `${quote}${name}${quote}${colon}${quote}${mask}`)
    .replaceAll(secretParameter, (_, start) => `${start}${mask}`)
    .replaceAll(addressPassword, `$1${mask}`);
}
