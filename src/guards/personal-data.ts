import { describeValue, invalidOption, readOptions } from "../base/options/known-options.ts";
import { findCards, findIbans } from "./account-numbers.ts";
import type { Judged } from "./checks.ts";
import { plainText } from "./plain.ts";

/** What `personalData` knows. */
export type PersonalDataKind = "email" | "phone" | "iban" | "card";

/** What `personalData` looks for. */
export interface PersonalDataOptions {
  /** All of them by default. */
  readonly kinds?: readonly PersonalDataKind[];
  /** What may stand in a text all the same, such as the addresses and numbers of the program's own company. */
  readonly except?: readonly string[];
}

/** What each kind is called in a reason, and what finds it. Every pattern takes a time that grows with the length of the text. */
const kinds: Readonly<
  Record<PersonalDataKind, readonly [name: string, find: (text: string) => Iterable<string>]>
> = {
  email: ["an email address", findEmails],
  phone: ["a phone number", findPhones],
  iban: ["a bank account (IBAN)", findIbans],
  card: ["a card number", findCards],
};

/**
 * A check without a model: whether a text has an email address, a phone number (international, or as North America or countries with a
 * leading 0 write it), an IBAN whose checksum is right, or a card number whose checksum is right. It recognises forms: a name or a street
 * has none.
 * @throws ConfigurationError (`invalid-option`)
 */
export function personalData(
  options: PersonalDataOptions = {},
): (judged: Pick<Judged, "text">) => string | undefined {
  const { kinds: names = allKinds, except = [] } = readOptions(
    options,
    { kinds: true, except: true },
    "personalData()",
  );
  assertKinds(names);
  assertTexts(except);
  const allowed = new Set(except.map(keyOf));
  return ({ text }) => {
    const plain = plainText(text);
    const hits = names.filter((name) => [...kinds[name][1](plain)].some((hit) => !allowed.has(keyOf(hit))));
    return hits.length === 0 ? undefined : hits.map((name) => kinds[name][0]).join(", ");
  };
}

const allKinds: readonly PersonalDataKind[] = ["email", "phone", "iban", "card"];

function assertKinds(names: unknown): void {
  const isList = Array.isArray(names) && names.length > 0;
  if (isList && names.every((name) => Object.hasOwn(kinds, String(name)))) return;
  throw invalidOption(
    `kinds of personalData() must be a list of ${allKinds.map((kind) => `"${kind}"`).join(", ")}, not ${isList ? JSON.stringify(names) : describeValue(names)}.`,
    { option: "kinds" },
  );
}

function assertTexts(except: unknown): void {
  if (Array.isArray(except) && except.every((each) => typeof each === "string")) return;
  throw invalidOption("except of personalData() must be a list of texts.", { option: "except" });
}

/** The same address or number, however it is written. */
function keyOf(text: string): string {
  return plainText(text)
    .toLowerCase()
    .replaceAll(/[\s()./-]/g, "");
}

/** A name is as long as it may be (RFC 5321: 64 characters); what stands before does not matter. */
const email = /[^\s@<>()[\]",;:]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu;

/** The name of an image for screens of more dots: `logo@2x.png`. */
const imageName = /@[\d.]{1,4}x\.(?:avif|bmp|gif|heic|jpe?g|pdf|png|svg|tiff?|webp)$/i;

function* findEmails(text: string): Iterable<string> {
  // Without it there is no address, and nothing to look for at each character.
  if (!text.includes("@")) return;
  for (const { 0: hit, index } of text.matchAll(email)) {
    // A repository, which nobody can write to: `git@github.com:owner/name`.
    const isRepository =
      /(?:^|\/)git@/.test(hit) && /^[:/]\S/.test(text.slice(index + hit.length).slice(0, 2));
    if (!isRepository && !imageName.test(hit)) yield hit;
  }
}

/** Numbers as people write them: digits, and what stands between them. */
const numberLike = /(?<![\p{L}\p{N}_])[+(]?\d[\d ()./-]{5,24}\d(?![\p{L}\p{N}_])/gu;

/** E.164 with its sign or `00`; as North America writes it; with the leading 0 of many countries, and parted once at least. */
const phones: readonly RegExp[] = [
  /^(?:\+|00)[1-9][\d ()./-]*$/,
  /^(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/,
  /^\(?0[1-9]\d{0,4}\)?[ /-][\d /-]*$/,
];

/** What has the form of a number, and is none: a date with its time, an amount. */
const otherNumbers: readonly RegExp[] = [
  /^(?:0?[1-9]|[12]\d|3[01])([ ./-])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d(?!\d)/,
  /^\+[1-9]\d{0,2}(?:[ .]?000){2,}$/,
  // Of North America, the only number with a 1: ten digits, of which the first is not 0 or 1.
  /^(?:\+|00)1(?!\D*[2-9](?:\D*\d){9}$)/,
];

function* findPhones(text: string): Iterable<string> {
  for (const [hit] of text.matchAll(numberLike)) {
    const digits = hit.replaceAll(/\D/g, "").length;
    // A date has 8; the longest number has 15, and `00` before it.
    if (digits < 9 || digits > 17 || otherNumbers.some((other) => other.test(hit))) continue;
    if (phones.some((phone) => phone.test(hit))) yield hit;
  }
}
