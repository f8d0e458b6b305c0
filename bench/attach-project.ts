import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { functionsText } from "./compiler-project.ts";

/** A folder with sources whose functions are tools, and what a compiler has emitted from them, with source maps. */
export interface AttachProject {
  readonly folder: string;
  /** Puts the emitted files back as the compiler has written them. */
  readonly rebuild: () => void;
  remove(): void;
}

/** Makes a project of `files` files with `functions` functions each, which an agent of the file has as tools. */
export function makeAttachProject(files: number, functions: number): AttachProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-bench-")));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const name of ["node_modules", "src", "built"]) mkdirSync(join(folder, name));
  symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules", "skein"), "dir");
  write("package.json", '{ "type": "module" }');
  const compilerOptions = {
    strict: true,
    module: "nodenext",
    rewriteRelativeImportExtensions: true,
    types: [],
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src"] }));
  for (let index = 0; index < files; index++) {
    const name = `tools${index}`;
    const tools = Array.from({ length: functions }, (_, at) => `lookUp${at}`).join(", ");
    const agent = `export const agent = new Agent({ name: "${name}", tools: [${tools}] });\n`;
    const text = `import { Agent } from "skein";\n${functionsText(functions, name)}${agent}`;
    write(`src/${name}.ts`, text);
    const emitted = { mode: "transform", sourceMap: true, sourceUrl: `../src/${name}.ts` } as const;
    write(`built/${name}.js`, stripTypeScriptTypes(text, emitted));
  }
  const rebuild = (): void => cpSync(join(folder, "built"), join(folder, "dist"), { recursive: true });
  rebuild();
  return { folder, rebuild, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
