import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestAbove } from "./cache-folder.ts";
import { hashOf } from "./hash.ts";
import { codeFolder } from "../../base/util/code-folder.ts";

let version: string | undefined;

/** Tells this version of Skein and TypeScript, and the way in which programs run here, from all others. */
export function cacheVersion(): string {
  version ??= hashOf(
    JSON.stringify([hashOfFile(inCode("..", "package.json")), ownCode(), typescript(), runtime()]),
  );
  return version;
}

/** The text of all modules; an entry that was built names what it shares with others by hashes of theirs. */
function ownCode(): readonly string[] {
  const folders = ["compiler", "reflection"].map((room) => inCode("sources", room));
  if (import.meta.url.endsWith(".js")) return folders.map((folder) => hashOfFile(join(folder, "index.js")));
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .toSorted()
      .map((name) => hashOfFile(join(folder, name))),
  );
}

function inCode(...path: readonly string[]): string {
  return join(fileURLToPath(codeFolder()), ...path);
}

function hashOfFile(file: string): string {
  return hashOf(readFileSync(file));
}

/** The manifest of the TypeScript that is used: found by its place, which is quicker than to have Node look for it. */
function typescript(): string {
  const name = "typescript/package.json";
  const near = nearestAbove(inCode(), join("node_modules", name));
  return hashOfFile(near ?? createRequire(import.meta.url).resolve(name));
}

/** What rewrites modules before they run decides where functions stand. */
function runtime(): readonly unknown[] {
  const { NODE_OPTIONS, VITEST } = process.env;
  return [process.version, process.versions["deno"], process.execArgv, NODE_OPTIONS, VITEST];
}
