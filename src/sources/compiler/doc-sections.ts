/** Sections of Google's and NumPy's style, and the JSDoc tag that says the same. */
const sections: ReadonlyMap<string, string> = new Map([
  ["args", "param"],
  ["arguments", "param"],
  ["params", "param"],
  ["parameters", "param"],
  ["other parameters", "param"],
  ["keyword args", "param"],
  ["keyword arguments", "param"],
  ["returns", "returns"],
  ["return", "returns"],
  ["yields", "yields"],
  ["yield", "yields"],
  ["raises", "throws"],
  ["throws", "throws"],
  ["example", "example"],
  ["examples", "example"],
  ["see also", "see"],
  ["references", "see"],
]);

/** Fields of reStructuredText, and the JSDoc tag that says the same. */
const fields: ReadonlyMap<string, string> = new Map([
  ["param", "param"],
  ["parameter", "param"],
  ["arg", "param"],
  ["argument", "param"],
  ["key", "param"],
  ["keyword", "param"],
  ["return", "returns"],
  ["returns", "returns"],
  ["yield", "yields"],
  ["yields", "yields"],
  ["raise", "throws"],
  ["raises", "throws"],
  ["except", "throws"],
  ["exception", "throws"],
  ["type", "type"],
  ["rtype", "rtype"],
]);

/**
 * The lines of a doc comment with what they say of parameters and results written as JSDoc tags: sections of Google's style
 * (`Args:`), those of NumPy's (`Parameters` underlined), and fields of reStructuredText (`:param city: ...`). Epydoc's
 * fields are JSDoc tags as they stand.
 */
export function withTags(lines: readonly string[]): readonly string[] {
  const result: string[] = [];
  let isCode = false;
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? "";
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const block = isCode
      ? undefined
      : (googleBlock(lines, index) ?? numpyBlock(lines, index) ?? fieldBlock(lines, index));
    result.push(...(block?.lines ?? [line]));
    index = block?.end ?? index + 1;
  }
  return result;
}

/** Lines that stand for others, and where those end. */
interface Block {
  readonly lines: readonly string[];
  readonly end: number;
}

/** `Args:` on a line of its own, then lines that are indented further: `city (str): City name.` */
function googleBlock(lines: readonly string[], start: number): Block | undefined {
  const [, indent = "", title = ""] = /^(\s*)([A-Za-z][A-Za-z ]*):\s*$/.exec(lines[start] ?? "") ?? [];
  const tag = sections.get(title.toLowerCase());
  const end = endOfIndented(lines, start + 1, indent.length);
  const body = trimmedEnd(lines.slice(start + 1, end));
  if (tag === undefined || body.length === 0) return undefined;
  if (tag !== "param") return { lines: [`@${tag}`, ...body], end };
  const first = Math.min(...body.filter((line) => line.trim() !== "").map(indentOf));
  const entries = groups(body, (line) => indentOf(line) === first && line.trim() !== "");
  return { lines: entries.flatMap(([head = "", ...more]) => googleEntry(head, more)), end };
}

function googleEntry(head: string, more: readonly string[]): readonly string[] {
  const match = /^\s*[*`.]*([\w$.]+)`?\s*(?:\([^)]*\))?\s*(?::|\s-)\s*(.*)$/.exec(head);
  if (match === null) return [head.trim(), ...more.map((line) => line.trim())];
  return parameterLines([match[1] ?? ""], match[2] ?? "", more);
}

/** `Parameters`, a line of dashes, then `city : str` and indented lines that describe it. */
function numpyBlock(lines: readonly string[], start: number): Block | undefined {
  const tag = sections.get((lines[start] ?? "").trim().toLowerCase());
  if (tag === undefined || !/^\s*-{3,}\s*$/.test(lines[start + 1] ?? "")) return undefined;
  const indent = indentOf(lines[start] ?? "");
  const next = lines.findIndex(
    (line, index) =>
      index > start + 1 && (isHeading(lines, index) || (indentOf(line) <= indent && /^\s*[@:]\w/.test(line))),
  );
  const end = next < 0 ? lines.length : next;
  const body = trimmedEnd(lines.slice(start + 2, end));
  if (tag !== "param") return { lines: [`@${tag}`, ...body], end };
  const entries = groups(body, (line) => indentOf(line) <= indent && line.trim() !== "");
  return {
    lines: entries.flatMap(([head = "", ...more]) => {
      const names = (head.split(":")[0] ?? "")
        .split(",")
        .map((name) => name.trim().replace(/^[*`.]+|`+$/g, ""));
      return parameterLines(names, "", more);
    }),
    end,
  };
}

function isHeading(lines: readonly string[], index: number): boolean {
  return (lines[index] ?? "").trim() !== "" && /^\s*(?:-{3,}|={3,})\s*$/.test(lines[index + 1] ?? "");
}

/** `:param str city: City name.`, and lines that are indented further. */
function fieldBlock(lines: readonly string[], start: number): Block | undefined {
  const [all, indent = "", field = "", subject = "", text = ""] =
    /^(\s*):(\w+)(?:\s+([^:]+))?:(?:\s+(.*)|)$/.exec(lines[start] ?? "") ?? [];
  const tag = fields.get(field.toLowerCase());
  if (all === undefined || tag === undefined) return undefined;
  const end = endOfIndented(lines, start + 1, indent.length);
  const more = trimmedEnd(lines.slice(start + 1, end));
  // What stands before the name is a type, which the signature knows better.
  const name = subject.trim().split(/\s+/).at(-1) ?? "";
  if (tag === "param") return { lines: parameterLines([name.replace(/^\*+/, "")], text, more), end };
  return { lines: [`@${tag} ${text}`, ...more], end };
}

function parameterLines(names: readonly string[], text: string, more: readonly string[]): readonly string[] {
  const [first = "", ...others] = [text, ...more]
    .map((line) => line.trim())
    .filter((line, index) => index > 0 || line !== "");
  const body = text === "" ? [first, ...others].filter((line) => line !== "") : [first, ...others];
  return names.flatMap((name) => [`@param ${name} - ${body[0] ?? ""}`, ...body.slice(1)]);
}

/** The lines from each that begins an entry to the next. */
function groups(lines: readonly string[], begins: (line: string) => boolean): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  for (const line of lines) {
    if (begins(line)) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

/** The first line from `start` on that says something and is not indented further than `indent`. */
function endOfIndented(lines: readonly string[], start: number, indent: number): number {
  const index = lines.findIndex((line, at) => at >= start && line.trim() !== "" && indentOf(line) <= indent);
  return index < 0 ? lines.length : index;
}

function trimmedEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, last + 1);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
