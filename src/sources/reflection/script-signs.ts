import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestAbove } from "./cache-folder.ts";
import { runsInNext } from "../../base/util/next-runtime.ts";
import { codeFolder } from "../../base/util/code-folder.ts";

/** What a script is, as far as its text and what lies around it show. The first that fits counts. */
export type ScriptKind =
  /** A file that its author wrote in TypeScript. */
  | { readonly kind: "typescript" }
  /** A file of a package in `node_modules`. */
  | { readonly kind: "package"; readonly name: string; readonly hasTypes: boolean }
  /** A build has attached schemas to other functions of the file. */
  | { readonly kind: "attached" }
  /** Many files made one, Skein or several sources among them. */
  | { readonly kind: "bundle"; readonly plugin: string }
  /** Names and lines are gone. */
  | { readonly kind: "minified" }
  /** What a compiler made of a TypeScript file; `folder` is what it wrote. */
  | { readonly kind: "compiled"; readonly folder: string }
  /** JavaScript as its author wrote it, as far as can be seen. */
  | { readonly kind: "javascript" };

/** Lines of code that people write are shorter on average. */
const longestAverageLine = 300;

/** Reads what a script is. Only for scripts with a function that has no schema: it reads files. */
export function readScriptKind(script: string, functionText: string): ScriptKind {
  if (/\.[cm]?tsx?$/.test(script)) return { kind: "typescript" };
  const packaged = packageOf(script);
  if (packaged !== undefined) return packaged;
  const text = readText(script);
  if (/\bfrom ?["']skein\/attach["']|require\(["']skein\/attach["']\)/.test(text))
    return { kind: "attached" };
  if (isBundle(script, text)) return { kind: "bundle", plugin: pluginFor(text) };
  if (isMinified(text, functionText)) return { kind: "minified" };
  const folder = compiledFolder(script, text);
  return folder === undefined ? { kind: "javascript" } : { kind: "compiled", folder };
}

/** Whether Skein's own code is part of a bundle: where it stands, its package does not. */
export function isBundled(): boolean {
  const folder = codeFolder();
  if (!folder.startsWith("file:")) return true;
  return !/"name": ?"skein"/.test(readText(fileURLToPath(new URL("../package.json", folder))));
}

/** How to write the plugin for the bundler that made a text; the text of this module's own bundle by default. */
export function pluginFor(text: string = ownText()): string {
  if (runsInNext()) return "withSkein(nextConfig), from skein/next";
  // Written so that these lines, which are part of the bundle too, are not a sign themselves.
  if (/\b__webpack_require__\(/.test(text)) return call("webpack");
  if (text.startsWith("// @bun")) return call("bun");
  if (/rolldown[-/]runtime/.test(text)) return `${call("vite")} (or rolldown)`;
  // A chunk of Nitro's, which builds with Rollup, though packages in it were made by esbuild.
  if (/\bfrom ["'][./]*nitro\/nitro\.mjs["']/.test(text)) return call("rollup");
  if (/\bvar __(?:defProp|commonJS|toESM|export|esm|require)\b/.test(text)) return call("esbuild");
  return `${call("vite")} (or rolldown, rollup, webpack, esbuild)`;
}

function call(bundler: string): string {
  return `import { skein } from "skein/plugin", and plugins: [skein.${bundler}()]`;
}

function ownText(): string {
  const here: string | undefined = import.meta.url;
  return readText(here?.startsWith("file:") ? fileURLToPath(here) : (process.argv[1] ?? ""));
}

function packageOf(script: string): (ScriptKind & { readonly kind: "package" }) | undefined {
  const path = script.replaceAll("\\", "/");
  const [, folder = "", name = ""] = /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (name === "") return undefined;
  const manifest = readText(join(folder, name, "package.json"));
  const typings = join("node_modules", "@types", name.replace(/^@([^/]+)\//, "$1__"));
  const hasTypes =
    /"(?:types|typings|typesVersions)":/.test(manifest) || hasTypings(dirname(script), typings);
  const declarations = [join(folder, name, "index.d.ts"), declarationsOf(script)];
  return { kind: "package", name, hasTypes: hasTypes || declarations.some((file) => existsSync(file)) };
}

/** Where a compiler puts the declarations of a script. */
function declarationsOf(script: string): string {
  return script.replace(/\.([cm]?)jsx?$/, ".d.$1ts");
}

function hasTypings(folder: string, typings: string): boolean {
  return nearestAbove(folder, typings) !== undefined;
}

/** By the names of its sources: bundlers write them as comments, and into the map. */
function isBundle(script: string, text: string): boolean {
  // The symbol that Skein keeps schemas under.
  if (text.includes('"skein.schemas"')) return true;
  const marks = text.matchAll(/^\/\/ (?:#region )?(?!.*node_modules)\S+\.[cm]?[jt]sx?$/gm);
  if (new Set([...marks].map(([mark]) => mark)).size > 1) return true;
  const name = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text)?.[1];
  const map = name === undefined || name.startsWith("data:") ? "" : readText(resolve(dirname(script), name));
  const [, sources = ""] = /"sources":\s*\[([^\]]*)\]/.exec(map) ?? [];
  return sources.split(",").length > 1;
}

/** Whether a file's names may be those of a minifier, whatever else the file is. */
export function isMinifiedFile(script: string, functionText: string): boolean {
  return !/\.[cm]?tsx?$/.test(script) && isMinified(readText(script), functionText);
}

/** Lines that nobody writes, a text without spaces, or a function without any that has nothing but names of one or two letters. */
function isMinified(text: string, functionText: string): boolean {
  if (isSqueezed(text) || text.length / text.split("\n").length > longestAverageLine) return true;
  if (/^(?:async )?[\w$]{1,2}=>/.test(functionText)) return true;
  const [, name = "", parameters = ""] =
    /^(?:async ?)?(?:function ?([\w$]*))?\(([\w$,]*)\)(?:=>|\{)/.exec(functionText) ?? [];
  return parameters !== "" && [name, ...parameters.split(",")].every((word) => /^[\w$]{0,2}$/.test(word));
}

/** Whether code is written without the spaces that people and compilers leave: after commas, around operators, before blocks. */
function isSqueezed(text: string): boolean {
  const code = text
    .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "")
    .replaceAll(/(["'`])(?:\\[^]|(?!\1)[^\\])*\1/g, '""');
  const squeezed =
    code.match(
      /[\w$)\]]=(?=[\w$"([{!])|[\w$"')\]},][,;](?=[\w$"([{!])|\)\{|=>(?=\S)|\b(?:import|from)(?=[{"])/g,
    ) ?? [];
  const loose = code.match(/ =|,\s|;[^\S\n]*\n[^\S\n]*\S|\) \{|=> /g) ?? [];
  return squeezed.length > mostLoose * loose.length && squeezed.length > 1;
}

/** Code is minified if spaces are left out this many times as often as written. */
const mostLoose = 4;

/** What compilers of TypeScript and Babel leave in their output. */
const helpers =
  /\/\/# sourceMappingURL=|"__esModule"|\b(?:__awaiter|__decorate|__generator|__spreadArray|__importDefault|__importStar|__rest|__metadata|_interop_require_\w+|_async_to_generator|_asyncToGenerator|_ts_decorate|_object_spread)\b/;

/** The folder that a compiler has written a script into; `undefined` where nothing says that one has. */
function compiledFolder(script: string, text: string): string | undefined {
  const folder = dirname(script);
  const manifest = nearestAbove(folder, "package.json");
  const root = manifest === undefined ? folder : dirname(manifest);
  const [top = ""] = relative(root, folder).split(/[\\/]/);
  const output = outputFolder(folder);
  if (output !== undefined) return output;
  const isOutputName = /^(?:dist|build|out|lib-dist|\.output)$/.test(top);
  if (!isOutputName && !helpers.test(text) && !existsSync(declarationsOf(script))) return undefined;
  return top === "" ? folder : join(root, top);
}

/** The `outDir` of the nearest tsconfig.json, if `folder` lies within. By its text: comments make it no JSON. */
function outputFolder(folder: string): string | undefined {
  const tsconfig = nearestAbove(folder, "tsconfig.json");
  const name = tsconfig && /"outDir"\s*:\s*"([^"]+)"/.exec(readText(tsconfig))?.[1];
  if (tsconfig === undefined || name === undefined) return undefined;
  const output = resolve(dirname(tsconfig), name);
  const inside = relative(output, folder);
  const isWithin = inside === "" || (!inside.startsWith("..") && basename(output) !== "");
  return isWithin && output !== dirname(tsconfig) ? output : undefined;
}

/** Empty for a file that cannot be read: then there is no sign in it. */
function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
