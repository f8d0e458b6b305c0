/** What stands in the place of a secret. */
export const mask = "[redacted]";

/**
 * Keys as providers write them, whole or in part: `sk-...`, `gsk_...`, `xai-...`, `Bearer ...`. Names such as `pk_order_item` are
 * none: such a key has a digit or a capital, looked for in 60 characters, so that long texts stay cheap.
 */
const keyLike =
  /\b(?:(?:sk|gsk|xai|nvapi)[-_]|(?:pk|hf)[-_](?=[\w*.-]{0,60}[\dA-Z*]))[\w*.-]{6,}|\bAIza[\w-]{20,}|\bBearer\s+[\w*.~+/=-]{6,}/g;

/** The end of a field's name that is named like a secret. */
const secretWord =
  "(?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|authorization|credentials?|cookie|jwt|session[-_]?id|signature)";
/** Such a field as JSON writes it, within another text too: `"token": "..."`, `\\"apiKey\\":\\"...\\"`. */
const secretField = new RegExp(
  `(\\\\{0,3}["'])([\\w.-]{0,40}${secretWord})\\1(\\s{0,8}:\\s{0,8})\\1(?!\\1)(?:(?!\\1)(?:\\\\[^]|[^]))*`,
  "gi",
);
/** Such a field as an address has it: `?api_key=...`. */
const secretParameter = new RegExp(`([?&;][\\w.-]{0,40}${secretWord}=)[^\\s&;"'<>\\\\]+`, "gi");

/** The text with whatever looks like a key masked, and whatever stands in a field that is named like one. */
export function redactKeys(text: string): string {
  return text
    .replaceAll(keyLike, mask)
    .replaceAll(secretField, (_, quote, name, colon) => `${quote}${name}${quote}${colon}${quote}${mask}`)
    .replaceAll(secretParameter, (_, start) => `${start}${mask}`);
}
