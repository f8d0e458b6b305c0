import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, parse, relative, resolve } from "node:path";
import { isPlainObject } from "../base/util/json.ts";

/**
 * Files as JavaScript, each with its source map, as TypeScript writes them under the nearest tsconfig; without those that
 * TypeScript does not write. Types are not checked, and no import is followed.
 */
export function emitJavaScript(
  files: readonly string[],
  module: "commonjs" | "esnext",
): ReadonlyMap<string, string> {
  const emitted = new Map<string, string>();
  for (const [config, group] of Map.groupBy(files, (file) => nearestConfig(dirname(file)))) {
    for (const [file, code] of emitGroup(group, module, config)) emitted.set(file, code);
  }
  return emitted;
}

function emitGroup(
  files: readonly string[],
  module: "commonjs" | "esnext",
  config: string | undefined,
): readonly (readonly [file: string, code: string])[] {
  const folder = mkdtempSync(join(tmpdir(), "skein-emit-"));
  try {
    const project = join(folder, "tsconfig.json");
    writeFileSync(project, JSON.stringify(projectOf(files, module, config, folder)));
    // Its exit code also reflects options that only matter to the user's own builds.
    runTypeScript(["-p", project]);
    return files.flatMap((file) => {
      const output = join(folder, relative(parse(file).root, file)).replace(/\.([cm]?)[jt]sx?$/, ".$1js");
      return existsSync(output)
        ? [[file, nameSource(readFileSync(output, "utf8"), basename(file))] as const]
        : [];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function projectOf(
  files: readonly string[],
  module: "commonjs" | "esnext",
  config: string | undefined,
  outDir: string,
): object {
  const keepsJsx =
    config === undefined || /"jsx"\s*:\s*"(?:preserve|react-native)"/.test(readFileSync(config, "utf8"));
  return {
    ...(config !== undefined && { extends: config }),
    files,
    include: [],
    references: [],
    compilerOptions: {
      module,
      moduleResolution: "bundler",
      moduleDetection: module === "esnext" ? "force" : "auto",
      target: "es2022",
      ...(keepsJsx && { jsx: "react-jsx" }),
      esModuleInterop: true,
      allowJs: true,
      noCheck: true,
      noResolve: true,
      types: [],
      noEmit: false,
      noEmitOnError: false,
      emitDeclarationOnly: false,
      declaration: false,
      declarationMap: false,
      composite: false,
      incremental: false,
      verbatimModuleSyntax: false,
      sourceMap: false,
      inlineSourceMap: true,
      outDir,
      rootDir: parse(files[0] ?? outDir).root,
    },
  };
}

/** Those of files that a tsconfig with legacy decorators includes: which it does, only TypeScript tells surely. */
export function findLegacyDecorated(files: readonly string[]): ReadonlySet<string> {
  const groups = Map.groupBy(files, (file) => nearestConfig(dirname(file)));
  return new Set([...groups].flatMap(([config, group]) => includedAsLegacy(config, group)));
}

function includedAsLegacy(config: string | undefined, files: readonly string[]): readonly string[] {
  if (config === undefined) return [];
  const { stdout } = runTypeScript(["-p", config, "--showConfig"]);
  // Without an answer, there is something wrong with the tsconfig: TypeScript writes what it can.
  const resolvedConfig: unknown = stdout.startsWith("{") ? JSON.parse(stdout) : undefined;
  if (!isPlainObject(resolvedConfig)) return [];
  const { compilerOptions, files: listed } = resolvedConfig;
  if (!isPlainObject(compilerOptions) || compilerOptions["experimentalDecorators"] !== true) return [];
  const included = new Set(
    (Array.isArray(listed) ? listed : []).map((file) => resolve(dirname(config), String(file))),
  );
  return files.filter((file) => included.has(file));
}

function runTypeScript(args: readonly string[]): { readonly stdout: string } {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  return spawnSync(process.execPath, [join(dirname(manifest), "bin", "tsc"), ...args], { encoding: "utf8" });
}

function nearestConfig(folder: string): string | undefined {
  const here = join(folder, "tsconfig.json");
  if (existsSync(here)) return here;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestConfig(parent);
}

/** The map as it must be for a script that stands where its source does. */
function nameSource(code: string, source: string): string {
  const mark = "//# sourceMappingURL=data:application/json;base64,";
  const start = code.lastIndexOf(mark);
  if (start < 0) return code;
  const map: object = JSON.parse(Buffer.from(code.slice(start + mark.length), "base64").toString("utf8"));
  const own = Buffer.from(JSON.stringify({ ...map, sourceRoot: "", sources: [source] })).toString("base64");
  return `${code.slice(0, start)}${mark}${own}\n`;
}
