/**
 * What is published has no need of the scripts and packages of development: `npm pack` and `npm publish` call this before
 * (`prune`) and after (`restore`) they read package.json.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pruneLinks, restoreLinks } from "./published-pages.ts";

/** The parts of a manifest that are for those who work on the package. */
const ofDevelopment: ReadonlySet<string> = new Set([
  "scripts",
  "workspaces",
  "devDependencies",
  "allowScripts",
]);

/** The manifest as it is published. */
export function publishedManifest(manifest: object): object {
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !ofDevelopment.has(key)));
}

/** Puts the published manifest of `folder` in the place of its own, which is kept beside it. */
export function pruneManifest(folder: string): void {
  restoreManifest(folder);
  const { file, backup } = filesOf(folder);
  const text = readFileSync(file, "utf8");
  writeFileSync(backup, text);
  const manifest: object = JSON.parse(text);
  writeFileSync(file, `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`);
}

/** Puts the whole manifest back, if it was pruned. */
export function restoreManifest(folder: string): void {
  const { file, backup } = filesOf(folder);
  if (existsSync(backup)) renameSync(backup, file);
}

function filesOf(folder: string): { readonly file: string; readonly backup: string } {
  return { file: join(folder, "package.json"), backup: join(folder, "package.json.whole") };
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  if (process.argv[2] === "prune") {
    pruneManifest(root);
    pruneLinks(root);
  } else {
    restoreLinks(root);
    restoreManifest(root);
  }
}
