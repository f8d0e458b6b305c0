import { SkeinError } from "../errors.ts";
import { mask, redactKeys } from "../base/util/redact-keys.ts";

/** Headers whose values are secrets, whatever the provider. */
const secretHeader = /authorization|cookie|key|secret|token/i;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Makes the function that masks whatever looks like a key, and the values of `headers` that are keys, also URL-encoded. */
export function redactor(headers: Readonly<Record<string, string>>): Redact {
  const secrets = Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => [value, value.replace(/^(?:Bearer|Basic)\s+/i, "")])
    .filter((value) => value.length >= 4)
    .flatMap((value) => {
      const encoded = encodeURIComponent(value.toWellFormed());
      return [value, encoded, encoded.replace(/%../g, (code) => code.toLowerCase())];
    })
    .sort((a, b) => b.length - a.length);
  return (text) => redactKeys(secrets.reduce((clean, secret) => clean.replaceAll(secret, mask), text));
}

/** The most errors that are looked at, causes and aggregated errors included. */
const mostErrors = 32;

/** What may be shown of a foreign error. Clients add requests and headers to theirs, and with them the key. */
const shownFields = ["name", "message", "stack", "code", "errno", "syscall", "status", "cause", "errors"];

/** The error itself if nothing in it, its fields or its causes looks like a key, else a copy as of `copyError`. Never throws itself. */
export function withoutSecrets(error: unknown): unknown {
  let isClean = true;
  let count = 0;
  const redact = (text: string): string => {
    const clean = redactKeys(text);
    isClean &&= clean === text;
    return clean;
  };
  const look = (source: object): void => {
    isClean &&= ++count < mostErrors;
    try {
      // Skein's own errors have clean fields, which may be as long as a run's state.
      if (!(source instanceof SkeinError)) redact(JSON.stringify(source) ?? "");
    } catch {
      // What cannot be looked at is not passed on.
      isClean = false;
    }
  };
  try {
    const copy = copyWithin(error, redact, look);
    return isClean ? error : copy;
  } catch {
    return unshowable();
  }
}

/** A copy of a foreign error with what may be shown of it; its causes and aggregated errors are copied alike. Never throws itself. */
export function copyError(error: unknown, redact: Redact): unknown {
  try {
    return copyWithin(error, redact);
  } catch {
    return unshowable();
  }
}

function unshowable(): Error {
  return new Error("something that cannot be shown");
}

function copyWithin(error: unknown, redact: Redact, onObject?: (source: object) => void): unknown {
  let left = mostErrors;
  const copyOf = (source: unknown): unknown => {
    if (typeof source !== "object" || source === null)
      return typeof source === "string" ? redact(source) : source;
    if (left-- <= 0) return undefined;
    onObject?.(source);
    const copy = new Error("something that is not an error");
    for (const key of shownFields) {
      const value: unknown = Reflect.get(source, key);
      const isShown = key === "cause" || /string|number/.test(typeof value);
      const visible = Array.isArray(value)
        ? value.slice(0, mostErrors).map(copyOf)
        : isShown && copyOf(value);
      if (visible !== undefined && visible !== false) Object.assign(copy, { [key]: visible });
    }
    return copy;
  };
  return copyOf(error);
}
