import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { sandbox } from "skein/sandbox";

const base = realpathSync(mkdtempSync(join(tmpdir(), "skein-write-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let root = "";
beforeEach(() => (root = mkdtempSync(join(base, "each-"))));

const open = (options = {}) => sandbox.open({ write: [root], ...options });
const at = (name: string) => join(root, name);
const textAt = (name: string) => readFileSync(at(name), "utf8");

test("a write that is too large leaves the file as it was, and nothing beside it", async () => {
  writeFileSync(at("file"), "before");
  await expect(open({ fileMb: 1 }).write(at("file"), "x".repeat(1_100_000))).rejects.toThrow(
    "cannot be written",
  );
  expect(textAt("file")).toBe("before");
  expect(readdirSync(root)).toEqual(["file"]);
});

test("a write that is ended or cancelled leaves the file as it was, and nothing beside it", async () => {
  writeFileSync(at("file"), "before");
  const signal = AbortSignal.timeout(60);
  const large = "x".repeat(9_000_000);
  await Promise.allSettled([
    open({ timeout: 1 }).write(at("file"), large),
    open({ timeout: 30 }).write(at("file"), large),
    open().write(at("file"), large, { signal }),
  ]);
  expect(["before", large]).toContain(textAt("file"));
  expect(readdirSync(root)).toEqual(["file"]);
});

test("a file keeps its mode, and one that may not be written stays", async () => {
  writeFileSync(at("run.sh"), "one");
  chmodSync(at("run.sh"), 0o755);
  await open().write(at("run.sh"), "two");
  expect([textAt("run.sh"), statSync(at("run.sh")).mode & 0o777]).toEqual(["two", 0o755]);
  chmodSync(at("run.sh"), 0o444);
  await expect(open().write(at("run.sh"), "three")).rejects.toThrow("Permission denied");
  expect(textAt("run.sh")).toBe("two");
});

test("a link is followed within the box, and stays", async () => {
  const outside = mkdtempSync(join(base, "outside-"));
  writeFileSync(at("target"), "before");
  symlinkSync("target", at("link"));
  symlinkSync("new", at("dangling"));
  symlinkSync(join(outside, "x"), at("out"));
  await open().write(at("link"), "after");
  await open().write(at("dangling"), "made");
  await expect(open().write(at("out"), "x")).rejects.toThrow("cannot be written");
  expect([textAt("target"), textAt("new")]).toEqual(["after", "made"]);
  expect(["link", "dangling", "out"].map((name) => lstatSync(at(name)).isSymbolicLink())).toEqual([
    true,
    true,
    true,
  ]);
  expect(readdirSync(outside)).toEqual([]);
});

test("a file alone in the box is written in place", async () => {
  writeFileSync(at("file"), "before");
  const box = sandbox.open({ write: [at("file")], fileMb: 1 });
  await box.write(at("file"), "after");
  expect(textAt("file")).toBe("after");
  await expect(box.write(at("file"), "x".repeat(1_100_000))).rejects.toThrow("cannot be written");
});

test.each(["/tmp/x", "/dev/shm/x", "/var/tmp/deep/x", `${base}/x`, "/tmp/../tmp/x", "/dev/null"])(
  "a file that would be gone after the call is not written: %s",
  async (path) => {
    const box = open();
    await expect(box.write(path, "x")).rejects.toThrow(`gone after this call. Write below ${root}.`);
    await expect(sandbox.open().write(path, "x")).rejects.toThrow("The sandbox has no folder to write.");
  },
);

test("a link that leads to memory does not get around that, and what cannot be written stays an error of its own", async () => {
  symlinkSync("/tmp", at("memory"));
  await expect(open().write(at("memory/x"), "x")).rejects.toThrow("gone after this call");
  await expect(open().write("/usr/x", "x")).rejects.toThrow("Read-only");
  const read = mkdtempSync(join(base, "read-"));
  await expect(open({ read: [read] }).write(join(read, "x"), "x")).rejects.toThrow("Read-only");
});

test("a file of an earlier call's /tmp is an error that names the reason", async () => {
  const box = open();
  await box.exec(["sh", "-c", "echo x > /tmp/x"]);
  await expect(box.read("/tmp/x")).rejects.toThrow("Each call has a new /tmp");
  await expect(box.read(at("none"))).rejects.not.toThrow("Each call");
});

test("names may be any, and a folder is an error", async () => {
  mkdirSync(at("folder"));
  const names = ["-n", "a\nb\n", "deep\n/er/x", " ", "*"];
  for (const name of names) await open().write(at(name), name);
  expect(names.map(textAt)).toEqual(names);
  await expect(open().write(at("folder"), "x")).rejects.toThrow("folder cannot be written");
  expect(readdirSync(at("folder"))).toEqual([]);
});

test("what a program cannot read is an error at once", async () => {
  const wrong: unknown = 7;
  const box = open();
  await expect(box.exec(["cat"], Object({ stdin: wrong }))).rejects.toThrow(TypeError);
  await expect(box.exec(["cat"], Object({ stdin: { a: 1 } }))).rejects.toThrow(
    "must be a string or a Uint8Array",
  );
  const memory = sandbox.open({ via: "memory" });
  await expect(memory.exec(["cat"], Object({ stdin: wrong }))).rejects.toThrow(TypeError);
});
