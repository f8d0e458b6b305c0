import { isObject } from "../base/util/json.ts";
import type { AssistantPart } from "../message/parts.ts";

/** What a field of a part must be. */
interface FieldRule {
  /** As errors name it, behind "is not". */
  readonly what: string;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";

const text: FieldRule = { what: "a text", fits: isText };
const optionalText: FieldRule = { what: "a text", fits: (value) => value === undefined || isText(value) };
const note: FieldRule = { what: "true", fits: (value) => value === undefined || value === true };
const providerData: FieldRule = {
  what: "{ provider, data }",
  fits: (value) => value === undefined || (isObject(value) && isText(value["provider"])),
};

/** A rule for every field of every part: a new one must have its own to compile. */
type RulesByType = {
  readonly [T in AssistantPart["type"]]: Readonly<
    Record<Exclude<keyof Extract<AssistantPart, { type: T }>, "type">, FieldRule>
  >;
};

const rules: RulesByType = {
  text: { text, note, providerData },
  reasoning: { text, providerData },
  image: { url: text, mediaType: optionalText, providerData },
  file: { url: text, mediaType: optionalText, filename: optionalText, providerData },
  "tool-call": { toolCallId: text, providerData },
  provider: { providerData },
};

/** A field of a part that is not what it must be: `mediaType`, which is not "a text". */
export interface WrongField {
  readonly name: string;
  readonly what: string;
}

/** The first field of a part that is not what it must be; `undefined` if none is, and for a part of an unknown type. */
export function wrongFieldOf(part: Readonly<Record<string, unknown>>): WrongField | undefined {
  const { type } = part;
  if (!isPartType(type)) return undefined;
  for (const [name, { what, fits }] of Object.entries(rules[type]))
    if (!fits(part[name])) return { name, what };
  return undefined;
}

/** Whether a value is the type of a part. */
export function isPartType(type: unknown): type is AssistantPart["type"] {
  return typeof type === "string" && Object.hasOwn(rules, type);
}
