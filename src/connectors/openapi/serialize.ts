import { isPlainObject } from "../../base/util/json.ts";
import type { ParameterLocation, Serialization } from "./types.ts";

/** Writes a text so that it can stand at its place. */
type Encode = (text: string) => string;

/** What stands between the members of a list or an object that is written as one value. */
const delimiters: Readonly<Record<string, string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};

/** Everything but letters, digits and `-._~` (RFC 3986) as UTF-8 in percents. */
export function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** As `percent`, but for reserved characters that mean nothing in a query, and for what is encoded already. */
function percentReserved(text: string): string {
  return percent(text)
    .replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|3D)/g, (code) => decodeURIComponent(code))
    .replaceAll(/%25([\dA-F]{2})/gi, "%$1");
}

/** A value that is neither a list nor an object, as text; nested ones as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? "";
}

/** The items of a list, or the members of an object, without those that have no value; `undefined` for anything else. */
function entriesOf(
  value: unknown,
): readonly (readonly [name: string | undefined, value: unknown])[] | undefined {
  const entries: readonly (readonly [string | undefined, unknown])[] | undefined = Array.isArray(value)
    ? value.map((item: unknown) => [undefined, item] as const)
    : isPlainObject(value)
      ? Object.entries(value)
      : undefined;
  return entries?.filter(([, member]) => member !== undefined && member !== null);
}

/** A list or an object as one text, `between` its members. */
function joined(value: unknown, encode: Encode, between: string, equals: string): string {
  const entries = entriesOf(value);
  if (!entries) return encode(textOf(value));
  return entries
    .map(([name, member]) =>
      name === undefined ? encode(textOf(member)) : `${encode(name)}${equals}${encode(textOf(member))}`,
    )
    .join(between);
}

/** A path parameter, as it stands in place of its braces. */
export function serializePath(name: string, value: unknown, how: Serialization): string {
  if (how.mediaType !== undefined) return percent(JSON.stringify(value));
  const { style, explode } = how;
  const equals = explode ? "=" : ",";
  if (style === "label") return `.${joined(value, percent, explode ? "." : ",", equals)}`;
  if (style === "matrix") return matrix(percent(name), value, explode);
  return joined(value, percent, delimiters[style] ?? ",", equals);
}

function matrix(name: string, value: unknown, explode: boolean): string {
  const entries = entriesOf(value);
  if (!entries || !explode) {
    const text = joined(value, percent, ",", ",");
    return text === "" ? `;${name}` : `;${name}=${text}`;
  }
  return entries
    .map(([key, member]) => `;${key === undefined ? name : percent(key)}=${percent(textOf(member))}`)
    .join("");
}

/** A header's value, without any encoding. */
export function serializeHeader(value: unknown, how: Serialization): string {
  if (how.mediaType !== undefined) return JSON.stringify(value);
  const between =
    how.style === "pipeDelimited"
      ? "|"
      : how.style === "spaceDelimited"
        ? " "
        : how.style === "tabDelimited"
          ? "\t"
          : ",";
  return joined(value, String, between, how.explode ? "=" : ",");
}

/** The pairs of a query, of a form or of a cookie that a value is written as; none for an empty list or object. */
export function serializePairs(name: string, value: unknown, how: Serialization): readonly string[] {
  const encode = how.allowReserved ? percentReserved : percent;
  const key = percent(name);
  if (how.mediaType !== undefined) return [`${key}=${encode(JSON.stringify(value))}`];
  const entries = entriesOf(value);
  if (!entries) return [`${key}=${encode(textOf(value))}`];
  if (entries.length === 0) return [];
  if (how.style === "deepObject")
    return deepMembers(name, value).map((each) => `${percent(each.name)}=${encode(textOf(each.value))}`);
  const between = delimiters[how.style];
  if (!how.explode) return [`${key}=${joined(value, encode, between ?? ",", between ?? ",")}`];
  return entries.map(
    ([member, each]) => `${member === undefined ? key : percent(member)}=${encode(textOf(each))}`,
  );
}

/** A member of a deep object, under the name that it is sent with. */
export interface SentMember {
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** `name[key]` of each; the specification says nothing of what is deeper, for which this does as most servers do. */
export function deepMembers(name: string, value: unknown): readonly SentMember[] {
  const members: SentMember[] = [];
  const add = (member: SentMember): void => {
    const entries = entriesOf(member.value);
    if (!entries) members.push(member);
    for (const [index, [key = index, inner]] of (entries ?? []).entries())
      add({ name: `${member.name}[${key}]`, path: [...member.path, key], value: inner });
  };
  add({ name, path: [], value });
  return members;
}

/** What cannot be written as a parameter of a place, as the rest of a sentence. */
export function misfit(place: ParameterLocation, value: unknown): string | undefined {
  if (
    place === "path" &&
    (value === "" || entriesOf(value)?.every(([name = "", each]) => name === "" && each === ""))
  )
    return "is empty, and a path has no place for that";
  if (hasHalfCharacter(value))
    return "holds half of a character, which no address can: write the whole character";
  return undefined;
}

/** Whether a text in the value has one of two surrogates alone. */
function hasHalfCharacter(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  return (
    entriesOf(value)?.some(([name = "", each]) => !name.isWellFormed() || hasHalfCharacter(each)) ?? false
  );
}
