/** Where there can be no box, nothing runs: an error names the fix. */
import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { Agent, run } from "skein";
import { sandbox } from "skein/sandbox";
import { ScriptedModel } from "skein/testing";

const folder = mkdtempSync(join(tmpdir(), "skein-unavailable-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

const planted = join(folder, "planted");

/** Puts another bwrap first on PATH. */
function stubBwrap(name: string, script: string): void {
  const bin = mkdtempSync(join(folder, `${name}-`));
  writeFileSync(join(bin, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "bwrap"), 0o755);
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env["PATH"]}`);
}

const attempt = () => sandbox.open({ write: [folder] }).exec(["touch", planted]);
const unavailable = { name: "ConfigurationError", code: "sandbox-unavailable" };

test("without bwrap on PATH nothing runs", async () => {
  vi.stubEnv("PATH", folder);
  await expect(attempt()).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringContaining("apt-get install bubblewrap"),
  });
  expect(existsSync(planted)).toBe(false);
});

test("a relative folder on PATH does not count", async () => {
  vi.stubEnv("PATH", "usr/bin:.:");
  await expect(attempt()).rejects.toMatchObject(unavailable);
});

test.each([
  ["namespaces are forbidden", "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1", /AppArmor/],
  ["it is too old", "echo 'bwrap: Unknown option --bind-fd' >&2; exit 1", /newer bubblewrap/],
  ["it dies", "kill -9 $$", /sandbox could not be started/],
  [
    "it runs programs without a box",
    `echo '{ "child-pid": 999999999 }' >&3; while [ "$1" != -- ]; do shift; done; shift; "$@"; echo '{ "exit-code": 0 }' >&3`,
    /did not hold/,
  ],
])("where %s nothing runs", async (name, script, message) => {
  stubBwrap(name.replaceAll(" ", "-"), script);
  await expect(attempt()).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringMatching(message),
  });
  expect(existsSync(planted)).toBe(false);
});

test("what was missing may be there later", async () => {
  vi.stubEnv("PATH", folder);
  await expect(attempt()).rejects.toMatchObject(unavailable);
  vi.unstubAllEnvs();
  await expect(attempt()).resolves.toMatchObject({ exitCode: 0 });
  rmSync(planted);
});

test("where a program may make no user namespaces, and on other systems, nothing runs", async () => {
  const root = join(import.meta.dirname, "../..");
  const program = `
    import { sandbox } from "skein/sandbox";
    const attempt = () => sandbox.open({ write: [${JSON.stringify(folder)}] }).exec(["touch", ${JSON.stringify(planted)}]);
    console.log(await attempt().catch((error) => error.code + ": " + error.message));
    Object.defineProperty(process, "platform", { value: "darwin" });
    console.log(await attempt().catch((error) => error.code + ": " + error.message));`;
  const file = join(folder, "program.mjs");
  writeFileSync(file, program);
  const outer = ["--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--"];
  const source = join(root, "test/from-source.ts");
  const { stdout } = await promisify(execFile)(
    "bwrap",
    [...outer, process.execPath, "--import", source, file],
    { cwd: root },
  );
  const [inside, elsewhere] = stdout.split("\n");
  expect(inside).toMatch(/^sandbox-unavailable: .*User namespaces must be allowed/);
  expect(elsewhere).toMatch(/^sandbox-unavailable: .*this is darwin/);
  expect(existsSync(planted)).toBe(false);
});

test("without its package, a tier runs nothing", async () => {
  const root = join(import.meta.dirname, "../..");
  const packages = join(folder, "node_modules");
  for (const path of ["dist", "package.json"])
    cpSync(join(root, path), join(packages, "skein", path), { recursive: true });
  const parser = "eventsource-parser";
  cpSync(join(root, "node_modules", parser), join(packages, parser), { recursive: true });
  const program = `
    import { sandbox } from "skein/sandbox";
    const box = sandbox.open({ via: "memory", write: [${JSON.stringify(folder)}] });
    console.log(await box.exec(["touch", ${JSON.stringify(planted)}]).catch((error) => error.code + ": " + error.message));`;
  const file = join(folder, "without-packages.mjs");
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
  expect(stdout).toMatch(/^sandbox-unavailable: .*Install it: npm install just-bash$/m);
  expect(existsSync(planted)).toBe(false);
});

test("an agent with a shell does not start, and a command warns its author", async () => {
  vi.stubEnv("PATH", folder);
  const shell = new Agent({
    name: "A",
    model: new ScriptedModel([]),
    tools: [sandbox.shell({ root: folder })],
  });
  await expect(run(shell, "Go.")).rejects.toMatchObject(unavailable);
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "touch", arguments: { args: [planted] } }] },
    "It cannot be done.",
  ]);
  const tools = [sandbox.command("touch", { write: [folder] })];
  const { messages, warnings } = await run(new Agent({ name: "A", model, tools }), "Go.");
  expect(JSON.stringify(messages)).toContain("bubblewrap is not installed");
  expect(warnings).toEqual([expect.stringContaining("bubblewrap is not installed")]);
  expect(existsSync(planted)).toBe(false);
});
