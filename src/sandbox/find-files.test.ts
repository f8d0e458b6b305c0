import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sandbox, type TierName } from "skein/sandbox";
import { callTool, textOf } from "./test-box.ts";

const root = mkdtempSync(join(tmpdir(), "skein-find-"));
const tiers = ["bubblewrap", "memory"] as const;
const shells = new Map<TierName, ReturnType<typeof sandbox.shell>>(
  tiers.map((via) => [via, sandbox.shell({ root, via })]),
);

beforeAll(() => {
  for (const folder of ["src/a/b", "empty", ".git/in"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    "x.ts",
    "src/y.ts",
    "src/a/z.ts",
    "src/a/b/w.ts",
    "src/.h",
    "src/a b.ts",
    "src/(x)+.md",
  ])
    writeFileSync(join(root, file), "needle 42\n");
  writeFileSync(join(root, ".git/config"), "inside\n");
  writeFileSync(join(root, "app.log"), "start\nERROR fault here\n\0\0\0\nERROR fault again\n");
  writeFileSync(join(root, "old.c"), Buffer.from("int fault; // caf\xe9\nfault\n", "latin1"));
});
afterAll(async () => {
  await Promise.all([...shells.values()].map((shell) => shell.close?.()));
  rmSync(root, { recursive: true, force: true });
});

async function call(via: TierName, name: string, args: object): Promise<string> {
  const shell = shells.get(via);
  return shell ? textOf(await callTool(shell, name, args)) : "";
}

/** Separated by spaces; "_" stands for one. */
const patterns =
  String.raw`** src/** src/**/ **/ src/**/* src/**/*/ **/* src/**/*.ts src/ s*/** **/a/**/*.ts none/** *
*/ **/.h src/**.ts **/**/w.ts /work/src/**/w.ts ./**/*.ts src/?.ts src/[xy].ts src/[!x].ts
src/a_b* **/w.ts/ .git **/empty **/(x)+.* **/\(x* .git/** **/*b*/*.ts src/**/[a-z] .`
    .split(/\s/)
    .map((pattern) => pattern.replace("_", " "));

test.each(patterns)("a pattern lists the same in memory as in bash: %s", async (pattern) => {
  // Of what `**` stands behind, bash prints the slash, too.
  const list = async (via: TierName) =>
    (await call(via, "glob", { pattern }))
      .replace(/^src\/\n|^\.git\/\n/, (base) => (pattern.endsWith("**") ? `${base.slice(0, -2)}\n` : base))
      .split("\n")
      .toSorted((one, other) => (one < other ? -1 : 1));
  expect(await list("memory")).toEqual(await list("bubblewrap"));
});

test("a pattern of all that is below a folder lists files, folders, and none that is hidden", async () => {
  for (const via of tiers) {
    const lines = (await call(via, "glob", { pattern: "src/**" })).split("\n");
    expect(lines).toEqual(expect.arrayContaining(["src/a", "src/a/b", "src/a/b/w.ts", "src/y.ts"]));
    expect(lines).not.toContain("src/.h");
  }
});

test("files that are not text are named where they match", async () => {
  const all = await call("bubblewrap", "grep", { pattern: "fault" });
  expect(all).toContain("./old.c:2:fault\n");
  expect(all).toContain("[binary file matches: ./app.log]\n");
  expect(all).toContain("[binary file matches: ./old.c]\n");
  expect(await call("bubblewrap", "grep", { pattern: "again", path: "app.log" })).toBe(
    "[binary file matches: app.log]\n",
  );
});

test("a search names what it could not read", async () => {
  const closed = join(root, "closed");
  mkdirSync(closed);
  chmodSync(closed, 0);
  expect(await call("bubblewrap", "grep", { pattern: "needle" })).toMatch(
    /src\/y\.ts:1:needle 42\n[^]*\[grep: \.\/closed: Permission denied\]/,
  );
  expect(await call("bubblewrap", "grep", { pattern: "nowhere" })).toMatch(/Permission denied/);
  chmodSync(closed, 0o755);
  rmSync(closed, { recursive: true });
});

test.each(tiers)("what is not there is an error, and .git is searched where it is named: %s", async (via) => {
  expect(await call(via, "grep", { pattern: "x", path: "none" })).toContain("none: No such file");
  expect(await call(via, "grep", { pattern: "inside" })).toBe("No line matches.");
  for (const path of [".git", ".git/", ".git/config", "/work/.git"])
    expect(await call(via, "grep", { pattern: "inside", path })).toMatch(/1:inside\n/);
});

test.each([
  ["needle \\d+", "pattern has \\d", "Write [0-9]."],
  ["a\\tb", "pattern has \\t", "the tab itself"],
  ["(?:a|b)", "pattern has (?", "Write ( for a group"],
  ["[\\d.]+", "pattern has \\d in [\\d.]", "Write 0-9."],
  ["[^\\s]", "pattern has \\s in [^\\s]", "[:space:]"],
  ["[a\\]", "pattern has \\] in [a\\]", "] as the first one"],
])("a pattern that means something else to grep is an error: %s", async (pattern, problem, advice) => {
  for (const via of tiers) {
    const text = await call(via, "grep", { pattern });
    expect(text).toContain(problem);
    expect(text).toContain(advice);
  }
});

test.each([
  "needle [0-9]+",
  "need{1}le",
  "\\bneedle\\b",
  "\\w+ \\S",
  "[[:alpha:]]+ [^a[:space:]]",
  "^needle .*$",
  "(ne|x)edle",
  "needle[\\\\/ ]4",
  "needle[] ]4",
])("a pattern of POSIX and of GNU matches: %s", async (pattern) => {
  for (const via of tiers)
    expect(await call(via, "grep", { pattern, path: "x.ts" })).toMatch(/^(?:x\.ts:)?1:needle 42\n$/);
});

test("a character that is escaped without need is taken as it is", async () => {
  expect(await call("bubblewrap", "grep", { pattern: "needle\\ 4|\\/" })).toMatch(/^\.\/x\.ts:1:needle 42$/m);
  expect(await call("bubblewrap", "grep", { pattern: "no\\/where" })).toBe("No line matches.");
});
