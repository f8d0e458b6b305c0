import { isPlainWords, isStandIn } from "./stand-ins.ts";

/** How the name of a secret ends, and a word such as "monkey" does not. */
const secretName =
  /(?:token|secret|passw(?:or)?d|credentials)$|(?:^|[\d_.-]|api|access|auth|private|secret|encryption|signing|master|service|account|client|license|webhook)key$/i;

/** In names with small letters, a key is that of a list, a chart or a page more often: only these are secret. */
const secretKey =
  /(?:api|access|auth|private|secret|encryption|signing|master|service|account|license|webhook)[_.-]?key$/i;

/** Keys that are not secret: of tables, caches and the like. */
const plainKey =
  /(?:primary|foreign|public|publishable|cache|sort|partition|group|row|hash|range|index|storage|lookup|unique|object|routing|translation)[_.-]?key$/i;

/** Names whose values are generated: words are none. */
const generated = /(?:key|token)$/i;

/** An assignment: capitals anywhere, as in a command or the line of a search; a name with small letters where a line begins. */
const assignment =
  /(?:(?<=\\[nrt])|(?<![\w$.\\-]))([A-Z][A-Z\d_]{0,80})=(?!=)|^[ \t]{0,40}(?:export[ \t]{1,40})?([A-Za-z_][\w.-]{0,80})=(?!=)/gm;

/** What looks like code or a sentence more often: with blanks around the `=`, a property of JSON, a value on the next line, unless that is an assignment. */
const looseAssignment = new RegExp(
  [
    String.raw`(?:(?<=\\[nrt])|(?<![\w$.\\-]))([A-Z][A-Z\d_]{0,80})(?:`,
    String.raw`[ \t]{0,20}=(?![=>]|[ \t]{0,20}\r?\n)[ \t]{0,20}|`,
    String.raw`\\?"[ \t]{0,20}:[ \t]{0,20}(?:\r?\n[ \t]{0,40})?(?=\\?")|`,
    String.raw`[ \t]{0,20}[=:]?[ \t]{0,20}\r?\n[ \t]{0,40}(?![#;[]|(?:export[ \t]{1,40})?[\w.-]{1,80}[ \t]{0,20}(?:=(?!=?[ \t]{0,40}$)|:)))|`,
    String.raw`^[ \t]{0,40}(?:export[ \t]{1,40})?([A-Za-z_][\w.-]{0,80})[ \t]{0,20}=[ \t]{0,20}(?=["'])`,
  ].join(""),
  "gm",
);

/** The beginning of a value in quotes, also escaped ones, or as far as the first blank: so much tells what it is. */
const quotedValue = /\\?(["'])((?:(?!\\?\1)[^\r\n]){0,300})/y;
const plainValue = /[^\s"'`\\]{1,300}/y;

/** The same where nothing but a comment follows on the line. */
const wholeValue = /([^\s"'`\\]{1,300})(?=[ \t]{0,40}(?:$|#|\/\/))/my;

const shortestValue = 8;

/** A letter and a digit, and no blank. */
const mixed = /^(?=.*[A-Za-z])(?=.*\d)\S*$/;

/** An expression of a program: a call, an element, a member, or a variable before a comma. A variable has one digit at most, at its end. */
const expression =
  /^(?:[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[([].*|[A-Za-z_$]+\d?(?:(?:\??\.[A-Za-z_$]+\d?)+[,;)]*|[,;)]+))$/;

/** The path of a file: words, or whatever is before the ending of one. */
const path =
  /^(?:~|\.{1,2})?(?=[^/]{0,40}\/)\/?[A-Z]?[a-z_.-]{1,30}\d?(?:\/[A-Z]?[a-z_.-]{1,30}\d?)*$|^[\w.~-]*\/[\w./-]*\.[a-z]{2,4}\d?$/;

/** A word of a name, with a number behind it, or a number. */
const namePart = String.raw`(?:[A-Z]?[a-z]{1,20}\d{0,5}|\d{1,8})`;
const fileName = String.raw`\.?${namePart}(?:[_.-]${namePart})*`;

/** A path from a root, a home or a folder of its own, or through a hidden folder: its names may have numbers. */
const rootedPath = new RegExp(
  String.raw`^(?=~\/|\.{1,2}\/|\.[a-z]+\/|\/[^/]+\/|[^/]+\/\.)(?:~|\.{1,2})?\/?${fileName}(?:\/${fileName})*$`,
);

/**
 * Whether a text has a secret as `.env` files have them: `NAME=value`, with a name that says so and a value that is not a placeholder.
 * Where it looks like code more often, the value must have a letter and a digit, and no blank.
 */
export function hasEnvSecret(text: string): boolean {
  return (
    hasSecret(text, assignment, (index) => quotedAt(text, index) ?? plainAt(text, index, plainValue)) ||
    hasSecret(text, looseAssignment, (index) => {
      const value = quotedAt(text, index) ?? plainAt(text, index, wholeValue);
      return value !== undefined && mixed.test(value) ? value : undefined;
    })
  );
}

function hasSecret(text: string, assigned: RegExp, valueAt: (index: number) => string | undefined): boolean {
  for (const match of text.matchAll(assigned)) {
    const [start, capitals, name = capitals ?? ""] = match;
    if (!isSecretName(name, capitals !== undefined)) continue;
    const value = valueAt(match.index + start.length);
    if (value !== undefined && isSecret(value, name)) return true;
  }
  return false;
}

function isSecretName(name: string, isCapital: boolean): boolean {
  return (
    secretName.test(name) &&
    !plainKey.test(name) &&
    (isCapital || !/key$/i.test(name) || secretKey.test(name))
  );
}

function quotedAt(text: string, index: number): string | undefined {
  quotedValue.lastIndex = index;
  return quotedValue.exec(text)?.[2];
}

/** A value without quotes, less what ends the command or the sentence that it is in; `undefined` for an expression. */
function plainAt(text: string, index: number, pattern: RegExp): string | undefined {
  pattern.lastIndex = index;
  const [plain = ""] = pattern.exec(text) ?? [];
  return expression.test(plain) ? undefined : plain.replace(/[,;)]+$/, "");
}

function isSecret(value: string, name: string): boolean {
  if (value.length < shortestValue || isStandIn(value)) return false;
  if (path.test(value) || rootedPath.test(value)) return false;
  return !(generated.test(name) && isPlainWords(value));
}
