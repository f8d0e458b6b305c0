import { closest } from "../base/util/closest.ts";
import type { Issue } from "../schema/types.ts";
import { loadReflection } from "../tool/load-reflection.ts";
import type { Declarations } from "./declarations.ts";
import { wordsFor } from "./mistake-words.ts";

/** What is wrong with a program; nothing for one that may run. */
export type CheckProgram = (code: string, declarations: Declarations) => Promise<readonly Issue[]>;

/** What programs have beside their tools, for the checker. */
const environment = `interface Console { log(...values: unknown[]): void; info(...values: unknown[]): void; warn(...values: unknown[]): void; error(...values: unknown[]): void; debug(...values: unknown[]): void }
declare const console: Console;
interface Missing<Name> {}
`;

/** What the language has elsewhere, and programs do not have. */
const missing = ["Intl", "Atomics", "SharedArrayBuffer"];

const header = `declare const ${missing.map((name) => `${name}: Missing<"${name}">`).join(", ")};
export default async () => {
`;

/** How many mistakes the model reads of: the first ones often cause the others. */
const mostMistakes = 5;

/** The longest declaration that stands with a mistake, in characters. */
const longestDeclaration = 300;

/** How many tools a mistake lists. */
const mostNames = 30;

/** How many programs are remembered: corrections of a model look at its earlier attempts again. */
const mostRemembered = 32;

/** Loads what checks programs; `undefined` where TypeScript cannot be loaded. */
export async function loadProgramCheck(): Promise<CheckProgram | undefined> {
  const checker = await openChecker();
  if (!checker) return undefined;
  const remembered = new Map<string, Promise<readonly Issue[]>>();
  return (code, declarations) => {
    const key = `${declarations.text}\0${code}`;
    const earlier = remembered.get(key);
    if (earlier) return earlier;
    const issues = issuesOf(code, declarations, checker);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= mostRemembered) remembered.delete(oldest);
    remembered.set(key, issues);
    return issues;
  };
}

async function issuesOf(
  code: string,
  declarations: Declarations,
  checker: Checker,
): Promise<readonly Issue[]> {
  const mistakes = await checker.check(environment + declarations.text, `${header}${code}\n};\n`);
  return mistakes.slice(0, mostMistakes).map((mistake) => toIssue(mistake, code, declarations));
}

type Checker = NonNullable<
  Awaited<ReturnType<Awaited<ReturnType<typeof loadReflection>>["openProgramChecker"]>>
>;

async function openChecker(): Promise<Checker | undefined> {
  try {
    const { openProgramChecker } = await loadReflection();
    return await openProgramChecker();
  } catch {
    return undefined;
  }
}

/** Where a mistake is, what it is, and the declaration of the tool there. */
function toIssue(
  { start, end, text }: { readonly start: number; readonly end: number; readonly text: string },
  code: string,
  declarations: Declarations,
): Issue {
  const from = Math.min(Math.max(start - header.length, 0), code.length);
  const before = code.slice(0, from).split("\n");
  const line = before.length;
  const column = (before.at(-1) ?? "").length + 1;
  const place = code.slice(from, Math.max(from, end - header.length)).split("\n", 1)[0] ?? "";
  const source = code.split("\n")[line - 1]?.trim() ?? "";
  const unknown = unknownTool(text, place, before.join("\n"), declarations);
  const declared = unknown?.declared ?? declarationFor(code, from, declarations);
  const parts = [
    `line ${line}, column ${column}: ${unknown?.words ?? wordsFor(text, code)}`,
    `in ${JSON.stringify((source || place).slice(0, 120))}`,
    ...(declared === undefined ? [] : [`The declaration: ${onOneLine(declared)}`]),
  ];
  return { path: ["code"], message: parts.join(" ") };
}

/** A tool by a wrong name, or without `tools`: what it may be instead. */
function unknownTool(
  text: string,
  place: string,
  before: string,
  declarations: Declarations,
): { readonly words: string; readonly declared?: string | undefined } | undefined {
  const isMember = text.startsWith("Property '") && /\btools\s*(?:\??\.|\[)\s*$/.test(before);
  const name = /^(?:Property|Cannot find name) '([^']+)'/.exec(text)?.[1] ?? "";
  if (!isMember) {
    const declared =
      text.startsWith("Cannot find name") && place === name ? declarations.of(name) : undefined;
    return declared === undefined ? undefined : { words: `${wordsFor(text)} Call tools.${name}.`, declared };
  }
  const { names } = declarations;
  const [near] = closest(name, names);
  if (near !== undefined)
    return { words: `Unknown tool '${name}'. Did you mean '${near}'?`, declared: declarations.of(near) };
  const list = names.slice(0, mostNames).join(", ");
  return { words: `Unknown tool '${name}'. The tools are: ${list}${names.length > mostNames ? ", …" : ""}.` };
}

/** The declaration of the tool that a place in a program is about: the last one that is named up to there. */
function declarationFor(code: string, place: number, declarations: Declarations): string | undefined {
  const endOfLine = code.indexOf("\n", place);
  const upTo = endOfLine < 0 ? code : code.slice(0, endOfLine);
  const names = [...upTo.matchAll(/\btools\s*(?:\.\s*([\w$]+)|\[\s*["'`]([^"'`]+)["'`]\s*\])/g)];
  const used = new Set(declarations.names);
  // Or one that the program has by a name of its own.
  const calls = [...upTo.matchAll(/(?<![\w$.])([\w$]+)\s*\(/g)].filter(([, name = ""]) => used.has(name));
  return [...calls, ...names]
    .toSorted((left, right) => right.index - left.index)
    .map(([, name, quoted]) => declarations.of(name ?? quoted ?? ""))
    .find((each) => each !== undefined);
}

function onOneLine(declared: string): string {
  const text = declared
    .replaceAll(/\/\*\*[^]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length > longestDeclaration ? `${text.slice(0, longestDeclaration)}…` : text;
}
