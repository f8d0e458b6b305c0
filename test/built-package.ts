/** Puts the package, as it is built, into the projects of tests. */
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Copies what is published. Another process that builds at the same time replaces `dist/`: then the copy is made again. */
export async function copyBuilt(target: string, attempts = 3): Promise<void> {
  try {
    await cp(join(root, "dist"), join(target, "dist"), { recursive: true });
    await cp(join(root, "package.json"), join(target, "package.json"));
  } catch (error) {
    if (attempts === 1) throw error;
    await copyBuilt(target, attempts - 1);
  }
}

/** Installs the package into a project, with the TypeScript that it pins and without its other dependencies. */
export async function installBuilt(project: string): Promise<void> {
  const skein = join(project, "node_modules", "skein");
  await copyBuilt(skein);
  await mkdir(join(skein, "node_modules"));
  await symlink(
    join(root, "node_modules", "typescript"),
    join(skein, "node_modules", "typescript"),
    "junction",
  );
}
