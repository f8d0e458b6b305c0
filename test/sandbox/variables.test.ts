/** Variables of a box are for its program alone: what makes the box, and what holds its limits, does not have them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sandbox, SandboxError, type ExecResult } from "skein/sandbox";

const folder = mkdtempSync(join(tmpdir(), "skein-variables-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program with variables. */
function execWith(env: Readonly<Record<string, string>>, argv: readonly string[]): Promise<ExecResult> {
  return sandbox.open({ env }).exec(argv);
}

test("what the loader of programs reads does not reach the program that makes the box", async () => {
  const outside = join(folder, "outside");
  mkdirSync(outside);
  await execWith({ LD_DEBUG: "libs", LD_DEBUG_OUTPUT: join(outside, "loaded") }, ["true"]);
  expect(readdirSync(outside)).toEqual([]);
});

test("it does not reach the programs that hold the limits either", async () => {
  const { exitCode, stderr } = await execWith({ LD_DEBUG: "files" }, ["true"]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/initialize program: true/);
  expect(stderr).not.toMatch(/initialize program: .*(?:bwrap|sh|timeout|env)$/m);
});

test("a PATH of the box decides which program is started, not which limits it", async () => {
  const bin = join(folder, "bin");
  const box = sandbox.open({ write: [folder], env: { PATH: `${bin}:/usr/bin` }, fileMb: 1 });
  const script =
    "mkdir -p $0; for name in prlimit timeout env sh tool; do printf '#!/bin/bash\\necho fake $*' > $0/$name; chmod +x $0/$name; done";
  await expect(box.exec(["/bin/bash", "-c", script, bin])).resolves.toMatchObject({ exitCode: 0 });
  await expect(box.exec(["tool", "x"])).resolves.toMatchObject({ stdout: "fake x\n" });
  const { stderr } = await box.exec(["/bin/bash", "-c", `head -c 2000000 /dev/zero > ${folder}/large`]);
  expect(stderr).toMatch(/File too large|size limit/);
});

test("all names and values arrive as they are, and stand in no arguments", async () => {
  const env = {
    "it's-a \\ $name": "one",
    "-dash": "two ${HOME} 'x' \"y\"\n#z",
    "a.b\nc": "",
    HOME: "/elsewhere",
    SKEIN_BOX_0: "mine",
  };
  const { stdout } = await execWith(env, ["cat", "/proc/self/environ"]);
  const variables = Object.fromEntries(
    stdout.split("\0").map((each) => [each.replace(/=[^]*/, ""), each.replace(/^[^=]*=/, "")]),
  );
  expect(variables).toMatchObject(env);
  expect(Object.keys(variables).filter((name) => name.startsWith("SKEIN_BOX_"))).toEqual(["SKEIN_BOX_0"]);
  const all = await execWith({ TOKEN: "b7f2c1" }, ["sh", "-c", "cat /proc/[0-9]*/cmdline"]);
  expect(all.stdout).toContain("/usr/bin/timeout");
  expect(all.stdout).not.toContain("b7f2c1");
});

test.each([[{}], [{ A: "b" }]])("a program that is missing is an error, with variables %j", async (env) => {
  const missing = execWith(env, ["no-such-program", "x"]);
  await expect(missing).rejects.toThrow(SandboxError);
  await expect(missing).rejects.toThrow("no-such-program cannot be started: No such file or directory.");
  await expect(execWith(env, ["/tmp"])).rejects.toThrow("/tmp cannot be started: Permission denied.");
  await expect(execWith(env, [])).rejects.toThrow("needs a program");
  await expect(execWith(env, ["sh", "-c", "exit 127"])).resolves.toMatchObject({ exitCode: 127 });
});

test("a program reads its whole input", async () => {
  const stdin = "\n first\\\nsecond";
  await expect(sandbox.open().exec(["cat"], { stdin })).resolves.toMatchObject({ stdout: stdin });
  await expect(sandbox.open().exec(["cat"])).resolves.toMatchObject({ stdout: "", exitCode: 0 });
});
