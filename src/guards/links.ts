/**
 * What may be a link in a text, as a page may show it: as plain text, Markdown or HTML with styles. All forms are read at once, since nobody knows
 * which one it will be. Each pattern takes a time that grows with the length of the text.
 */
export function* linksIn(text: string): Iterable<string> {
  const decoded = withoutReferences(text);
  const plain = [text, decoded];
  for (const form of new Set([...plain, ...plain.map(withoutEscapes), ...plain.map(withoutStyleEscapes)]))
    for (const link of linksOf(form)) {
      yield link;
      // What ends a link in a decoded text, such as a tab, is within it where it is written as a reference.
      if (link.includes("&")) yield withoutReferences(link);
    }
}

/** Patterns with what is found in the first group that has something. */
const patterns: readonly RegExp[] = [
  // Browsers take any number of slashes, either way, behind `http`; behind another scheme, two begin a host. What stands before it may be a
  // word: many languages write no spaces.
  /(https?:[\\/]+[^\s<>"'`]+|[a-z][a-z0-9+.-]{1,30}:\/\/[^\s<>"'`]*)/gi,
  /(mailto:[^\s<>"'`]+)/gi,
  // Without a scheme: with a path, or in quotes or brackets.
  /(?<![\p{L}\p{N}_:/\\.-])([\\/]{2}[\p{L}\p{N}-]+\.[^\s<>"'`/\\?#:]*(?:[/\\]|[?#][^\s<>"'`]|:\d)[^\s<>"'`]*)/gu,
  /(?<=["'`(=[<：])([\\/]{2}[\p{L}\p{N}-]+\.[^\s<>"'`]*)/gu,
  // Targets of Markdown: of links, images, definitions and in angle brackets.
  /\](?:\(|:)\s*<?([^\s<>)]+)/g,
  /<([a-z][a-z0-9+.-]{1,30}:[^\s<>]*)>/gi,
  // Attributes of HTML, and addresses of styles.
  /\b(?:href|src|srcset|action|formaction|poster|data|cite|background|ping|manifest|archive|codebase|longdesc)\s*=\s*(?:"([^"]{1,2048})|'([^']{1,2048})|([^\s"'>]+))/gi,
  /\burl\(\s*["']?([^"')\s]+)/gi,
];

/** Addresses of mail in angle brackets, of which Markdown makes links. */
const bracketedMail = /<([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[^\s<>]{1,254})>/g;

/** A host without a scheme, wherever it stands. Without a tag before it, a comment of code begins so: `//options.name`. */
const bareHost = /(?<![\p{L}\p{N}_:/\\.-])([\\/]{2}[\p{L}\p{N}-]+\.[^\s<>"'`]*)/gu;
const tag = /<[a-z]/i;

/** Names that readers make links of. */
const bareName = /(?<![a-z\d@/.-])www\.[^\s<>"'`]+/gi;

function* linksOf(text: string): Iterable<string> {
  for (const pattern of tag.test(text) ? [...patterns, bareHost] : patterns)
    for (const [, ...groups] of text.matchAll(pattern)) {
      const link = groups.find((group) => group !== undefined);
      if (link !== undefined) yield withoutPunctuation(link);
    }
  for (const [, address] of text.matchAll(bracketedMail)) yield `mailto:${address}`;
  for (const [name] of text.matchAll(bareName)) yield `https://${withoutPunctuation(name)}`;
}

/** What ends a sentence, or closes a bracket, is not the address's. */
function withoutPunctuation(link: string): string {
  const whole = withoutTypography(link);
  let end = whole.length;
  while (end > 0 && ".,;:!?)]}*_|。…".includes(whole.charAt(end - 1))) end--;
  return end > 0 ? whole.slice(0, end) : whole;
}

/** Quotes, dashes and marks that are in no name of a top-level domain. */
const typography = /[“”„‟‘’‚‹›«»—–，、；！？（）【】「」『』《》]/;

/**
 * An address up to the first typographic mark behind it. What stands behind that may be a part of the host for a browser, which takes
 * `https://example.com，.evil.org` for one below `evil.org`: only letters and digits cannot be.
 */
function withoutTypography(link: string): string {
  const end = link.search(typography);
  if (end < 0) return link;
  const rest = link
    .slice(end)
    .split(typography)
    .join("")
    .replace(/[.,;:!?)\]}*_|。…]+$/, "");
  return /^[\p{L}\p{M}\p{N}]*$/u.test(rest.normalize("NFKC")) ? link.slice(0, end) : link;
}

/** Names of characters that an address is hidden with. */
const names = new Map(
  Object.entries({
    amp: "&",
    colon: ":",
    sol: "/",
    bsol: "\\",
    period: ".",
    commat: "@",
    Tab: "\t",
    NewLine: "\n",
    lpar: "(",
    rpar: ")",
    lsqb: "[",
    rsqb: "]",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
  }),
);

/** A text with its character references as HTML and Markdown read them. */
function withoutReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,7}));?/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return names.get(String(name)) ?? whole;
      return characterOf(decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)) ?? whole;
    },
  );
}

function characterOf(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** A text without the backslashes of Markdown. */
function withoutEscapes(text: string): string {
  return text.includes("\\") ? text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1") : text;
}

/** A text with its escapes as styles read them (CSS Syntax, "consume an escaped code point"). */
function withoutStyleEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(/\\(?:([\da-fA-F]{1,6})(?:\r\n|\s)?|\r?\n|([^\r\n]))/g, (_, hex, other) =>
    hex === undefined ? String(other ?? "") : (characterOf(Number.parseInt(String(hex), 16)) ?? ""),
  );
}
