import { errorMessage } from "../base/util/error-message.ts";
import { mask, redactKeys } from "../base/util/redact-keys.ts";

/** Headers whose values are secrets, whatever the provider. */
const secretHeader = /authorization|cookie|key|secret|token/i;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Makes the function that masks whatever looks like a key, and the values of `headers` that are keys. */
export function redactor(headers: Readonly<Record<string, string>>): Redact {
  const secrets = Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => [value, value.replace(/^(?:Bearer|Basic)\s+/i, "")])
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length);
  return (text) => redactKeys(secrets.reduce((clean, secret) => clean.replaceAll(secret, mask), text));
}

/**
 * The error itself if no secret stands in it or its causes, else a plain error with what may be shown of it. Never throws itself.
 * @param redact by default whatever looks like a key is a secret.
 */
export function withoutSecrets(error: unknown, redact: Redact = redactKeys): unknown {
  if (typeof error === "string") return redact(error);
  try {
    let depth = 0;
    for (let link = error; link instanceof Error && depth < 8; link = link.cause, depth += 1) {
      const text = [link.message, link.stack].map(String).join("\n");
      if (redact(text) !== text) return new Error(redact(errorMessage(error)));
    }
    return error;
  } catch {
    // What may not be looked at may not be handed on.
    return new Error("something that cannot be shown");
  }
}
