/** What programs and files cannot have is an error that names the fix, in every tier. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sandbox, SandboxError, type Sandbox } from "skein/sandbox";
import { callTool, textOf } from "./test-box.ts";

const root = mkdtempSync(join(tmpdir(), "skein-input-"));
const tiers = ["bubblewrap", "memory"] as const;
const boxes = tiers.map((via) => sandbox.open({ via, write: [root] }));
afterAll(async () => {
  await Promise.all(boxes.map((box) => box.close()));
  rmSync(root, { recursive: true, force: true });
});

/** What a program without types could pass. */
const untyped: Readonly<Record<string, unknown>> = { argv: "ls -l", number: ["echo", 5], nothing: null };

const calls: readonly (readonly [name: string, (box: Sandbox) => Promise<unknown>, message: string])[] = [
  ["an empty argv", (box) => box.exec([]), "its argv is empty"],
  ["a line", (box) => box.exec(Object(untyped["argv"])), 'such as ["ls", "-l"]'],
  ["no argv", (box) => Reflect.apply(box.exec, box, [untyped["nothing"]]), "must be a list of texts"],
  ["a number", (box) => Reflect.apply(box.exec, box, [untyped["number"]]), "argv[1] must be a text"],
  ["U+0000 in an argument", (box) => box.exec(["echo", "a\0b"]), "argv[1] must be a text without"],
  ["U+0000 in a path", (box) => box.read(`${root}/a\0b`), "without the character U+0000"],
  ["U+0000 in a new path", (box) => box.write(`${root}/a\0b`, "x"), "without the character U+0000"],
  ["an empty path", (box) => box.write("", "x"), "not empty"],
  ["a slash at the end", (box) => box.write(`${root}/new/`, "x"), "Name a file in it"],
  ["half of a pair", (box) => box.write(`${root}/half`, "a\ud83d"), "Write the whole character"],
  ["half of a pair as input", (box) => box.exec(["cat"], { stdin: "\ude00" }), "\\ude00"],
];

test.each(calls)("%s is an error", async (_, call, message) => {
  for (const box of boxes) {
    const outcome = Promise.resolve().then(() => call(box));
    await expect(outcome).rejects.toThrow(SandboxError);
    await expect(outcome).rejects.toThrow(message);
  }
  expect(readdirSync(root)).toEqual([]);
});

test("arguments that are too long for the system are an error", async () => {
  const [box] = boxes;
  await expect(box?.exec(["echo", "x".repeat(131_072)])).rejects.toThrow("may have 131071. Pass it as stdin");
  const many = Array.from({ length: 300 }, () => "x".repeat(10_000));
  await expect(box?.exec(["echo", ...many])).rejects.toThrow(SandboxError);
  const longest = await box?.exec(["sh", "-c", "echo ${#1}", "sh", "x".repeat(131_071)]);
  expect(longest?.stdout).toBe("131071\n");
  const most = Array.from({ length: 14 }, () => "x".repeat(100_000));
  await expect(box?.exec(["true", ...most])).resolves.toMatchObject({ exitCode: 0 });
});

test("an edit does not take characters apart", async () => {
  const shell = sandbox.shell({ root });
  await callTool(shell, "write", { path: "smile", content: "a \u{1f600}\n" });
  const text = textOf(await callTool(shell, "edit", { path: "smile", oldText: "\ud83d", newText: "x" }));
  expect(text).toContain("half of a surrogate pair");
  expect(textOf(await callTool(shell, "read", { path: "smile" }))).toBe("a \u{1f600}\n");
  await shell.close?.();
});

test("a command that the interpreter has elsewhere is not there", async () => {
  const memory = boxes[1];
  await expect(memory?.exec(["bash", "-c", "python3 -c 1"])).resolves.toMatchObject({
    exitCode: 127,
    stderr: "bash: python3: command not found\n",
  });
  await expect(memory?.exec(["python"])).rejects.toThrow("python cannot be started: command not found");
});

test.each(["/bin", "/lib64", "/"])("what the system has of its own cannot be named: %s", (path) => {
  expect(() => sandbox.open({ read: [path] })).toThrow("which the sandbox has its own of");
});
