import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeToolCalls, type ToolSource } from "skein";
import type { MemoryChange, MemoryPlace, MemoryStore } from "skein/toolkits";

/** Where the memories of tests are, until their process ends: several files share it. */
const folder = mkdtempSync(join(tmpdir(), "skein-memory-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let count = 0;
/** A path where nothing is yet. */
export const path = (): string => join(folder, `${++count}`);

/** Calls tools one after the other, as a model does, and returns what it reads. */
export async function call(
  source: ToolSource,
  ...calls: readonly (readonly [string, object])[]
): Promise<string[]> {
  const texts: string[] = [];
  for (const [toolName, args] of calls) {
    const request = { toolCallId: "1", toolName, arguments: JSON.stringify(args) };
    const [outcome] = await executeToolCalls([request], [source]);
    texts.push(outcome?.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") ?? "");
  }
  return texts;
}

/** Calls `memory`, command by command. */
export const commands = (source: ToolSource, ...inputs: readonly object[]): Promise<string[]> =>
  call(source, ...inputs.map((input) => ["memory", input] as const));

/** A store of a program, with nothing but what it must have. */
function storeInMemory(): MemoryStore {
  const owners = new Map<string, Map<string, string>>();
  const filesOf = (owner: string): Map<string, string> => {
    const files = owners.get(owner) ?? new Map<string, string>();
    owners.set(owner, files);
    return files;
  };
  return {
    list: async (owner) =>
      [...filesOf(owner)].map(([file, text]) => ({ path: file, bytes: Buffer.byteLength(text) })),
    read: async (owner, file) => filesOf(owner).get(file),
    change: async (owner, changes: readonly MemoryChange[]) => {
      const files = filesOf(owner);
      if (changes.some((change) => files.get(change.path) !== change.before)) return false;
      for (const change of changes)
        if (change.after === undefined) files.delete(change.path);
        else files.set(change.path, change.after);
      return true;
    },
  };
}

/** Every kind of place, by its name. */
export const places: readonly (readonly [string, () => MemoryPlace])[] = [
  ["SQLite", () => ({ sqlite: path() })],
  ["a folder", () => ({ folder: path() })],
  ["a store of one's own", storeInMemory],
];
