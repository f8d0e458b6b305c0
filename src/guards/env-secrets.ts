/** How the name of a secret ends, and a word such as "monkey" does not. */
const secretName =
  /(?:token|secret|passw(?:or)?d|credentials)$|(?:^|[\d_.-]|api|access|auth|private|secret|encryption|signing|master|service|account|client|license|webhook)key$/i;

/** In names with small letters, a key is that of a list, a chart or a page more often: only these are secret. */
const secretKey =
  /(?:api|access|auth|private|secret|encryption|signing|master|service|account|license|webhook)[_.-]?key$/i;

/** Keys that are not secret: of tables, caches and the like. */
const plainKey =
  /(?:primary|foreign|public|publishable|cache|sort|partition|group|row|hash|range|index|storage|lookup|unique|object|routing|translation)[_.-]?key$/i;

/** An assignment: capitals anywhere, as in a command or the line of a search; a name with small letters where a line begins. */
const assignment =
  /(?:(?<=\\[nrt])|(?<![\w$.\\-]))([A-Z][A-Z\d_]{0,80})=(?!=)|^[ \t]{0,40}(?:export[ \t]{1,40})?([A-Za-z_][\w.-]{0,80})=(?!=)/gm;

/** The beginning of a value in quotes, also escaped ones, or as far as the first blank: so much tells what it is. */
const quotedValue = /\\?(["'])((?:(?!\\?\1)[^\r\n]){0,300})/y;
const plainValue = /[^\s"'`\\]{1,300}/y;

const shortestValue = 8;

/** Words of which one is a placeholder, if there is nothing else but words. */
const placeholderWord =
  /(?:^|[^a-z])(?:your|my|change|changeme|changethis|replace|replaceme|insert|enter|set|add|put|example|placeholder|dummy|sample|redacted|hidden|todo|fixme|here|none|unset|undefined|required|optional|disabled|enabled)(?:[^a-z]|$)/i;

/** Nothing but words and what is between them. */
const wordsOnly =
  /^[\s_.:<>()[\]-]{0,3}[A-Za-z]{1,20}\d?(?:[\s_.:<>()[\]-]{1,3}[A-Za-z]{1,20}\d?)*[\s_.:<>()[\],;-]{0,3}$/;

/** One character again and again, behind a beginning such as `sk-`. */
const blanked = /^(?:[A-Za-z\d]{1,8}[-_])*([xX*.•#_-])\1{2,}\d{0,4}$|^(.)\2+$/;

/** What stands for a value that is elsewhere: a variable, a command, a template, an address, a name in a vault. */
const reference =
  /^(?:\$[A-Za-z_\d({]|%\w+%$|<[^>]*>?$|\{|(?:[a-z][a-z\d+.-]*:\/\/)|(?:arn|vault|ssm|keyring|env|file):)|\$\{/i;

/** An expression of a program: a member, an element, a call. */
const expression =
  /^[A-Za-z_$][\w$]*(?:(?:\??\.[A-Za-z_$][\w$]*)*[([].*|(?:\??\.[A-Za-z_$]+\d?)+[,;)]*|[,;)]+)$/;

/** The path of a file. */
const path = /^(?:~|\.{1,2})?(?=[^/]{0,40}\/)\/?[A-Z]?[a-z_.-]{1,30}\d?(?:\/[A-Z]?[a-z_.-]{1,30}\d?)*$/;

/** Whether a text has a secret as `.env` files have them: `NAME=value`, with a name that says so and a value that is not a placeholder. */
export function hasEnvSecret(text: string): boolean {
  for (const match of text.matchAll(assignment)) {
    const [start, capitals, name = capitals ?? ""] = match;
    if (!isSecretName(name, capitals !== undefined)) continue;
    if (isSecretValue(text, match.index + start.length)) return true;
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

function isSecretValue(text: string, index: number): boolean {
  quotedValue.lastIndex = index;
  const quoted = quotedValue.exec(text)?.[2];
  if (quoted !== undefined) return isSecret(quoted);
  plainValue.lastIndex = index;
  const [plain = ""] = plainValue.exec(text) ?? [];
  return !expression.test(plain) && isSecret(plain);
}

function isSecret(value: string): boolean {
  if (value.length < shortestValue || blanked.test(value) || reference.test(value) || path.test(value))
    return false;
  return !(placeholderWord.test(value) && wordsOnly.test(value));
}
