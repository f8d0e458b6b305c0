/** Paths and patterns as models write them, and as they read them. */
import { workspace } from "skein/toolkits";
import { describe, expect, test } from "vitest";
import { kinds, project, runCalls, textsOf, use } from "./test-workspace.ts";

describe.each(kinds)("%s", (_, options) => {
  const open = (root: string) => workspace({ root, ...options });

  test("braces of a pattern stand for each of what they have, and lead nowhere else", async () => {
    const root = project({ "a.txt": "", "b.txt": "", "src/a.ts": "", "src/deep/b.tsx": "", "c.txt": "" });
    const result = await runCalls(
      open(root),
      use("glob", { pattern: "{b,a,none,a}.txt" }),
      use("glob", { pattern: "{src,none}/**/*.{ts,tsx}" }),
      use("glob", { pattern: "{*,a*}.txt" }),
      use("glob", { pattern: "{..,src}/*" }),
      use("glob", { pattern: "{a,b}".repeat(7) }),
    );
    const sorted = textsOf(result).map((text) => text.split("\n").filter(Boolean).toSorted());
    expect(sorted.slice(0, 3)).toEqual([
      ["a.txt", "b.txt"],
      ["src/a.ts", "src/deep/b.tsx"],
      ["a.txt", "b.txt", "c.txt"],
    ]);
    expect(textsOf(result)[3]).toContain("leads out of the workspace's folder");
    expect(textsOf(result)[4]).toContain("stand for more than 64 patterns");
  });

  test("a path may leave a folder of the workspace that it has entered", async () => {
    const root = project({ "a.txt": "one", "src/b.txt": "two" });
    const result = await runCalls(
      open(root),
      use("read", { path: "src/../a.txt" }),
      use("write", { path: "none/../a.txt", content: "three" }),
      use("grep", { pattern: "two", path: "none/../src" }),
      use("read", { path: "src/../../a.txt" }),
      use("glob", { pattern: "*/../*.txt" }),
      use("write", { path: "src/../.git/config", content: "x" }),
    );
    expect(textsOf(result)).toEqual([
      "one",
      "Wrote a.txt.",
      "src/b.txt:1:two\n",
      expect.stringContaining("leads out of the workspace's folder"),
      expect.stringContaining("leads out of the workspace's folder"),
      expect.stringContaining("is not written with this tool"),
    ]);
  });

  test("a file that was read in parts that have all of it can be written", async () => {
    const root = project({ "a.txt": "1\n2\n3\n4\n", "b.txt": "1\n2\n3\n" });
    const write = (path: string) => use("write", { path, content: "new" });
    const result = await runCalls(
      open(root),
      use("read", { path: "a.txt", from: 3, lines: 9 }),
      use("read", { path: "a.txt", from: 1, lines: 1 }),
      write("a.txt"),
      use("read", { path: "a.txt", from: 2, lines: 2 }),
      write("a.txt"),
      use("read", { path: "b.txt", lines: 2 }),
      use("edit", { path: "b.txt", edits: [{ oldText: "1", newText: "one" }] }),
      use("read", { path: "b.txt", from: 3 }),
      write("b.txt"),
      use("read", { path: "b.txt", lines: 2 }),
      write("b.txt"),
    );
    const refused = expect.stringContaining("has text that you have not read");
    const texts = textsOf(result);
    expect([2, 4, 8, 10].map((index) => texts[index])).toEqual([
      refused,
      "Wrote a.txt.",
      refused,
      "Wrote b.txt.",
    ]);
  });

  test("a name that would break or turn the line of a list is escaped", async () => {
    const names = { "two\nlines.txt": "", "\u202egpj.txt": "word" };
    const result = await runCalls(
      open(project(names)),
      use("glob", { pattern: "*.txt" }),
      use("glob", { pattern: "\u202e*" }),
    );
    expect(textsOf(result).map((text) => text.split("\n").filter(Boolean).toSorted())).toEqual([
      ["\\u202egpj.txt", "two\\nlines.txt"],
      ["\\u202egpj.txt"],
    ]);
  });
});
