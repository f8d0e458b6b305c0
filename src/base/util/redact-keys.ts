/** What stands in the place of a secret. */
export const mask = "[redacted]";

/**
 * Keys as providers write them, whole or in part: `sk-...`, `gsk_...`, `xai-...`, `Bearer ...`. Names such as `pk_order_item` are
 * none: such a key has a digit or a capital, looked for in 60 characters, so that long texts stay cheap.
 */
const keyLike =
  /\b(?:(?:sk|gsk|xai|nvapi)[-_]|(?:pk|hf)[-_](?=[\w*.-]{0,60}[\dA-Z*]))[\w*.-]{6,}|\bAIza[\w-]{20,}|\bBearer\s+[\w*.~+/=-]{6,}/g;

/** The text with whatever looks like a key masked. */
export function redactKeys(text: string): string {
  return text.replaceAll(keyLike, mask);
}
