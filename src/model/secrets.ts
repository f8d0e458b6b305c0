/** What stands in the place of a secret. */
const mask = "[redacted]";

/** Headers whose values are secrets, whatever the provider. */
const secretHeader = /authorization|cookie|key|secret|token/i;

/** Keys as providers write them, whole or in part: `sk-...`, `gsk_...`, `xai-...`, `Bearer ...`. */
const keyLike = /\b(?:sk|pk|gsk|xai|hf|nvapi)[-_][\w*.-]{6,}|\bAIza[\w-]{20,}|\bBearer\s+[\w*.~+/=-]{6,}/g;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Makes the function that masks whatever looks like a key, and the values of `headers` that are keys. */
export function redactor(headers: Readonly<Record<string, string>>): Redact {
  const secrets = Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => [value, value.replace(/^(?:Bearer|Basic)\s+/i, "")])
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length);
  return (text) =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, mask), text).replaceAll(keyLike, mask);
}

/** The error itself if no secret stands in it or its causes, else a plain error with what may be told of it. */
export function withoutSecrets(error: unknown, redact: Redact): unknown {
  let depth = 0;
  for (let link: unknown = error; link instanceof Error && depth < 8; link = link.cause, depth += 1) {
    const told = `${link.message}\n${link.stack ?? ""}`;
    if (redact(told) !== told)
      return new Error(redact(error instanceof Error ? error.message : String(error)));
  }
  return typeof error === "string" ? redact(error) : error;
}
