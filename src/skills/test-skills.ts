import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolsetContext } from "skein";
import { onTestFinished } from "vitest";

/** Files by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The text of a `SKILL.md`. */
export function skillText(
  name: string,
  description: string,
  further = "",
  body = "# Steps\n\n1. Begin.",
): string {
  return `---\nname: ${name}\ndescription: ${description}\n${further}---\n\n${body}\n`;
}

/** Writes files into a new folder, which is removed after the test. */
export async function folderOf(files: Files): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skein-skills-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await addFiles(folder, files);
  return folder;
}

/** Writes files into a folder. */
export async function addFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** The context of a list of tools, and the warnings of it. */
export function listing(): ToolsetContext & { readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  return {
    context: {},
    agent: undefined,
    messages: [],
    warn: (text) => void warnings.push(text),
    warnings,
  };
}
