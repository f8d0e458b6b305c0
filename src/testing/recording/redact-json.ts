import { isDeeperThan } from "../../base/util/is-deeper-than.ts";
import type { JsonValue } from "../../base/util/json.ts";
import { mask } from "../../base/util/redact-keys.ts";
import { secretField } from "./secret-names.ts";

/** How deep the JSON of a text may be to be looked into. */
const deepestText = 200;

/** How to take the secrets out of what is within a value. */
export interface JsonRedaction {
  text(text: string): string;
  /** Secrets as they are, which a number may be, too. */
  readonly values: ReadonlySet<string>;
}

/** Where a value stands: whether it is a secret by its name, and what the object around it is called. */
interface Place {
  readonly isSecret: boolean;
  readonly name: string;
}

/** Keys of objects are texts, too. What stands within a field that is named like a secret is secret as a whole. */
export function redactJson(
  value: JsonValue,
  redaction: JsonRedaction,
  { isSecret, name }: Place = { isSecret: false, name: "" },
): JsonValue {
  if (typeof value === "string") return isSecret && value !== "" ? mask : redactText(value, redaction);
  if (typeof value === "number")
    return (isSecret && value >= 1000) || redaction.values.has(String(value)) ? mask : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item: JsonValue) => redactJson(item, redaction, { isSecret, name }));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      // A schema says of a password what it is like.
      const isNamed = secretField.test(key) && (name !== "properties" || typeof member !== "object");
      return [
        redaction.text(key),
        redactJson(member ?? null, redaction, { isSecret: isSecret || isNamed, name: key }),
      ];
    }),
  );
}

/** The arguments and results of calls are texts of JSON. */
function redactText(text: string, redaction: JsonRedaction): string {
  const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  if (value === undefined || isDeeperThan(value, deepestText)) return redaction.text(text);
  const plain = JSON.stringify(value);
  const redacted = JSON.stringify(redactJson(value, redaction));
  return redaction.text(redacted === plain ? text : redacted);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: a text like another.
    return undefined;
  }
}
