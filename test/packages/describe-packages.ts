/** Writes tools for functions of packages, and describes them as a program that uses them would. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { openCompiler, type FunctionDescription } from "../../src/sources/compiler/index.ts";
import { openWorkspace } from "../../src/sources/compiler/project.ts";
import {
  functionType,
  listFunctions,
  rootsText,
  sample,
  toolsText,
  type FunctionPath,
} from "./list-functions.ts";
import type { Package } from "./packages.ts";

/** The folder of this file: packages are installed beside it. */
export const folder: string = fileURLToPath(new URL(".", import.meta.url));
/** Where files are written. */
export const workFolder: string = join(folder, ".work");

/** The files of tools that are written, and what is in them, by package. */
export type ToolFiles = ReadonlyMap<
  string,
  { readonly file: string; readonly functions: readonly FunctionPath[] }
>;

/** What came of one function. */
export interface Described {
  readonly package: string;
  readonly name: string;
  readonly description: FunctionDescription;
  readonly milliseconds: number;
}

const configuration = {
  compilerOptions: {
    strict: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2024", "dom", "dom.iterable"],
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["*.ts"],
};

/** Writes a file of tools for each package, of at most `most` functions each. Gives the files by package. */
export async function writeTools(packages: readonly Package[], most: number): Promise<ToolFiles> {
  await mkdir(workFolder, { recursive: true });
  await writeFile(join(workFolder, "tsconfig.json"), JSON.stringify(configuration));
  const fileOf = (kind: string, name: string): string =>
    join(workFolder, `${kind}-${name.replaceAll(/\W+/g, "-").replace(/^-/, "")}.ts`);
  for (const each of packages) await writeFile(fileOf("roots", each.name), rootsText(each));
  const workspace = await openWorkspace(workFolder);
  const written = new Map<string, { file: string; functions: readonly FunctionPath[] }>();
  try {
    workspace.open(packages.map(({ name }) => fileOf("roots", name)));
    for (const each of packages) {
      const host = workspace.hostFor(fileOf("roots", each.name));
      const source = host.sourceFile(fileOf("roots", each.name));
      const aliases = [...(source?.statements ?? [])].filter((node) =>
        host.syntax.isTypeAliasDeclaration(node),
      );
      const types = host.typesAt(aliases.map(({ type }) => type));
      const functions = types.flatMap((type, index) =>
        type === undefined ? [] : listFunctions(host, `Root${index}`, type),
      );
      written.set(each.name, { file: fileOf("tools", each.name), functions });
    }
    const parameters = (name: string): string => fileOf("parameters", name);
    for (const each of packages) {
      const { functions = [] } = written.get(each.name) ?? {};
      const lines = functions.map((path, index) => `type P${index} = Parameters<${functionType(path)}>;\n`);
      await writeFile(parameters(each.name), rootsText(each) + lines.join(""));
    }
    workspace.open(packages.map(({ name }) => parameters(name)));
    for (const each of packages) {
      const { file = "", functions = [] } = written.get(each.name) ?? {};
      const host = workspace.hostFor(parameters(each.name));
      const source = host.sourceFile(parameters(each.name));
      const aliases = [...(source?.statements ?? [])].filter((node) =>
        host.syntax.isTypeAliasDeclaration(node),
      );
      const types = host.typesAt(aliases.map(({ type }) => type)).slice(aliases.length - functions.length);
      const taking = functions.filter((_, index) => {
        const type = types[index];
        return type !== undefined && (host.tupleElements(type) ?? []).length > 0;
      });
      const chosen = sample(taking, most);
      written.set(each.name, { file, functions: chosen });
      await writeFile(file, rootsText(each) + toolsText(chosen));
    }
  } finally {
    workspace.close();
  }
  return written;
}

/** Describes all tools of the files. */
export async function describeTools(files: ToolFiles): Promise<readonly Described[]> {
  const compiler = await openCompiler({ cwd: workFolder });
  const results: Described[] = [];
  try {
    compiler.open([...files.values()].map(({ file }) => file));
    for (const [name, { file, functions }] of files) {
      for (const [index, { keys }] of functions.entries()) {
        for (const kind of ["first", "all"]) {
          const tool = `${kind}_${keys.join("_")}_${index}`;
          const startedAt = performance.now();
          const [found] = compiler.functionsLike(file, { name: tool });
          if (found === undefined) throw new Error(`${tool} is not in ${file}`);
          const description = found.describe();
          results.push({
            package: name,
            name: tool,
            description,
            milliseconds: performance.now() - startedAt,
          });
        }
      }
    }
  } finally {
    compiler.close();
  }
  return results;
}
