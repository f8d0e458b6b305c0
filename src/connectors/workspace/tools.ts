import type { Part } from "../../message/parts.ts";
import { siblingsOf } from "../../executor/inner-tools.ts";
import {
  type FilePolicy,
  globTool,
  grepTool,
  inputOf,
  partOf,
  type Replacement,
  readText,
  readTool,
  replacementInput,
  replaceText,
  text,
  textOutput,
  writeHints,
  writeTool,
} from "../../sandbox/file-tools.ts";
import { expandBraces } from "../../sandbox/expand-braces.ts";
import type { ModelFolder } from "../../sandbox/read-within.ts";
import type { Turns } from "../../sandbox/turns.ts";
import { tool } from "../../tool/define.ts";
import { result } from "../../tool/result.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import type { Tool, ToolReturn } from "../../tool/types.ts";
import { nearestAgentsFile } from "./agents-file.ts";
import { changedPart, type ChangedPart, pathForReaders } from "./changed-part.ts";
import { WorkspaceError } from "./errors.ts";
import { assertWritable, type ReadPath } from "./folder.ts";
import { hasSeen, longestPart, type ToolNames } from "./seen-text.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The most replacements of one call. */
const mostEdits = 100;

const path = text("The path of the file, from the workspace on, such as src/index.ts.");

/** What the tools of a workspace work on. */
export interface Workspace {
  readonly folder: ModelFolder;
  /** Its path as the program has written it. */
  readonly root: string;
  readonly files: WorkspaceFiles;
  readonly readPath: ReadPath;
  /** Changes of files of this process take turns. */
  readonly turns: Turns;
  /** Whether models read what `AGENTS.md` says. */
  readonly hasAgentsFile: boolean;
  readonly grepWords: Parameters<typeof grepTool>[0];
  /** Milliseconds that a call may take. */
  readonly timeout: number;
}

/** The tools for files: reading, writing, changing, listing, searching. */
export function fileTools(workspace: Workspace): readonly Tool[] {
  const { files, readPath, timeout } = workspace;
  const reads: FilePolicy = { timeout };
  const writes: FilePolicy = { timeout, concurrency: { limit: 1 } };
  const read: Tool = readTool(path, reads, async (request, context) => {
    const file = readPath(request.path);
    const whole = await readText(files, file, context.signal);
    return withAgentsFile(workspace, file, partOf(whole, request, longestPart).text, context);
  });
  const write: Tool = writeTool(path, writes, (request, context) => {
    const file = readPath(request.path);
    return writeFile(workspace, file, request.content, namesOf(read, write, context), context);
  });
  return [
    read,
    write,
    editTool(workspace, { ...writes, interrupted: "tell" }),
    globTool(reads, (pattern, { signal }) => files.find(expandBraces(pattern).map(readPath), signal)),
    grepTool(workspace.grepWords, reads, (request, { signal }) =>
      files.search({ ...request, path: readPath(request.path) }, signal),
    ),
  ];
}

/** A toolset may have renamed them. */
function namesOf(read: Tool, write: Tool, context: ToolContext): ToolNames {
  const find = siblingsOf(context);
  return { read: find(read)?.name ?? read.name, write: find(write)?.name ?? write.name };
}

async function writeFile(
  workspace: Workspace,
  file: string,
  content: string,
  names: ToolNames,
  context: ToolContext,
): Promise<ToolReturn | string> {
  const { files, turns, readPath } = workspace;
  const { signal, messages } = context;
  assertWritable(file);
  const change = await turns(async () => {
    const before = (await files.exists(file, signal)) ? await readText(files, file, signal) : undefined;
    if (before === content) return undefined;
    // What somebody has written since would be lost, and what the model does not know of.
    if (before !== undefined && before !== "" && !hasSeen(messages, names, readPath, file, before))
      throw new WorkspaceError(
        `${file} exists, and has text that you have not read, or that was changed since. Read the whole file first, or change it with edit.`,
      );
    await files.write(file, content, signal);
    return changeOf(workspace, file, before, content, context);
  }, signal);
  return withAgentsFile(workspace, file, `Wrote ${file}.`, context, change);
}

function editTool(workspace: Workspace, policy: FilePolicy): Tool {
  const { files, turns, readPath } = workspace;
  return tool<{ readonly path: string; readonly edits: readonly Replacement[] }>({
    name: "edit",
    description:
      "Replace texts in a file, one after the other. Each must occur once, unless replaceAll is set. If one does not, nothing is changed.",
    input: inputOf(
      {
        path,
        edits: {
          type: "array",
          minItems: 1,
          maxItems: mostEdits,
          items: inputOf(replacementInput, ["oldText", "newText"]),
        },
      },
      ["path", "edits"],
    ),
    output: textOutput,
    ...writeHints,
    ...policy,
    execute: async ({ path, edits }, context) => {
      const file = readPath(path);
      assertWritable(file);
      const { count, change } = await turns(async () => {
        const before = await readText(files, file, context.signal);
        const edited = replaceAll(before, edits, file);
        await files.write(file, edited.text, context.signal);
        return { ...edited, change: changeOf(workspace, file, before, edited.text, context) };
      }, context.signal);
      const words = count === 1 ? "1 text" : `${count} texts`;
      return withAgentsFile(workspace, file, `Replaced ${words} in ${file}.`, context, change);
    },
  });
}

/** Each replacement finds what those before it have left. */
function replaceAll(
  whole: string,
  edits: readonly Replacement[],
  file: string,
): { readonly text: string; readonly count: number } {
  let text = whole;
  let count = 0;
  for (const [index, edit] of edits.entries()) {
    const place = edits.length === 1 ? file : `edits[${index}]: ${file}`;
    const edited = replaceText(text, edit, place);
    text = edited.text;
    count += edited.count;
  }
  return { text, count };
}

function changeOf(
  { root }: Workspace,
  file: string,
  before: string | undefined,
  after: string,
  { context }: ToolContext,
): ChangedPart | undefined {
  return changedPart(pathForReaders(root, file, context), before, after);
}

/** A result, and in a part of its own what the folder of the file says of itself, at the first time. A change is for those who see the call. */
async function withAgentsFile(
  { folder, hasAgentsFile }: Workspace,
  file: string,
  value: string,
  { messages }: ToolContext,
  change?: ChangedPart,
): Promise<ToolReturn | string> {
  const words = hasAgentsFile ? await nearestAgentsFile(folder, file, messages) : undefined;
  const meta = change && { meta: change };
  if (words === undefined) return meta ? result({ value, ...meta }) : value;
  const content: readonly Part[] = [
    { type: "text", text: value },
    { type: "text", text: words },
  ];
  return result({ value, content, ...meta });
}
