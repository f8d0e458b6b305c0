/** Made-up programs for the tests of use sites. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A folder with files in it, in which `skein` is the package at hand. */
export interface MadeUpProgram {
  readonly folder: string;
  path(file: string): string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

/** Makes a folder for a program, and a tsconfig. */
export async function madeUpProgram(files: Readonly<Record<string, string>> = {}): Promise<MadeUpProgram> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skein-program-")));
  const path = (file: string): string => join(folder, file);
  async function write(written: Readonly<Record<string, string>>): Promise<void> {
    for (const [file, text] of Object.entries(written)) {
      await mkdir(dirname(path(file)), { recursive: true });
      await writeFile(path(file), text);
    }
  }
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { types: [], isolatedDeclarations: false, declaration: false, allowJs: true },
    include: ["**/*"],
  };
  await write({ "tsconfig.json": JSON.stringify(config), ...files });
  return { folder, path, write, remove: () => rm(folder, { recursive: true, force: true }) };
}
