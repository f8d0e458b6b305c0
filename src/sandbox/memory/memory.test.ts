import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { sandbox, SandboxError, type Sandbox, type SandboxOptions } from "skein/sandbox";
import { callTool, textOf } from "../test-box.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-memory-"));
const root = join(folder, "work");
const boxes: Sandbox[] = [];
mkdirSync(root);
afterAll(async () => {
  await Promise.all(boxes.map((box) => box.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** A sandbox that is closed after the tests. */
function open(options: SandboxOptions = {}): Sandbox {
  const box = sandbox.open({ via: "memory", ...options });
  boxes.push(box);
  return box;
}

const bash = (line: string): readonly string[] => ["bash", "-c", line];

test("a shell works in memory, without a folder", async () => {
  const shell = sandbox.shell({ via: "memory" });
  const call = async (name: string, args: object) => textOf(await callTool(shell, name, args));
  expect(await call("bash", { command: "pwd; mkdir a; echo one > a/one.txt; env | sort" })).toMatch(
    /^\/work\n[^]*HOME=\/tmp/,
  );
  expect(await call("write", { path: "a/two.txt", content: "two\nTwo" })).toBe("Wrote a/two.txt.");
  expect(await call("edit", { path: "a/two.txt", oldText: "two", newText: "2" })).toContain("once");
  expect(await call("read", { path: "/work/a/two.txt" })).toBe("2\nTwo");
  expect(await call("glob", { pattern: "**/*.txt" })).toBe("a/one.txt\na/two.txt\n");
  expect(await call("glob", { pattern: "none*" })).toBe("No file matches.");
  expect(await call("grep", { pattern: "T.o", ignoreCase: true })).toBe("a/two.txt:2:Two\n");
  expect(await call("grep", { pattern: "none" })).toBe("No line matches.");
  expect(await call("read", { path: "none" })).toContain("cannot be read");
  await shell.close();
});

test("what is written in a folder stays there, and what is read comes from there", async () => {
  writeFileSync(join(root, "in.txt"), "in");
  const box = open({ write: [root] });
  await box.exec(bash(`cd ${root}; cat in.txt > out.txt; echo more >> out.txt; mkdir deep; mv in.txt deep`));
  expect(readFileSync(join(root, "out.txt"), "utf8")).toBe("inmore\n");
  expect(readdirSync(join(root, "deep"))).toEqual(["in.txt"]);
  await box.write(join(root, "new/file"), new Uint8Array([0, 255]));
  expect(readFileSync(join(root, "new/file"))).toEqual(Buffer.from([0, 255]));
  expect(Buffer.from(await box.read(join(root, "new/file")))).toEqual(Buffer.from([0, 255]));
});

test("files outside of its folders are in memory, and stay there between calls", async () => {
  const box = open();
  await box.exec(
    bash(`echo kept > /tmp/kept; ln -s kept /tmp/link; mkdir -p /srv/empty; chmod 755 /tmp/kept`),
  );
  await expect(box.exec(bash("cat /tmp/link; ls -d /srv/empty"))).resolves.toMatchObject({
    stdout: "kept\n/srv/empty\n",
  });
  expect(existsSync("/srv/empty")).toBe(false);
});

test("a folder for reading alone is not written", async () => {
  const part = join(folder, "part");
  mkdirSync(part);
  writeFileSync(join(part, "a"), "a");
  const box = open({ read: [part] });
  await expect(box.exec(["cat", join(part, "a")])).resolves.toMatchObject({ stdout: "a" });
  await expect(box.exec(bash(`echo x > ${part}/a; rm ${part}/a; mkdir ${part}/b`))).resolves.toMatchObject({
    stderr: expect.stringContaining("read-only"),
  });
  await expect(box.write(join(part, "a"), "x")).rejects.toThrow("read-only");
  expect(readFileSync(join(part, "a"), "utf8")).toBe("a");
  expect(readdirSync(part)).toEqual(["a"]);
});

test("links in a folder are refused, and none is made there", async () => {
  writeFileSync(join(folder, "secret"), "secret");
  symlinkSync(join(folder, "secret"), join(root, "link"));
  symlinkSync(folder, join(root, "way"));
  const box = open({ write: [root] });
  const { stdout } = await box.exec(
    bash(
      `cd ${root}; cat link way/secret; echo x > link; echo x > way/planted; ln -s / up; cp -r way here; true`,
    ),
  );
  expect(stdout).not.toContain("secret");
  await expect(box.read(join(root, "link"))).rejects.toThrow(SandboxError);
  await expect(box.write(join(root, "way/planted"), "x")).rejects.toThrow(SandboxError);
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe("secret");
  expect(existsSync(join(folder, "planted"))).toBe(false);
  expect(existsSync(join(root, "up"))).toBe(false);
});

test("a command that holds up its thread is ended at its timeout, and takes nothing with it but its own changes", async () => {
  const box = open({ timeout: 1_500 });
  await box.exec(bash("echo kept > /tmp/kept"));
  const endless = `echo lost > /tmp/lost; awk 'BEGIN { for (j = 0; j < 99999; j++) { s = s "xxxxxxxxxxxxxxxxxxxx"; if (s ~ /(x+)+y/) k++ } }'`;
  await expect(box.exec(bash(endless))).resolves.toMatchObject({ exitCode: 137, ended: "timeout" });
  await expect(box.exec(bash("cat /tmp/kept; ls /tmp/lost"))).resolves.toMatchObject({
    stdout: "kept\n",
    stderr: expect.stringContaining("No such file"),
  });
});

test("a call that is cancelled ends, and the next one works", async () => {
  const box = open();
  const stop = new AbortController();
  const call = box.exec(["sleep", "1000"], { signal: stop.signal });
  const next = box.exec(["echo", "next"]);
  setTimeout(() => stop.abort(new Error("enough")), 300);
  await expect(call).rejects.toThrow("enough");
  await expect(next).resolves.toMatchObject({ stdout: "next\n" });
  const signal = AbortSignal.abort(new Error("never"));
  await expect(box.exec(["true"], { signal })).rejects.toThrow("never");
});

test("closing it ends what runs", async () => {
  const box = open();
  const call = box.exec(["sleep", "1000"]);
  setTimeout(() => void box.close(), 300);
  await expect(call).rejects.toThrow("closed");
  await expect(box.exec(["true"])).rejects.toThrow("closed");
});

test("output comes as head and tail, and too much of it ends the command", async () => {
  const box = open({ outputBytes: 300 });
  const { stdout } = await box.exec(["seq", "1000"]);
  expect(stdout).toMatch(/^1\n2\n[^]*\n\[3593 of 3893 bytes left out\]\n[^]*\n1000\n$/);
  await expect(box.exec(bash("seq 1000000"))).resolves.toMatchObject({ exitCode: 137, ended: "output" });
});

test("files have a limit, and so have all files in memory", async () => {
  const box = open({ write: [root], fileMb: 1, memoryMb: 3 });
  const { stderr } = await box.exec(bash(`seq 1000000 > ${root}/large`));
  expect(stderr).toContain("file too large");
  await expect(box.write("/tmp/large", "x".repeat(1_100_000))).rejects.toThrow("file too large");
  const many = await box.exec(bash("for i in 1 2 3 4 5; do seq 140000 > /tmp/$i; done"));
  expect(many.exitCode).not.toBe(0);
  expect(many.stderr).toMatch(/space|limit/i);
});

test("a program reads its input as it is, and its arguments are not read by a shell", async () => {
  const box = open();
  await expect(box.exec(["cat"], { stdin: "é\n$(id)" })).resolves.toMatchObject({ stdout: "é\n$(id)" });
  await expect(box.exec(["printf", "%s|", "a b", "$(id); `id`", "'"])).resolves.toMatchObject({
    stdout: "a b|$(id); `id`|'|",
  });
});

test("variables are those of the options, and none of the process", async () => {
  vi.stubEnv("SKEIN_TEST_SECRET", "b7f2c1");
  const { stdout } = await open({ env: { TOKEN: "t" } }).exec(["env"]);
  vi.unstubAllEnvs();
  expect(stdout).toMatch(/^TOKEN=t$/m);
  expect(stdout).toMatch(/^HOME=\/tmp$/m);
  expect(stdout).not.toContain("b7f2c1");
});

test.each(["no-such-program", "/bin/no-such", "a'b"])(
  "a command that is missing is an error: %s",
  async (name) => {
    await expect(open().exec([name])).rejects.toThrow("cannot be started");
  },
);

test("the network is off, on, or has the hosts that are named", async () => {
  const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const get = (options: SandboxOptions, host: string) =>
    open(options).exec(bash(`curl -s http://${host}:${port}/ || echo refused`));
  await expect(get({}, "127.0.0.1")).resolves.toMatchObject({ stdout: "refused\n" });
  await expect(get({ net: true }, "127.0.0.1")).resolves.toMatchObject({ stdout: "hello" });
  await expect(get({ net: [`localhost:${port}`] }, "localhost")).resolves.toMatchObject({ stdout: "hello" });
  await expect(get({ net: [`localhost:${port}`] }, "127.0.0.1")).resolves.toMatchObject({
    stdout: "refused\n",
  });
  await new Promise((resolve) => server.close(resolve));
});

test("what it cannot hold is refused", async () => {
  await expect(open({ net: ["*.example.com"] }).exec(["true"])).rejects.toMatchObject({
    code: "invalid-option",
  });
  writeFileSync(join(folder, "file"), "");
  await expect(open({ read: [join(folder, "file")] }).exec(["true"])).rejects.toThrow("needs a folder");
  await expect(open({ read: [join(folder, "none")] }).exec(["true"])).rejects.toThrow("needs a folder");
});
