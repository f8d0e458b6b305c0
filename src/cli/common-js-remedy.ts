import { dirname, extname } from "node:path";
import { readFileSync } from "node:fs";
import { nearestAbove } from "../sources/reflection/cache-folder.ts";
import { isPlainObject } from "../base/util/json.ts";

/** What to write instead of the names that only CommonJS has. */
const instead: Readonly<Record<string, string>> = {
  require: 'import { x } from "..." instead of require("...")',
  module: "export instead of module.exports",
  exports: "export instead of exports",
  __dirname: "import.meta.dirname instead of __dirname",
  __filename: "import.meta.filename instead of __filename",
};

/** What to do about a file that is written as CommonJS and runs as an ES module; `undefined` for any other failure. */
export function commonJsRemedy(error: Error, file: string): string | undefined {
  if (error.message.startsWith("await is only valid")) return awaitRemedy(file);
  const isAmbiguous = "code" in error && error.code === "ERR_AMBIGUOUS_MODULE_SYNTAX";
  const name = isAmbiguous ? "require" : /^(\w+) is not defined/.exec(error.message)?.[1];
  if (name === undefined || !Object.hasOwn(instead, name)) return undefined;
  const extension = extname(file);
  if (/^\.m[jt]sx?$/.test(extension)) return `A ${extension} file is an ES module: write ${instead[name]}.`;
  const manifest = nearestAbove(dirname(file), "package.json");
  const common = extension.replace(/^\.([jt]s)x?$/, ".c$1");
  if (manifest !== undefined && typeOf(manifest) === "module")
    return `${manifest} says "type": "module", so this file is an ES module: write ${instead[name]}, or name the file ${common}.`;
  return `This file has what only ES modules have, such as await outside of functions: write ${instead[name]} and "type": "module" in package.json, or move that into a function.`;
}

/** An ES module that awaits in a function which is not async fails with the same words: the words are enough there. */
function awaitRemedy(file: string): string | undefined {
  const manifest = nearestAbove(dirname(file), "package.json");
  const isModule = manifest !== undefined && typeOf(manifest) === "module";
  if (/\.m[jt]sx?$/.test(file) || (isModule && !/\.c[jt]s$/.test(file))) return undefined;
  return 'This file is CommonJS: move await into an async function, or write import instead of require and "type": "module" in package.json.';
}

function typeOf(manifest: string): unknown {
  const content: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return isPlainObject(content) ? content["type"] : undefined;
}
