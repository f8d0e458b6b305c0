/**
 * Writes a page for every public symbol into `docs/.api`: `npm run docs:api`. A symbol without a comment, or one that is
 * spoken of and not exported, is an error.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sourceEntries } from "../source-entries.ts";
import packageJson from "../../package.json" with { type: "json" };
import { installOnce } from "../../test/consumer.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const typedoc = fileURLToPath(new URL("node_modules/typedoc/bin/typedoc", import.meta.url));

/** What is imported for what it does exports nothing; what bundlers load is nobody else's. */
const withoutExports = new Set(["./register", "./package.json", "./next-loader", "./reflection-unavailable"]);

/** The public entries, as they are imported. */
export const documentedEntries: readonly string[] = Object.keys(packageJson.exports)
  .filter((entry) => !withoutExports.has(entry))
  .map((entry) => entry.replace(".", "skein"));

/**
 * Builds the reference.
 * @returns what TypeDoc says.
 * @throws Error if it has anything to complain about.
 */
export async function buildReference(): Promise<string> {
  await installOnce(folder, () => existsSync(typedoc));
  const sources = documentedEntries.flatMap((entry) => ["--entryPoints", sourceEntries.get(entry) ?? entry]);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [typedoc, ...sources], {
    cwd: folder,
  }).catch(({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(stdout + stderr);
  });
  return stdout + stderr;
}

if (import.meta.main) {
  await buildReference().then(console.log, (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
