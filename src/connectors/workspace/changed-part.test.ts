import { run, Agent, type RunEvent } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { workspace } from "skein/toolkits";
import { expect, test } from "vitest";
import { changedPart, pathForReaders } from "./changed-part.ts";
import { project, textsOf, use } from "./test-workspace.ts";

const numbers = Array.from({ length: 1_000 }, (_, index) => `line ${index + 1}`);
const long = numbers.join("\n");

test.each([
  ["a new file", undefined, "one\n", { oldText: null, newText: "one\n" }],
  ["a file that was empty", "", "one\n", { oldText: "", newText: "one\n" }],
  ["a short file", "one\ntwo\n", "one\n2\n", { oldText: "one\ntwo\n", newText: "one\n2\n" }],
  ["lines at the end", "one\ntwo", "one\ntwo\nthree", { oldText: "one\ntwo", newText: "one\ntwo\nthree" }],
  ["repeated lines", "a\na\na", "a\na", { oldText: "a\na\na", newText: "a\na" }],
  [
    "a line of a long file",
    long,
    long.replace("line 500\n", "five hundred\n"),
    {
      oldText: "line 497\nline 498\nline 499\nline 500\nline 501\nline 502\nline 503",
      newText: "line 497\nline 498\nline 499\nfive hundred\nline 501\nline 502\nline 503",
    },
  ],
] as const)("a change is its lines, with a few around them: %s", (_, before, after, texts) => {
  expect(changedPart("a.ts", before, after)).toEqual({ path: "a.ts", ...texts });
});

test("nothing is sent of what has not changed, and of what is too long", () => {
  expect(changedPart("a.ts", "one", "one")).toBeUndefined();
  expect(changedPart("a.ts", undefined, "x".repeat(100_000))).toBeDefined();
  expect(changedPart("a.ts", undefined, "x".repeat(100_001))).toBeUndefined();
  expect(changedPart("a.ts", "x".repeat(60_000), "y".repeat(60_000))).toBeUndefined();
});

test("an editor reads a path from its own folder on, others from the workspace on", () => {
  const context = { editor: { cwd: "/home/ada" } };
  expect(pathForReaders("/home/ada/notes", "src/a.ts", context)).toBe("notes/src/a.ts");
  expect(pathForReaders("/srv/notes", "a.ts", context)).toBe("../../srv/notes/a.ts");
  for (const other of [undefined, {}, { editor: {} }, { editor: { cwd: 1 } }])
    expect(pathForReaders("/srv/notes", "src/a.ts", other)).toBe("src/a.ts");
});

test("those who see a call get its change, and models the short text", async () => {
  const root = project({ "a.ts": "one\n", "docs/AGENTS.md": "Be brief.", "docs/b.md": "two\n" });
  const edit = (path: string, oldText: string): ScriptedToolCall =>
    use("edit", { path, edits: [{ oldText, newText: "new" }] });
  const calls = [
    edit("a.ts", "one"),
    edit("docs/b.md", "two"),
    edit("a.ts", "absent"),
    use("write", { path: "c.md", content: "three" }),
    use("write", { path: "c.md", content: "three" }),
  ];
  const model = new ScriptedModel([...calls.map((call) => ({ toolCalls: [call] })), "Done."]);
  const ends: Extract<RunEvent, { type: "tool-end" }>[] = [];
  const result = await run(new Agent({ name: "A", model, tools: [workspace({ root })] }), "Go.", {
    onEvent: (event) => void (event.type === "tool-end" && ends.push(event)),
  });
  expect(ends.map(({ meta }) => meta)).toEqual([
    { path: "a.ts", oldText: "one\n", newText: "new\n" },
    { path: "docs/b.md", oldText: "two\n", newText: "new\n" },
    undefined,
    { path: "c.md", oldText: null, newText: "three" },
    undefined,
  ]);
  const texts = textsOf(result);
  expect(texts[0]).toBe("Replaced 1 text in a.ts.");
  expect(texts[1]).toContain("Be brief.");
  expect(texts.slice(3)).toEqual(["Wrote c.md.", "Wrote c.md."]);
  expect(JSON.stringify(result.state)).not.toContain('"oldText":"one\\n"');
});
