/**
 * The pages of the package link to what is in the package; what the repository alone has is named there. `npm pack` and
 * `npm publish` call this (by published-manifest.ts) before and after they read the pages.
 */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, matchesGlob, posix } from "node:path";

const pages = ["README.md", "docs/*.md"];

/** Where the pages are kept meanwhile: a folder that is not packed. */
const backupFolder = ".pages.whole";

/** Puts the published pages of `folder` in the place of its own, which are kept aside. */
export function pruneLinks(folder: string): void {
  restoreLinks(folder);
  const { files }: { files: readonly string[] } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  for (const page of globSync(pages, { cwd: folder })) {
    const markdown = readFileSync(join(folder, page), "utf8");
    const backup = join(folder, backupFolder, page);
    mkdirSync(dirname(backup), { recursive: true });
    writeFileSync(backup, markdown);
    writeFileSync(join(folder, page), publishedPage(page, markdown, files));
  }
}

/** Puts the whole pages back, if they were replaced. */
export function restoreLinks(folder: string): void {
  const backups = join(folder, backupFolder);
  if (!existsSync(backups)) return;
  for (const page of globSync(pages, { cwd: backups })) renameSync(join(backups, page), join(folder, page));
  rmSync(backups, { recursive: true });
}

/** A page whose links lead to packed files only: others become their text and the path in the repository. */
function publishedPage(page: string, markdown: string, files: readonly string[]): string {
  const blocks = markdown.split(/^(`{3,}[\s\S]*?^`{3,}\s*)$/m);
  return blocks
    .map((block, index) => (index % 2 === 0 ? withoutDeadLinks(page, block, files) : block))
    .join("");
}

function withoutDeadLinks(page: string, text: string, files: readonly string[]): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, label: string, target: string) => {
    if (/^([a-z]+:|#)/.test(target)) return link;
    const path = posix.join(posix.dirname(page), target.replace(/#.*/, ""));
    return isPacked(path, files) ? link : `${label} (\`${path}\`)`;
  });
}

function isPacked(path: string, files: readonly string[]): boolean {
  const isWithin = (pattern: string): boolean =>
    path === pattern || path.startsWith(`${pattern}/`) || matchesGlob(path, pattern);
  const [excluded, included] = [
    files.filter((each) => each.startsWith("!")),
    files.filter((each) => !each.startsWith("!")),
  ];
  return included.some(isWithin) && !excluded.some((pattern) => isWithin(pattern.slice(1)));
}
