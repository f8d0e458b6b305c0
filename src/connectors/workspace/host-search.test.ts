import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { workspaceFolder } from "./folder.ts";
import { findHostFiles } from "./host-glob.ts";
import { searchHostFiles } from "./host-grep.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "skein-search-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const files = [
  "a.ts",
  "b.md",
  "src/a.ts",
  "src/[x].ts",
  "src/deep/er/c.tsx",
  "src/.hidden/d.ts",
  ".env",
  "node_modules/p/index.ts",
  ".git/config",
  "src/{a}.ts",
  "src/é.ts",
];
for (const path of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `text of ${path}\n`);
}
symlinkSync("src", join(root, "way"));
const folder = await workspaceFolder(root);
const { signal } = new AbortController();
const find = (pattern: string): Promise<string> => findHostFiles(folder, [pattern], signal);
const grep = (pattern: string, path = ".", ignoreCase = false): Promise<string> =>
  searchHostFiles(folder, { pattern, path, ignoreCase }, signal);

test.each([
  "*",
  "*.ts",
  "**/*.ts",
  "src/*",
  "src/**",
  "src/**/c.tsx",
  "**/er/*.ts?",
  "src/?.ts",
  "src/[ab].ts",
  "src/[!b].ts",
  "src/[a-c].ts",
  "src/[[]x].ts",
  "src/.*/*",
  ".e*",
  ".[a-z]nv",
  "src/{a}.ts",
  "src/*.{ts}",
  "none*",
  "a.ts",
  "src/é.ts",
  "src/(a|b).ts",
  "**/[",
])("%s lists what bash lists", async (pattern) => {
  const script = `shopt -s globstar nullglob; IFS=; for each in $1; do if [ -e "$each" ]; then printf '%s\\n' "$each"; fi; done`;
  const bash = execFileSync("bash", ["-c", script, "bash", pattern], { cwd: root, encoding: "utf8" });
  const lines = (text: string): readonly string[] =>
    text
      .split("\n")
      .filter((line) => line !== "" && !/^(node_modules\/|\.git\/|way\/)/.test(line))
      .map((line) => line.replace(/\/$/, ""))
      .filter((line) => line !== "src" || pattern !== "src/**")
      .toSorted();
  expect(lines(await find(pattern))).toEqual(lines(bash));
});

test("what is skipped is there for a pattern or a path that names it", async () => {
  expect(await find("node_modules/*/*.ts")).toBe("node_modules/p/index.ts\n");
  expect(await grep("text", "node_modules")).toBe(
    "node_modules/p/index.ts:1:text of node_modules/p/index.ts\n",
  );
  expect(await grep("index|config")).toBe("");
});

test("an expression of a model takes a bounded time", async () => {
  writeFileSync(join(root, "as.txt"), `${"a".repeat(20_000)}b\n`);
  expect(await grep("^(a+)+$", "as.txt")).toMatch(/^(\[There is more.*\n)?$/);
  expect(await grep("(a|aa)+c|b$", "as.txt")).toMatch(/^(as\.txt:1:a+ \[cut\]\n|\[There is more.*\n)$/);
  const star = "*a".repeat(500);
  expect(await find(`${star}*c`)).toMatch(/^(\[There is more.*\n)?$/);
  await expect(grep("(a)\\1", "as.txt")).rejects.toThrow("bounded time");
  await expect(grep("(", "as.txt")).rejects.toThrow("not a regular expression");
});

test("the case of letters does not count, if a call wants that, and that of escapes does", async () => {
  writeFileSync(join(root, "case.txt"), "One TWO\n");
  expect(await grep("^one\\Stwo$|ONE\\sTwo", "case.txt", true)).toBe("case.txt:1:One TWO\n");
  expect(await grep("^one\\Stwo$", "case.txt", true)).toBe("");
  expect(await grep("one", "case.txt")).toBe("");
});

test("binary files, and long ones, are left out; long lines are cut", async () => {
  writeFileSync(join(root, "binary"), Buffer.from([0, 110, 101, 101, 100, 108, 101]));
  writeFileSync(join(root, "large.txt"), `needle ${"x".repeat(1_000_001)}`);
  writeFileSync(join(root, "long.txt"), `needle ${"x".repeat(1_000)}`);
  expect(await grep("needle")).toMatch(/^long\.txt:1:needle x{493} \[cut\]\n$/);
});

test("a name that would break or turn the line of a match is escaped", async () => {
  writeFileSync(join(root, "two\nlines.txt"), "wool");
  writeFileSync(join(root, "\u202egpj.txt"), "wool");
  expect(await grep("wool")).toBe("two\\nlines.txt:1:wool\n\\u202egpj.txt:1:wool\n");
});

test("a list has an end", async () => {
  writeFileSync(join(root, "many.txt"), "line of many\n".repeat(10_000));
  const text = await grep("of many");
  expect(text.length).toBeLessThan(41_000);
  expect(text).toMatch(/\[There is more: name a smaller part\.\]\n$/);
});

test("a call that is cancelled ends", async () => {
  await expect(findHostFiles(folder, ["**"], AbortSignal.abort(new Error("enough")))).rejects.toThrow(
    "enough",
  );
});
