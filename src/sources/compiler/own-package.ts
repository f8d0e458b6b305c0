import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { codeFolder } from "../../base/util/code-folder.ts";

let folderOfPackage: string | undefined;

/** This package's folder, with slashes and in lower case. */
function packageFolder(): string {
  folderOfPackage ??= comparable(fileURLToPath(new URL("..", codeFolder())));
  return folderOfPackage;
}

/** Where this package declares its types, within its folder. */
const declaring = /^(src\/(tool|agent)\/[\w-]+\.ts|dist\/.*\.d\.[cm]?ts)$/;

/** Whether a file declares types of this package: of this copy of it, of one in `node_modules`, or of one that is linked. */
export function isOurs(file: string): boolean {
  const path = comparable(file);
  // A bundle stands in another folder than the package.
  const within = path.split("/node_modules/skein/").slice(1);
  if (path.startsWith(packageFolder())) within.push(path.slice(packageFolder().length));
  return within.some((inner) => declaring.test(inner)) || isOfCopy(file);
}

/** A copy that is linked has its real path, which says nothing of its name: its manifest does. */
function isOfCopy(file: string): boolean {
  if (!/[\\/](?:dist|src)[\\/]/.test(file)) return false;
  const manifest = nearestManifest(dirname(file));
  if (manifest?.name !== "skein") return false;
  return declaring.test(comparable(file).slice(comparable(manifest.folder).length + 1));
}

interface Manifest {
  readonly folder: string;
  readonly name: unknown;
}

const manifests = new Map<string, Manifest | undefined>();

/** The manifest of the package that a folder belongs to. */
function nearestManifest(folder: string): Manifest | undefined {
  const cached = manifests.get(folder);
  if (cached !== undefined || manifests.has(folder)) return cached;
  const parent = dirname(folder);
  const manifest = readManifest(folder) ?? (parent === folder ? undefined : nearestManifest(parent));
  manifests.set(folder, manifest);
  return manifest;
}

/** `undefined` where there is none, and for one that only says how its folder's modules are loaded. */
function readManifest(folder: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("name" in manifest)) return undefined;
    return { folder, name: manifest.name };
  } catch {
    // It is missing or unreadable: try the folder above.
    return undefined;
  }
}

/** The checker writes paths with slashes, in lower case where the file system ignores case. */
export function comparable(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}
