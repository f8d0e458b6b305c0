/** What an engine is asked for. Containers themselves are tried in `test/sandbox/attempts-container.test.ts`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sandbox, type SandboxOptions } from "skein/sandbox";

const folder = mkdtempSync(join(tmpdir(), "skein-engine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program with the arguments of an engine, which notes them and copies its input. */
function fakeEngine(name: string, script = ""): string {
  const path = join(folder, name);
  const answers = `case "$*" in *" sh /tmp "*/proc/self/status*) printf 'CapEff:\\t0000\\nCapBnd:\\t0000\\n';; *) cat;; esac`;
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > ${path}.args\n${script}\n${answers}\n`, {
    mode: 0o755,
  });
  return path;
}

test("a container has no rights, no network, its limits and the folders, and variables stand in no argument", async () => {
  const [work, data] = [join(folder, "work"), join(folder, "data")];
  for (const path of [work, data]) mkdirSync(path);
  const engine = fakeEngine("engine");
  const box = sandbox.open({
    via: { container: [engine, "--context", "other"], image: "debian:stable", runtime: "runsc" },
    write: [work],
    read: [data],
    env: { TOKEN: "b7f2c1" },
    memoryMb: 64,
    processes: 32,
    fileMb: 8,
    timeout: 5_000,
  });
  await expect(box.exec(["cat", "--", "a b"], { stdin: "in" })).resolves.toMatchObject({ stdout: "in" });
  const args = readFileSync(`${engine}.args`, "utf8");
  const line = args.replaceAll("\n", " ");
  expect(line).toMatch(/^--context other run --rm --interactive --name skein-[-0-9a-f]+ --pull never /);
  expect(line).toContain(
    "--runtime runsc --network none --read-only --cap-drop ALL --security-opt no-new-privileges",
  );
  expect(line).toContain("--memory 67108864b --memory-swap 67108864b --pids-limit 32");
  expect(line).toContain("--ulimit fsize=8388608:8388608");
  expect(line).toContain(`--mount type=bind,source=${work},target=${work} `);
  expect(line).toContain(`--mount type=bind,source=${data},target=${data},readonly `);
  expect(line).toContain("--env SKEIN_BOX_0 --entrypoint sh debian:stable -c ");
  expect(args).toMatch(/\nsh\n\/[^\n]+\ncat\n--\na b\n$/);
  expect(args).not.toContain("b7f2c1");
});

test("with net, a container has the network of its engine", async () => {
  const engine = fakeEngine("net");
  await sandbox.open({ via: { container: engine, image: "a" }, net: true }).exec(["true"]);
  expect(readFileSync(`${engine}.args`, "utf8")).not.toContain("--network");
});

test.each([
  [
    "says that it leaves a limit out",
    "echo 'WARNING: memory limited without swap, limitation discarded' >&2",
    "did not hold",
  ],
  ["keeps rights", "printf 'CapEff:\\t00ff\\nCapBnd:\\t00ff\\n'; exit", "did not hold"],
  ["fails", "echo 'docker: no such image' >&2; exit 125", "no such image"],
])("an engine that %s runs nothing", async (name, script, message) => {
  const container = fakeEngine(name.replaceAll(" ", "-"), script);
  await expect(sandbox.open({ via: { container, image: "a" } }).exec(["true"])).rejects.toMatchObject({
    code: "sandbox-unavailable",
    message: expect.stringContaining(message),
  });
});

const unsayable: readonly (readonly [SandboxOptions, string])[] = [
  [{ env: { "a.b": "1" } }, "letters, digits and underscores"],
  [{ read: ["/srv/a,b"] }, "no path with a comma"],
  [{ net: ["example.com"] }, "net names hosts"],
];

test.each(unsayable)("what no engine can be asked for is an error: %j", async (options, message) => {
  const box = sandbox.open({ ...options, via: { container: "no-such-engine", image: "a" } });
  await expect(box.exec(["true"])).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining(message),
  });
});
