/** Installs the packages of the places, once for all places that share them. */
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installOnce } from "../consumer.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/**
 * Installs what `installs/<name>/package.json` pins, unless it is there.
 * @returns The folder in which they are installed; a project below it finds them.
 */
export async function installPackages(name: string | undefined): Promise<string> {
  const target = join(folder, ".work", name ?? "none");
  await mkdir(target, { recursive: true });
  if (name === undefined) return target;
  const manifest = join(folder, "installs", name, "package.json");
  await copyFile(manifest, join(target, "package.json"));
  const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(manifest, "utf8"),
  );
  await installOnce(target, () =>
    Object.entries(dependencies).every(
      ([dependency, version]) => installedVersion(target, dependency) === version.replace(/^npm:.+@/, ""),
    ),
  );
  return target;
}

function installedVersion(target: string, dependency: string): string | undefined {
  const manifest = join(target, "node_modules", dependency, "package.json");
  if (!existsSync(manifest)) return undefined;
  const { version }: { version?: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return version;
}
