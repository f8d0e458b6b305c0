/** The lengths of IBANs by country (the registry of ISO 13616, release 99). */
const ibanLengths =
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30";

const lengthOf: ReadonlyMap<string, number> = new Map(
  ibanLengths.split(" ").map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** The IBANs in a text whose checksum is right, in groups or not. */
export function* findIbans(text: string): Iterable<string> {
  for (const { 1: country = "", index } of text.matchAll(/(?<![A-Za-z0-9])([A-Za-z]{2})\d{2}/g)) {
    const length = lengthOf.get(country.toUpperCase());
    const iban = length !== undefined && takeCharacters(text, index, length);
    if (iban && isIban(iban)) yield iban;
  }
}

/** `length` letters and digits from a place on, with a blank or a hyphen between two at most; `undefined` where there are fewer, or more in one piece. */
function takeCharacters(text: string, from: number, length: number): string | undefined {
  let characters = "";
  let at = from;
  for (; characters.length < length; at++) {
    const character = text.charAt(at);
    if (isAlphanumeric(character)) characters += character;
    else if ((character !== " " && character !== "-") || !isAlphanumeric(text.charAt(at - 1)))
      return undefined;
  }
  return isAlphanumeric(text.charAt(at)) ? undefined : characters.toUpperCase();
}

function isAlphanumeric(character: string): boolean {
  return /^[A-Za-z0-9]$/.test(character);
}

/** ISO 7064, MOD 97-10: the first four characters last, letters as 10 to 35. */
function isIban(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Groups of digits with one blank or hyphen between them. */
const digitGroups = /\d+(?:[ -]\d+)*/g;

/** The numbers of Visa, Mastercard, American Express, Discover, JCB, Diners Club and UnionPay: how each begins, and how long it is. */
const cardLike =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|35\d{14,17}|3(?:0[0-5]|[689]\d)\d{11}|62\d{14,17})$/;

/** Groups as cards print them, with what else may stand between two: a dot, several blanks, a line break. More than one may begin within another. */
const printedCard =
  /(?<!\d)(?=((?:\d{4}(?:[\s.-]{1,4}\d{4}){3}(?:[\s.-]{1,4}\d{1,3})?|\d{4}[\s.-]{1,4}\d{6}[\s.-]{1,4}\d{4,5}|\d{8}[\s.-]{1,4}\d{8}))(?!\d))/g;

/** The card numbers in a text whose checksum is right: 13 to 19 digits, in groups or not. */
export function* findCards(text: string): Iterable<string> {
  for (const [, card = ""] of text.matchAll(printedCard)) {
    const digits = card.replaceAll(/\D/g, "");
    if (isCard(digits)) yield digits;
    // A number of three digits may stand behind it.
    else if (digits.length > 16 && isCard(digits.slice(0, 16))) yield digits.slice(0, 16);
  }
  for (const [run] of text.matchAll(digitGroups)) {
    const groups = run.split(/[ -]/);
    // Another number may stand before it, or behind it.
    for (let first = 0; first < groups.length; first++) {
      let digits = "";
      for (let last = first; last < groups.length && digits.length < 19; last++) {
        digits += groups[last] ?? "";
        if (isCard(digits)) yield digits;
      }
    }
  }
}

function isCard(digits: string): boolean {
  return cardLike.test(digits) && isLuhn(digits);
}

/** ISO/IEC 7812-1, annex B. */
function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits.at(-1 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
