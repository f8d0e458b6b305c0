import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { sandbox, SandboxError } from "skein/sandbox";
import { callTool, textOf } from "./test-box.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "skein-folders-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let root = "";
let outside = "";
beforeEach(() => {
  const folder = mkdtempSync(join(base, "each-"));
  root = join(folder, "root");
  outside = join(folder, "outside");
  mkdirSync(join(root, "docs"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "secret of the host");
});

const leaveLink = () =>
  callTool(sandbox.shell({ root }), "bash", { command: `rmdir docs && ln -s ${outside} docs` });

test("a link that a program leaves in its folder leads no other command out", async () => {
  const docs = join(root, "docs");
  const cat = sandbox.command("cat", { read: [docs] });
  const tee = sandbox.command("tee", { write: [docs] });
  await callTool(cat, "cat", { args: [join(docs, "secret")] });
  await leaveLink();
  const read = await callTool(cat, "cat", { args: [join(docs, "secret")] });
  expect(textOf(read)).toContain(`${docs} is a link now, in a folder that programs may write`);
  const write = await callTool(tee, "tee", { args: [join(docs, "planted")], stdin: "planted" });
  expect(write.isError).toBe(true);
  expect(readdirSync(outside)).toEqual(["secret"]);
});

test("nor a shell that is made later, over a folder within, or through another name", async () => {
  const other = join(root, "../other");
  symlinkSync(join(root, "docs"), other);
  await leaveLink();
  for (const way of [join(root, "docs"), other]) {
    const later = callTool(sandbox.shell({ root: way }), "bash", { command: "cat secret; echo > planted" });
    await expect(later).rejects.toThrow(SandboxError);
  }
  expect(readdirSync(outside)).toEqual(["secret"]);
});

test("nor a box in memory", async () => {
  const docs = join(root, "docs");
  const box = sandbox.open({ read: [docs], via: "memory" });
  await expect(box.exec(["ls", docs])).resolves.toMatchObject({ exitCode: 0 });
  await leaveLink();
  await expect(box.exec(["cat", join(docs, "secret")])).rejects.toThrow("is a link now");
  await expect(box.exec(["cat", join(docs, "secret")])).rejects.toThrow("is a link now");
  await box.close();
});

test("nor the next call of a command whose folders are one within another", async () => {
  const inner = join(root, "a/b");
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(root, "../b"));
  writeFileSync(join(root, "../b/secret"), "secret of the host");
  const bash = sandbox.command("bash", { write: [root, inner], approval: false });
  await callTool(bash, "bash", { args: ["-c", `cd ${root} && mv a x && ln -s .. a`] });
  const result = await callTool(bash, "bash", {
    args: ["-c", `cat ${inner}/secret; echo > ${inner}/planted`],
  });
  expect(textOf(result)).not.toContain("secret of the host");
  expect(readdirSync(join(root, "../b"))).toEqual(["secret"]);
});

test("a link that was there before is followed, where no program could have made it", async () => {
  const link = join(root, "../link");
  symlinkSync("outside", link);
  const box = sandbox.open({ read: [link] });
  await expect(box.exec(["cat", join(link, "secret")])).resolves.toMatchObject({ exitCode: 0 });
});

test("a link that leads to itself is an error", async () => {
  const link = join(root, "../loop");
  symlinkSync("loop", link);
  await expect(sandbox.open({ read: [link], via: "bubblewrap" }).exec(["true"])).rejects.toThrow(
    "cannot open",
  );
});

test("a folder to write may be in one to read", async () => {
  const out = join(root, "docs");
  const box = sandbox.open({ read: [root], write: [out] });
  const script = `echo hi > ${out}/x && cat ${out}/x; echo hi > ${root}/x`;
  await expect(box.exec(["sh", "-c", script])).resolves.toMatchObject({
    stdout: "hi\n",
    stderr: expect.stringContaining("Read-only"),
  });
});

test("a box in memory refuses a folder to write in one to read", async () => {
  const box = sandbox.open({ read: [root], write: [join(root, "docs")], via: "memory" });
  await expect(box.exec(["true"])).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining("in a folder to read"),
  });
});
