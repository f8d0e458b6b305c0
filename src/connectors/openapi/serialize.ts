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

/** How the members of a list or of an object are written as one text. */
interface Joining {
  readonly encode: Encode;
  readonly between: string;
  readonly equals: string;
}

/** Where a value goes: a part of a multipart body is written like a form, but nothing of it is encoded. */
export type ValuePlace = ParameterLocation | "form" | "part";

/** How members are joined; `undefined` where each is written by itself. */
function joiningOf(place: ValuePlace, { style, explode, allowReserved }: Serialization): Joining | undefined {
  if (place === "path") {
    const between = style === "label" && explode ? "." : (delimiters[style] ?? ",");
    return style === "matrix" && explode
      ? undefined
      : { encode: percent, between, equals: explode ? "=" : "," };
  }
  const plain = decodeURIComponent(delimiters[style] ?? ",");
  if (place === "header") return { encode: String, between: plain, equals: explode ? "=" : "," };
  if (explode || style === "deepObject") return undefined;
  if (place === "part") return { encode: String, between: plain, equals: plain };
  const between = delimiters[style] ?? ",";
  return { encode: encoderOf(allowReserved), between, equals: between };
}

function encoderOf(allowReserved: boolean): Encode {
  return allowReserved ? percentReserved : percent;
}

/** A value as one text. */
function joined(value: unknown, { encode, between, equals }: Joining): string {
  const entries = entriesOf(value);
  if (!entries) return encode(textOf(value));
  return entries
    .map(([name, member]) =>
      name === undefined ? encode(textOf(member)) : `${encode(name)}${equals}${encode(textOf(member))}`,
    )
    .join(between);
}

/** Whether a list has an item without a value, which its style would drop. */
function hasNullItem(value: unknown, { style }: Pick<Serialization, "style">): boolean {
  if (Array.isArray(value) && value.some((item) => item === null || item === undefined)) return true;
  // Other styles write what is deeper as JSON, which has null.
  return (
    style === "deepObject" && (entriesOf(value)?.some(([, each]) => hasNullItem(each, { style })) ?? false)
  );
}

/** An item of a list, or a member of an object, that would arrive as several or not at all, as the rest of a sentence. */
export function memberProblem(place: ValuePlace, value: unknown, how: Serialization): string | undefined {
  if (how.mediaType === undefined && hasNullItem(value, how))
    return "has the item null, which cannot be written there: leave it out";
  const joining = how.mediaType === undefined ? joiningOf(place, how) : undefined;
  if (!joining) return undefined;
  const { encode, between, equals } = joining;
  const holds = (text: string, delimiter: string): boolean =>
    encode(text).toUpperCase().includes(delimiter.toUpperCase());
  for (const [name, member] of entriesOf(value) ?? []) {
    const text = textOf(member);
    const delimiter =
      [between, equals].find((each) => name !== undefined && holds(name, each)) ??
      (holds(text, between) ? between : undefined);
    if (delimiter === undefined) continue;
    const which =
      name === undefined ? `the item ${quoted(text)}` : `the property ${quoted(name)} with ${quoted(text)}`;
    return `has ${which}, which holds ${quoted(decodeURIComponent(delimiter))}: that stands between its items, and one would arrive as several`;
  }
  return undefined;
}

/** The beginning of a text, for an error. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

/** A path parameter, as it stands in place of its braces. */
export function serializePath(name: string, value: unknown, how: Serialization): string {
  if (how.mediaType !== undefined) return percent(JSON.stringify(value));
  const joining = joiningOf("path", how);
  if (how.style === "matrix") return matrix(percent(name), value, joining);
  const text = joining ? joined(value, joining) : "";
  return how.style === "label" ? `.${text}` : text;
}

function matrix(name: string, value: unknown, joining: Joining | undefined): string {
  const entries = entriesOf(value);
  if (!entries || joining) {
    const text = joining ? joined(value, joining) : percent(textOf(value));
    return text === "" ? `;${name}` : `;${name}=${text}`;
  }
  return entries
    .map(([key, member]) => `;${key === undefined ? name : percent(key)}=${percent(textOf(member))}`)
    .join("");
}

/** A header's value, without any encoding. */
export function serializeHeader(value: unknown, how: Serialization): string {
  const joining = how.mediaType === undefined ? joiningOf("header", how) : undefined;
  return joining ? joined(value, joining) : JSON.stringify(value);
}

/** The pairs of a query, of a form or of a cookie that a value is written as; none for an empty list or object. */
export function serializePairs(name: string, value: unknown, how: Serialization): readonly string[] {
  const encode = encoderOf(how.allowReserved);
  const key = percent(name);
  if (how.mediaType !== undefined) return [`${key}=${encode(JSON.stringify(value))}`];
  const entries = entriesOf(value);
  if (!entries) return [`${key}=${encode(textOf(value))}`];
  if (entries.length === 0) return [];
  if (how.style === "deepObject")
    return deepMembers(name, value).map((each) => `${percent(each.name)}=${encode(textOf(each.value))}`);
  const joining = joiningOf("query", how);
  if (joining) return [`${key}=${joined(value, joining)}`];
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
