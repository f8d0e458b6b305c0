import { boundary } from "../base/util/cut-text.ts";
import type { JsonSchema } from "../schema/types.ts";
import { tool } from "../tool/define.ts";
import type { ToolPolicy } from "../tool/policy.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool, ToolAnnotations } from "../tool/types.ts";
import { SandboxError } from "./errors.ts";
import type { Sandbox } from "./types.ts";

/** What a tool of files is held to. */
export type FilePolicy = ToolPolicy & ToolAnnotations;

/** What holds of a tool that reads files. */
const readHints: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** What holds of a tool that changes files. */
export const writeHints: ToolAnnotations = { destructiveHint: true, openWorldHint: false };

/** The schema of a result that is a text. */
export const textOutput: JsonSchema = { type: "string" };

/** A part of a file that a model reads. */
export interface ReadRequest {
  readonly path: string;
  /** The first line. */
  readonly from: number;
  readonly lines: number;
}

/** A search in files. */
export interface GrepRequest {
  readonly pattern: string;
  readonly path: string;
  readonly ignoreCase: boolean;
}

/** Does what a tool is for. */
type Perform<Request> = (request: Request, context: ToolContext) => unknown;

/** The longest text of a file, in characters. */
const longestText = 2_000_000;

/** Lines of a file that are read at once, unless a call says otherwise. */
export const usualLines = 2_000;

/** The schema of a text that a model writes. */
export const text = (description: string, maxLength = 4_096): JsonSchema => ({
  type: "string",
  description,
  minLength: 1,
  maxLength,
});

/** The schema of the text of a file. */
const content = (description: string): JsonSchema => ({
  type: "string",
  description,
  maxLength: longestText,
});

/** The schema of an object of these properties alone. */
export function inputOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

/** A tool that reads a file. `path` describes its paths. */
export function readTool(path: JsonSchema, policy: FilePolicy, read: Perform<ReadRequest>): Tool {
  return tool<Pick<ReadRequest, "path"> & Partial<ReadRequest>>({
    name: "read",
    description: "Read a text file.",
    input: inputOf(
      {
        path,
        from: { type: "integer", minimum: 1, default: 1, description: "The first line." },
        lines: { type: "integer", minimum: 1, default: usualLines, description: "How many lines." },
      },
      ["path"],
    ),
    output: textOutput,
    ...readHints,
    ...policy,
    execute: ({ path, from = 1, lines = usualLines }, context) => read({ path, from, lines }, context),
  });
}

/** A tool that writes a file. */
export function writeTool(
  path: JsonSchema,
  policy: FilePolicy,
  write: Perform<{ readonly path: string; readonly content: string }>,
): Tool {
  return tool<{ readonly path: string; readonly content: string }>({
    name: "write",
    description: "Write a text file. One that exists is replaced; missing folders are made.",
    input: inputOf({ path, content: content("The whole text of the file.") }, ["path", "content"]),
    output: textOutput,
    ...writeHints,
    idempotentHint: true,
    ...policy,
    execute: write,
  });
}

/** A tool that lists files by a pattern. */
export function globTool(policy: FilePolicy, find: Perform<string>): Tool {
  return tool<{ readonly pattern: string }>({
    name: "glob",
    description: "List files and folders by a pattern of paths, such as src/**/*.ts.",
    input: inputOf({ pattern: text("The pattern: *, **, ?, [abc] and {a,b}.") }, ["pattern"]),
    output: textOutput,
    ...readHints,
    tags: ["search"],
    ...policy,
    execute: async ({ pattern }, context) => (await find(pattern, context)) || "No file matches.",
  });
}

/** A tool that searches texts of files. `start` says where it searches by default. */
export function grepTool(
  words: { readonly pattern: string; readonly start: string },
  policy: FilePolicy,
  search: Perform<GrepRequest>,
): Tool {
  return tool<Pick<GrepRequest, "pattern"> & Partial<GrepRequest>>({
    name: "grep",
    description: "Search texts of files, in all folders below a path. Lines come as file:line:text.",
    input: inputOf(
      {
        pattern: text(words.pattern),
        path: text(`The file or folder; ${words.start} by default.`),
        ignoreCase: { type: "boolean", default: false },
      },
      ["pattern"],
    ),
    output: textOutput,
    ...readHints,
    tags: ["search"],
    ...policy,
    execute: async ({ pattern, path = ".", ignoreCase = false }, context) =>
      (await search({ pattern, path, ignoreCase }, context)) || "No line matches.",
  });
}

/** The lines of a text that a model has asked for, and where they stand in it. */
export interface TextPart {
  /** What the model reads: as far as the limit goes, and what is left out. */
  readonly text: string;
  /** The first character, and the one behind the last. */
  readonly range: readonly [from: number, to: number];
}

/** The lines of a text that a model has asked for, as far as `limit` characters go. */
export function partOf(whole: string, request: Omit<ReadRequest, "path">, limit: number): TextPart {
  const { from, lines } = request;
  const all = whole.split("\n");
  const end = from - 1 + lines;
  const part = all.slice(from - 1, end).join("\n");
  const start = all.slice(0, from - 1).reduce((length, line) => length + line.length + 1, 0);
  const visible = part.slice(0, boundary(part, limit));
  const stop = start + visible.length;
  if (visible.length < part.length)
    return { text: `${visible}\n[cut after ${limit} characters]`, range: [start, stop] };
  if (end >= all.length) return { text: visible, range: [start, stop] };
  // It says that the line has ended.
  return { text: `${visible}\n[${all.length - end} more lines]`, range: [start, stop + 1] };
}

/** @throws SandboxError for a file that is not text. */
export async function readText(
  files: Pick<Sandbox, "read">,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const bytes = await files.read(path, { signal });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new SandboxError(`${path} is not a text file.`, error);
  }
}

/** A text to replace by another one. */
export type Replacement = {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
};

/**
 * Replaces a text, which must occur once unless all are to be replaced.
 * @param file - The file's name, in errors.
 * @throws SandboxError for a text that does not occur, or too often.
 */
export function replaceText(
  whole: string,
  { oldText, newText, replaceAll = false }: Replacement,
  file: string,
): { readonly text: string; readonly count: number } {
  const pieces = whole.split(oldText);
  const count = pieces.length - 1;
  if (count === 0)
    throw new SandboxError(`${file} does not contain oldText. ${adviceFor(whole, oldText, file)}`);
  // One that begins within the first is another place, too.
  const isUnique = !whole.includes(oldText, whole.indexOf(oldText) + 1);
  if (!isUnique && !replaceAll)
    throw new SandboxError(
      `${file} contains oldText ${Math.max(count, 2)} times. Add lines around it, or set replaceAll.`,
    );
  return { text: pieces.join(newText), count };
}

/** What to do about a text that does not occur. */
function adviceFor(whole: string, oldText: string, file: string): string {
  const hasReturns = whole.includes(oldText.replaceAll(/\r?\n/g, "\r\n"));
  return hasReturns
    ? `The lines of ${file} end in \\r\\n: write them so in oldText and newText.`
    : "Read the file again.";
}

/** The properties of a replacement, as a model writes it. */
export const replacementInput: Readonly<Record<keyof Replacement, JsonSchema>> = {
  oldText: text("The text to replace, exactly as it is in the file.", longestText),
  newText: content("What to put in its place."),
  replaceAll: { type: "boolean", default: false },
};
