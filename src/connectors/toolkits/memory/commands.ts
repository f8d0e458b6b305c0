import { withoutInvisible } from "../../../base/util/clean-text.ts";
import { byteLength } from "./byte-length.ts";
import { MemoryError } from "./errors.ts";
import { longestText, type MemoryInput, needed } from "./memory-input.ts";
import type { MemoryChange, MemoryFile, MemoryStore } from "./memory-store.ts";
import { isBelow, readFilePath, readPath, rootPath } from "./paths.ts";
import { linesOf, linesWith, viewChange, viewFile, viewFolder } from "./views.ts";

/** The most files of an owner, and the most bytes of all of them. */
const mostFiles = 500;
const mostBytes = 5_000_000;

/** How often a change is made again that another one came before. */
const mostAttempts = 20;

/** The memory of one owner. */
export interface OwnMemory {
  readonly store: MemoryStore;
  readonly owner: string;
}

/**
 * Performs a command of a model.
 * @returns what the model reads.
 * @throws MemoryError for what cannot be done; the model reads why.
 */
export function performCommand(memory: OwnMemory, input: MemoryInput): Promise<string> {
  switch (input.command) {
    case "view":
      return view(memory, readPath(needed(input, "path")), input.view_range);
    case "create":
      return create(memory, readFilePath(needed(input, "path")), needed(input, "file_text"));
    case "str_replace":
      return replace(
        memory,
        readFilePath(needed(input, "path")),
        needed(input, "old_str"),
        input.new_str ?? "",
      );
    case "insert":
      return insert(
        memory,
        readFilePath(needed(input, "path")),
        needed(input, "insert_line"),
        needed(input, "insert_text"),
      );
    case "delete":
      return remove(memory, readFilePath(needed(input, "path")));
    case "rename":
      return rename(memory, readFilePath(needed(input, "old_path")), readFilePath(needed(input, "new_path")));
  }
}

async function view(
  { store, owner }: OwnMemory,
  path: string,
  range: readonly number[] | undefined,
): Promise<string> {
  const text = path === rootPath ? undefined : await store.read(owner, path);
  if (text !== undefined) return viewFile(path, text, range);
  const files = await store.list(owner);
  if (path !== rootPath && !files.some((file) => isBelow(file.path, path))) throw missing(path);
  if (files.some((file) => file.path === path)) throw changedMeanwhile(path);
  return viewFolder(path, files);
}

async function create(memory: OwnMemory, path: string, raw: string): Promise<string> {
  const after = cleanText(raw);
  const exists = async (): Promise<string> => {
    // The same file again is what a call does that is repeated.
    if ((await memory.store.read(memory.owner, path)) === after) return createdText(path);
    throw new MemoryError(`Error: File ${path} already exists. Change it with str_replace or insert.`);
  };
  const files = await memory.store.list(memory.owner);
  if (files.some((file) => file.path === path)) return exists();
  assertFree(files, path);
  assertRoom(files, byteLength(after), 1);
  const isDone = await memory.store.change(memory.owner, [{ path, before: undefined, after }]);
  return isDone ? createdText(path) : exists();
}

function createdText(path: string): string {
  return `File created successfully at: ${path}`;
}

function replace(memory: OwnMemory, path: string, oldText: string, raw: string): Promise<string> {
  if (oldText === "") throw new MemoryError("Error: `old_str` must not be empty.");
  const newText = withoutInvisible(raw.toWellFormed());
  return edit(memory, path, (text) => {
    const lines = linesWith(text, oldText);
    if (lines.length === 0)
      throw new MemoryError(
        `No replacement was performed, old_str ${quoted(oldText)} did not appear verbatim in ${path}. View the file again.`,
      );
    if (lines.length > 1)
      throw new MemoryError(
        `No replacement was performed. Multiple occurrences of old_str ${quoted(oldText)} in lines: ${lines.join(", ")}. Please ensure it is unique.`,
      );
    const place = text.indexOf(oldText);
    const after = text.slice(0, place) + newText + text.slice(place + oldText.length);
    return { after, says: viewChange(path, after, place, newText.length) };
  });
}

function insert(memory: OwnMemory, path: string, line: number, raw: string): Promise<string> {
  const inserted = withoutInvisible(raw.toWellFormed()).replace(/\n$/, "");
  return edit(memory, path, (text) => {
    const lines = text === "" ? [] : linesOf(text);
    if (line > lines.length)
      throw new MemoryError(
        `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}].`,
      );
    const after = `${[...lines.slice(0, line), inserted, ...lines.slice(line)].join("\n")}\n`;
    return { after, says: `The file ${path} has been edited.` };
  });
}

/** What a change makes of a text, and what the model reads of it. */
interface Edited {
  readonly after: string;
  readonly says: string;
}

/** Changes a text; of what another one has raw meanwhile, nothing is lost. */
async function edit(
  { store, owner }: OwnMemory,
  path: string,
  change: (text: string) => Edited,
): Promise<string> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const before = await store.read(owner, path);
    if (before === undefined) throw missing(path);
    const { after, says } = change(before);
    assertLength(after);
    if (after.length > before.length)
      assertRoom(await store.list(owner), byteLength(after) - byteLength(before), 0);
    if (await store.change(owner, [{ path, before, after }])) return says;
  }
  throw changedMeanwhile(path);
}

async function remove(memory: OwnMemory, path: string): Promise<string> {
  await changeAll(memory, path, (file, before) => [{ path: file, before, after: undefined }]);
  return `Successfully deleted ${path}`;
}

async function rename(memory: OwnMemory, path: string, target: string): Promise<string> {
  if (isBelow(target, path)) throw new MemoryError(`Error: ${path} cannot be moved into itself.`);
  const files = await memory.store.list(memory.owner);
  if (files.some((file) => isBelow(file.path, target)))
    throw new MemoryError(`Error: The destination ${target} already exists`);
  assertFree(files, target);
  await changeAll(memory, path, (file, text) => {
    const moved = readFilePath(`${target}${file.slice(path.length)}`);
    return [
      { path: file, before: text, after: undefined },
      { path: moved, before: undefined, after: text },
    ];
  });
  return `Successfully renamed ${path} to ${target}`;
}

/** Changes a file, or all files of a folder, at once. */
async function changeAll(
  { store, owner }: OwnMemory,
  path: string,
  change: (file: string, text: string) => readonly MemoryChange[],
): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const paths = (await store.list(owner)).map((file) => file.path).filter((file) => isBelow(file, path));
    if (paths.length === 0) throw missing(path);
    const texts = await Promise.all(paths.map((file) => store.read(owner, file)));
    const changes = paths.flatMap((file, index) => {
      const text = texts[index];
      return text === undefined ? [] : change(file, text);
    });
    if (changes.length > 0 && (await store.change(owner, changes))) return;
  }
  throw changedMeanwhile(path);
}

/** @throws MemoryError where a file is in the way of a folder, or a folder in that of a file. */
function assertFree(files: readonly MemoryFile[], path: string): void {
  const inTheWay = files.find((file) => isBelow(path, file.path) || isBelow(file.path, path));
  if (!inTheWay) return;
  throw new MemoryError(
    inTheWay.path.length > path.length
      ? `Error: ${path} is a folder: it has ${inTheWay.path}.`
      : `Error: ${inTheWay.path} is a file, so nothing can be in it.`,
  );
}

function assertRoom(files: readonly MemoryFile[], bytes: number, count: number): void {
  const total = files.reduce((sum, file) => sum + file.bytes, bytes);
  if (total <= mostBytes && files.length + count <= mostFiles) return;
  throw new MemoryError(
    `Error: The memory is full: ${mostFiles} files and ${mostBytes} bytes at most. Delete what is not needed any more, or put files together.`,
  );
}

function assertLength(text: string): void {
  if (text.length <= longestText) return;
  throw new MemoryError(
    `Error: A file has ${longestText} characters at most; this one would have ${text.length}.`,
  );
}

function cleanText(raw: string): string {
  const text = withoutInvisible(raw.toWellFormed());
  assertLength(text);
  return text;
}

function missing(path: string): MemoryError {
  return new MemoryError(`The path ${path} does not exist. Please provide a valid path.`);
}

function changedMeanwhile(path: string): MemoryError {
  return new MemoryError(`${path} was changed by others meanwhile. Try again.`);
}

function quoted(text: string): string {
  return `\`${text.length > 200 ? `${text.slice(0, 200)}…` : text}\``;
}
