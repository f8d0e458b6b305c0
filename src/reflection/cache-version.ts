import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { hashOf } from "./hash.ts";

let version: string | undefined;

/** Tells this version of Skein and TypeScript, and the way in which programs run here, from all others. */
export function cacheVersion(): string {
  version ??= hashOf(
    JSON.stringify([ownCode("../compiler/"), ownCode("../reflection/"), typescript(), runtime()]),
  );
  return version;
}

/** The text of a folder's modules; a built one names those that it shares with others by hashes of theirs. */
function ownCode(folder: string): readonly string[] {
  const url = new URL(folder, import.meta.url);
  return readdirSync(url, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.d|\.test)\.[jt]s$/.test(name))
    .toSorted()
    .map((name) => hashOf(readFileSync(new URL(name.replaceAll("\\", "/"), url))));
}

function typescript(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)("typescript/package.json");
  return manifest.version;
}

/** What rewrites modules before they run decides where functions stand. */
function runtime(): readonly unknown[] {
  const { NODE_OPTIONS, VITEST } = process.env;
  return [process.version, process.versions["deno"], process.execArgv, NODE_OPTIONS, VITEST];
}
