import { withTags } from "./doc-sections.ts";
import type { Node } from "./host.ts";
import { shownTags } from "./script-tags.ts";

/** A tag of a doc comment: its name without `@`, and its text. */
export interface DocTag {
  readonly name: string;
  readonly text: string;
  /** A default that stands in the brackets of `@param [name=default]`: they say that it may be left out. */
  readonly isOfBrackets?: true;
}

/** What a doc comment says of one parameter. */
export interface ParameterDoc {
  readonly description: string;
  readonly tags: readonly DocTag[];
}

/** A doc comment, read. */
export interface DocComment {
  /** The text before the first tag; empty if there is none. */
  readonly summary: string;
  /** `@param` entries by name: `city`, `options.city`. */
  readonly parameters: ReadonlyMap<string, ParameterDoc>;
  /** All tags that belong to no parameter. */
  readonly tags: readonly DocTag[];
}

interface RawTag extends DocTag {
  /** Whether the tag stands within a line, after other text. */
  readonly inline: boolean;
}

/** Tags that may follow a `@param` and then speak of that parameter. */
const constraints =
  "minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|pattern|format|" +
  "minItems|maxItems|uniqueItems|integer|default|defaultValue|example|examples|deprecated";
const constraintTag = new RegExp(`^(?:${constraints})$`);
const parameterTag = /^(?:param|arg|argument)$/;
/** On a line of their own, these speak of the function, also after a `@param`. */
const functionTag = /^(?:example|examples|deprecated)$/;
/** Nothing but the end of a line or other tags follow one that says for whom a member is: else it is a word of the text. */
const visibility = "(?:internal|private|protected|public)(?=\\s*(?:@|$))";
const inlineTag = new RegExp(
  `(?<=\\s)@(?:(?:param|arg|argument|returns?|${constraints})(?=\\s|$)|${visibility})`,
  "g",
);

const read = new WeakMap<Node, { readonly comment: DocComment | undefined }>();

/** The doc comment directly before `node`; `undefined` if there is none. */
export function leadingDocComment(node: Node): DocComment | undefined {
  const cached = read.get(node) ?? { comment: readDocComment(node) };
  read.set(node, cached);
  return cached.comment;
}

function readDocComment(node: Node): DocComment | undefined {
  const file = node.getSourceFile();
  const tag = shownTags(file.text.slice(node.pos, node.end));
  if (declaringTag.test(tag)) return ofDeclaringTag(tag);
  // Read from the text: the tree does not attach a comment that stands on the line of the property before.
  const trivia = shownTags(file.text.slice(node.getFullStart(), node.getStart(file)));
  const comments = trivia.match(/\/\*\*(?!\/)[\s\S]*?\*\//g) ?? [];
  const comment = comments.findLast((each) => !bundlerComment.test(each));
  const doc = comment === undefined || fileComment.test(comment) ? undefined : parseDocComment(comment);
  return doc === undefined || isCast(doc) ? undefined : doc;
}

/** A type that is written before an expression of JavaScript says nothing in words. */
function isCast({ summary, parameters, tags }: DocComment): boolean {
  const isType = ({ name }: DocTag): boolean => name === "type" || name === "satisfies";
  return summary === "" && parameters.size === 0 && tags.length > 0 && tags.every(isType);
}

/** A comment with one of these speaks of the whole file, whatever comes next. */
const fileComment = /^\s*(?:\/\*)?\*?\s*@(?:file|fileoverview|overview|module|packageDocumentation)\b/m;

/** What only bundlers read: `@__PURE__`. */
const bundlerComment = /^\/\*\*\s*[@#]__[A-Z_]+__\s*\*\/$/;

const declaringTag = /^\s*@(?:prop|property|param|arg|argument)\s/;

/** A property of a JSDoc `@typedef`, or a parameter of a `@callback`: its declaration is the tag itself. */
function ofDeclaringTag(text: string): DocComment {
  const { parameters } = parseDocComment(`/**${text.replace(/@\w+/, "@param")}*/`);
  const [{ description, tags } = { description: "", tags: [] }] = parameters.values();
  return { summary: description, parameters: new Map(), tags };
}

/** Reads a doc comment, from `/**` to its end. */
export function parseDocComment(comment: string): DocComment {
  const lines = comment
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const [opening, ...rawTags] = splitAtTags(withTags(lines));
  const parameters = new Map<string, { description: string; tags: DocTag[] }>();
  const tags: DocTag[] = [];
  let current: { description: string; tags: DocTag[] } | undefined;
  for (const { name, text, inline } of rawTags) {
    if (parameterTag.test(name)) {
      const parameter = parseParameter(text);
      current = { description: parameter.description, tags: [...parameter.tags] };
      parameters.set(parameter.name, current);
    } else if (current !== undefined && constraintTag.test(name) && (inline || !functionTag.test(name))) {
      current.tags.push({ name, text });
    } else {
      if (!constraintTag.test(name)) current = undefined;
      tags.push({ name, text });
    }
  }
  const description = tags.find((tag) => tag.name === "description" || tag.name === "summary")?.text;
  return { summary: opening.text || (description ?? ""), parameters, tags };
}

/** The text before the first tag, then each tag with its text. Code blocks and code spans hold no tags. */
function splitAtTags(lines: readonly string[]): readonly [RawTag, ...RawTag[]] {
  const opening = { name: "", inline: false, lines: [] as string[] };
  const openings = [opening];
  let isCode = false;
  for (const line of lines) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    for (const [index, piece] of (isCode ? [line] : splitLine(line)).entries()) {
      const tag = isCode ? null : /^\s*@([A-Za-z][\w-]*)(?![\w/])\s?(.*)$/.exec(piece);
      if (tag) openings.push({ name: tag[1] ?? "", inline: index > 0, lines: [tag[2] ?? ""] });
      else openings.at(-1)?.lines.push(piece);
    }
  }
  const [first, ...rest] = openings.map(({ name, inline, lines }) => ({ name, inline, text: plain(lines) }));
  return [first ?? { name: "", inline: false, text: "" }, ...rest];
}

function splitLine(line: string): readonly string[] {
  const starts = [...line.matchAll(inlineTag)]
    .map((match) => match.index)
    .filter((index) => line.slice(0, index).split("`").length % 2 === 1);
  const bounds = [0, ...starts.filter((start) => line.slice(0, start).trim() !== ""), line.length];
  return bounds.slice(0, -1).map((start, index) => line.slice(start, bounds[index + 1]));
}

/** Text as a model should read it: links by their label, no space around. */
function plain(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\{@(?:link|linkcode|linkplain)\s+([^\s|}]+)\s*\|?\s*([^}]*)\}/g, (_all, target, label) =>
      String(label || target).trim(),
    )
    .trim();
}

/** `{type} name - description`, where the type may be absent and the name be `[name]` or `[name=default]`. */
function parseParameter(text: string): {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly DocTag[];
} {
  const rest = text.startsWith("{") ? text.slice(endOfBraces(text)).trimStart() : text;
  const end = rest.startsWith("[") ? endOfBrackets(rest) : rest.search(/\s|$/);
  const description = rest
    .slice(end)
    .replace(/^\s*(?:[-:\u2013\u2014](?=\s|$))?\s*/, "")
    .trim();
  if (!rest.startsWith("[")) return { name: rest.slice(0, end).replace(/:$/, ""), description, tags: [] };
  const [, name = "", value = ""] =
    /^\[\s*((?:\[\]|[^\s=\]])*)\s*(?:=([^]*))?\]$/.exec(rest.slice(0, end)) ?? [];
  const initial = value.trim();
  // What is left out anyway is not a value.
  const isValue = initial !== "" && initial !== "undefined";
  return { name, description, tags: isValue ? [{ name: "default", text: initial, isOfBrackets: true }] : [] };
}

/** The end of `[name=default]`, whose default may have brackets and quotes of its own; else that of the first `]`. */
function endOfBrackets(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const quoted = /^(["'`])(?:\\[^]|(?!\1)[^\\\n])*\1/.exec(text.slice(index));
    if (quoted !== null) index += quoted[0].length - 1;
    else if ("[({".includes(text[index] ?? " ")) depth += 1;
    else if ("])}".includes(text[index] ?? " ")) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.indexOf("]") + 1 || text.length;
}

function endOfBraces(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "{") depth += 1;
    if (text[index] === "}") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}
