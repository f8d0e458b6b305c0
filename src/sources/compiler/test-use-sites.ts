/** Made-up programs for the tests of use sites. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCompiler } from "./index.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

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

/** What the compiler says of tools that stand at use sites. */
export interface UseSites {
  /** The kinds of the parameters of all tools that are written so, and the problems. */
  describe(tools: string): { readonly kinds: unknown; readonly problems: string };
  /** The names of those that a model sees. */
  names(tools: string): readonly string[];
  close(): Promise<void>;
}

/** Makes a program of `files` with one more for each of `uses`, whose text is that of `programOf`. */
export async function openUseSites(
  files: Readonly<Record<string, string>>,
  uses: readonly string[],
  programOf: (tools: string) => string,
): Promise<UseSites> {
  const useFiles = uses.map((tools, index) => [`use-${index}.ts`, programOf(tools)] as const);
  const program = await madeUpProgram({ ...files, ...Object.fromEntries(useFiles) });
  const compiler = await openCompiler({ cwd: program.folder });
  return {
    describe(tools) {
      const { sites, problems } = compiler.useSites(program.path(`use-${uses.indexOf(tools)}.ts`));
      const texts = JSON.stringify(sites.map(({ schemas }) => schemas));
      const kinds = [...texts.matchAll(/kind\W+(\w+)/g)].map(([, kind]) => kind);
      return { kinds, problems: problems.join("\n") };
    },
    names(tools) {
      const { sites } = compiler.useSites(program.path(`use-${uses.indexOf(tools)}.ts`));
      const texts = JSON.stringify(sites.map(({ schemas }) => schemas));
      return [...texts.matchAll(/kind\W+property\W+name\W+(\w+)/g)].map(([, name = ""]) => name);
    },
    async close() {
      compiler.close();
      await program.remove();
    },
  };
}
