import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sandbox, type ShellOptions } from "skein/sandbox";
import { callTool, fakeTier, runCall, textOf } from "./test-box.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-shell-"));
const root = join(folder, "work");
mkdirSync(root);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shell = sandbox.shell({ root });
const call = async (name: string, args: object) => textOf(await callTool(shell, name, args));

test("a command runs in the folder, with what files it makes", async () => {
  const result = await callTool(shell, "bash", { command: "pwd; echo one > one.txt; exit 3" });
  expect(result).toMatchObject({ isError: false });
  expect(result.structuredContent).toEqual({ exitCode: 3, stdout: "/work\n", stderr: "" });
  expect(readFileSync(join(root, "one.txt"), "utf8")).toBe("one\n");
});

test("files are written, read in parts, and edited", async () => {
  expect(await call("write", { path: "sub/new.txt", content: "a\nb\nc\nb" })).toBe("Wrote sub/new.txt.");
  expect(await call("read", { path: "sub/new.txt" })).toBe("a\nb\nc\nb");
  expect(await call("read", { path: "/work/sub/new.txt", from: 2, lines: 1 })).toBe("b\n[2 more lines]");
  expect(await call("edit", { path: "sub/new.txt", oldText: "a\nb", newText: "$&" })).toContain("once");
  expect(await call("edit", { path: "sub/new.txt", oldText: "b", newText: "B" })).toContain("once");
  expect(readFileSync(join(root, "sub/new.txt"), "utf8")).toBe("$&\nc\nB");
});

test("an edit of what is not there, or is there twice, is an error that says what to do", async () => {
  writeFileSync(join(root, "twice.txt"), "x x");
  const edit = { path: "twice.txt", oldText: "x", newText: "y" };
  expect(await call("edit", { ...edit, oldText: "z" })).toContain("does not contain oldText");
  expect(await call("edit", edit)).toContain("2 times");
  expect(readFileSync(join(root, "twice.txt"), "utf8")).toBe("x x");
  expect(await call("edit", { ...edit, replaceAll: true })).toContain("2 times");
  expect(readFileSync(join(root, "twice.txt"), "utf8")).toBe("y y");
});

test("edits of one file at once lose nothing", async () => {
  writeFileSync(join(root, "many.txt"), "1 2 3 4");
  await Promise.all(
    ["1", "2", "3", "4"].map((oldText) => call("edit", { path: "many.txt", oldText, newText: "x" })),
  );
  expect(readFileSync(join(root, "many.txt"), "utf8")).toBe("x x x x");
});

test("changes of one file at once lose nothing, however its path is written", async () => {
  writeFileSync(join(root, "paths.txt"), "1 2 3");
  await Promise.all([
    call("edit", { path: "paths.txt", oldText: "1", newText: "x" }),
    call("edit", { path: "/work/paths.txt", oldText: "2", newText: "x" }),
    call("edit", { path: "./paths.txt", oldText: "3", newText: "x" }),
  ]);
  expect(readFileSync(join(root, "paths.txt"), "utf8")).toBe("x x x");
  await Promise.all([
    call("edit", { path: "paths.txt", oldText: "x x x", newText: "edited" }),
    call("write", { path: "/work/paths.txt", content: "written" }),
  ]);
  expect(readFileSync(join(root, "paths.txt"), "utf8")).toBe("written");
});

test("edits by two shells over one folder lose nothing, however they name it", async () => {
  writeFileSync(join(root, "both.txt"), "1 2 3 4 5 6");
  symlinkSync(root, join(folder, "same"));
  const shells = [shell, sandbox.shell({ root: join(folder, "same") })];
  const edits = ["1", "2", "3", "4", "5", "6"].map((oldText, index) =>
    shells
      .slice(index % 2)
      .slice(0, 1)
      .map((each) => callTool(each, "edit", { path: "both.txt", oldText, newText: "x" })),
  );
  await Promise.all(edits.flat());
  expect(readFileSync(join(root, "both.txt"), "utf8")).toBe("x x x x x x");
});

test("a file may have the name of standard input", async () => {
  expect(await call("write", { path: "-", content: "dash" })).toBe("Wrote -.");
  expect(await call("read", { path: "-" })).toBe("dash");
  expect(await call("grep", { pattern: "dash", path: "-" })).toContain("1:dash");
  rmSync(join(root, "-"));
});

test.each([
  ["glob", { pattern: "*" }],
  ["grep", { pattern: "a" }],
])("%s says which limit ended it", async (name, args) => {
  const some = sandbox.shell({ root, via: fakeTier({ stdout: "a\n", exitCode: 137, ended: "output" }).via });
  expect(textOf(await callTool(some, name, args))).toBe(
    "a\n[ended by the limit: output; name a smaller part]",
  );
  const none = sandbox.shell({ root, via: fakeTier({ exitCode: 137, ended: "timeout" }).via });
  expect(textOf(await callTool(none, name, args))).toContain("ended by the limit: timeout");
});

test("files are found by patterns and by their text", async () => {
  writeFileSync(join(root, "a b.ts"), "const needle = 1;\n");
  mkdirSync(join(root, "deep/er"), { recursive: true });
  writeFileSync(join(root, "deep/er/c.ts"), "const Needle = 2;\n");
  expect(await call("glob", { pattern: "**/*.ts" })).toBe("a b.ts\ndeep/er/c.ts\n");
  expect(await call("glob", { pattern: "none*" })).toBe("No file matches.");
  expect(await call("grep", { pattern: "nee+dle" })).toContain("a b.ts:1:const needle = 1;");
  expect(await call("grep", { pattern: "NEEDLE", path: "deep", ignoreCase: true })).toBe(
    "deep/er/c.ts:1:const Needle = 2;\n",
  );
  expect(await call("grep", { pattern: "nowhere" })).toBe("No line matches.");
  expect(await call("grep", { pattern: "(" })).toMatch(/Unmatched \(/);
});

test.each([
  ["glob", { pattern: "$(touch planted)`touch planted`;touch planted" }],
  ["glob", { pattern: "-n" }],
  ["grep", { pattern: "--include=x", path: "--version" }],
  ["read", { path: "--version" }],
  ["read", { path: "$(touch planted)" }],
  ["write", { path: "$(touch planted); touch planted", content: "x" }],
])("no shell reads the input of %s: %j", async (name, args) => {
  const text = await call(name, args);
  expect(text).not.toMatch(/GNU|Copyright/);
  expect(existsSync(join(root, "planted"))).toBe(false);
});

test("a file that is binary, too long or missing is an error", async () => {
  writeFileSync(join(root, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
  writeFileSync(join(root, "large"), Buffer.alloc(10_000_001));
  expect(await call("read", { path: "binary" })).toContain("not a text file");
  expect(await call("read", { path: "large" })).toContain("larger than");
  expect(await call("read", { path: "none" })).toContain("No such file");
  expect(await call("write", { path: "../etc/x", content: "x" })).toContain("Read-only");
});

test("long output comes as head and tail", async () => {
  const small = sandbox.shell({ root, outputBytes: 300 });
  const result = await callTool(small, "bash", { command: "seq 1000" });
  const { stdout } = Object(result.structuredContent);
  expect(stdout).toMatch(/^1\n2\n[^]*\n\[3593 of 3893 bytes left out\]\n[^]*\n1000\n$/);
  writeFileSync(join(root, "long.txt"), "x".repeat(1_000));
  expect(textOf(await callTool(small, "read", { path: "long.txt" }))).toContain("[cut after 300 characters]");
});

/** By the options: which tools wait for an approval. */
const approvals: readonly (readonly [Partial<ShellOptions>, readonly string[]])[] = [
  [{}, []],
  [{ read: ["/srv"] }, []],
  [{ net: true }, ["bash"]],
  [{ write: ["/srv"] }, ["bash", "write", "edit"]],
  [{ net: true, write: ["/srv"], approval: false }, []],
  [{ approval: true }, ["bash", "write", "edit"]],
  [{ approval: ({ command }) => command === "ls" }, ["bash"]],
  [{ approval: ({ command }) => command !== "ls" }, []],
];

test.each(approvals)("with %j, approvals are needed for %j", async (options, expected) => {
  const inputs = {
    bash: { command: "ls" },
    read: { path: "a" },
    write: { path: "a", content: "a" },
    edit: { path: "a", oldText: "a", newText: "b" },
    glob: { pattern: "*" },
    grep: { pattern: "a" },
  };
  const waiting: string[] = [];
  for (const [name, input] of Object.entries(inputs)) {
    const source = sandbox.shell({ root, ...options, via: fakeTier().via });
    const { status } = await runCall(source, name, input);
    if (status === "paused") waiting.push(name);
  }
  expect(waiting).toEqual(expected);
});

test("a shell needs a root, which must be there", async () => {
  expect(() => sandbox.shell({})).toThrow("root of sandbox.shell() must be a path");
  const none = sandbox.shell({ root: join(folder, "none") });
  await expect(callTool(none, "bash", { command: "ls" })).rejects.toThrow("cannot open");
});

test.each(["/", "/proc", "/sys/kernel"])("%s is not a root", (own) => {
  expect(() => sandbox.shell({ root: own })).toThrow("which the sandbox has its own of");
});

test("closing the toolkit closes its sandbox", async () => {
  const { via, closed } = fakeTier();
  await sandbox.shell({ root, via }).close();
  expect(closed()).toBe(1);
});

test.each([
  [["/usr/local/tools"], "/work"],
  [["/work/tools"], "/workspace"],
  [["/work"], "/workspace"],
  [["/work/tools", "/workspace/tools"], "/project"],
])("beside %j the root is %s, so that no other folder is made in it", (read, target) => {
  const { via, options } = fakeTier();
  sandbox.shell({ root, read, via });
  expect(options[0]).toMatchObject({ cwd: target });
  expect(options[0]?.folders.find(({ source }) => source === root)?.target).toBe(target);
});

test("a shell whose root has no place left is refused", () => {
  const read = ["/work/a", "/workspace/a", "/project/a"];
  expect(() => sandbox.shell({ root, read, via: fakeTier().via })).toThrow("needs one of them for its root");
});
