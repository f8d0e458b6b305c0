/** Links between the pages lead somewhere: to a file that is there, and to a heading that it has. */
import { existsSync } from "node:fs";
import { cp, glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pruneLinks, restoreLinks } from "../scripts/published-pages.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const patterns = ["*.md", "docs/{,contributing/}*.md", "bench/*.md", "examples/*.md", "examples/*/*.md"];
const pages = await Array.fromAsync(glob(patterns, { cwd: root }));

/** Text without its blocks of code, in which nothing is a link. */
function prose(markdown: string): string {
  return markdown.replaceAll(/^(`{3,})[\s\S]*?^\1\s*$/gm, "");
}

/** The names of a page's headings, as GitHub makes them. */
function headings(markdown: string): string[] {
  return [...prose(markdown).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The links of a page that lead nowhere. */
async function deadLinks(page: string, folder = root): Promise<string[]> {
  const markdown = await readFile(join(folder, page), "utf8");
  const targets = [...prose(markdown).matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)]
    .map(([, link, image]) => link ?? image ?? "")
    .filter((target) => !/^[a-z]+:/.test(target));
  const dead = await Promise.all(
    targets.map(async (target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? join(folder, page) : join(folder, dirname(page), path);
      if (!existsSync(file)) return [target];
      if (anchor === undefined || headings(await readFile(file, "utf8")).includes(anchor)) return [];
      return [target];
    }),
  );
  return dead.flat();
}

test.each(pages)("%s links to what is there", async (page) => {
  expect(await deadLinks(page)).toEqual([]);
});

test("the pages of the package have no links out of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skein-pages-"));
  const isShared = (path: string): boolean => !/contributing|[\\/]\.[^\\/]+$/.test(relative(root, path));
  for (const name of ["docs", "README.md", "LICENSE", "package.json"])
    await cp(join(root, name), join(folder, name), { recursive: true, filter: isShared });
  pruneLinks(folder);
  const packed = await Array.fromAsync(glob(["*.md", "docs/*.md"], { cwd: folder }));
  const dead = await Promise.all(packed.map((page) => deadLinks(page, folder)));
  expect(dead.flat()).toEqual([]);
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain("[Tools](docs/tools.md)");
  expect(readme).toContain("basic (`examples/basic`)");
  restoreLinks(folder);
  expect(await readFile(join(folder, "README.md"), "utf8")).toBe(
    await readFile(join(root, "README.md"), "utf8"),
  );
  await rm(folder, { recursive: true });
});

test("the pages of docs/ are in their index, all of them", async () => {
  const index = await readFile(join(root, "docs/README.md"), "utf8");
  const missing = pages.filter((page) => {
    const name = /^docs\/(.+)$/.exec(page)?.[1];
    return name !== undefined && name !== "README.md" && !index.includes(`(${name})`);
  });
  expect(missing).toEqual([]);
  expect(pages.length).toBeGreaterThan(25);
});

test("every file and folder that the map of the architecture names is there", async () => {
  const page = await readFile(join(root, "docs/contributing/architecture.md"), "utf8");
  const paths = [
    ...prose(page).matchAll(/`(?:src\/)?((?!scripts)[a-z][\w-]*\/(?:[\w-]+\/)*(?:[\w-]+\.ts)?)`/g),
  ].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, "src", path)))).toEqual([]);
});
