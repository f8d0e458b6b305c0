/** What is in a box ends with it: at its limits, with its call, with the process that started it. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, closeSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { sandbox, SandboxError } from "skein/sandbox";
import { secret } from "./host.ts";
import { namedPipe } from "./named-pipe.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-ends-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

const pipe = () => namedPipe(folder);
const open = (timeout = 20_000) => sandbox.open({ write: [folder], timeout });
const bash = (line: string): readonly string[] => ["bash", "-c", line];

/** Lines of bash that keep a pipe open for as long as they can. */
const stubborn: Readonly<Record<string, (path: string) => string>> = {
  "a program": (path) => `exec 3>${path}; echo up >&3; sleep 1000`,
  "a program that ignores signals": (path) =>
    `trap "" TERM INT HUP; exec 3>${path}; echo up >&3; while :; do sleep 1000; done`,
  "a daemon": (path) =>
    `exec 3>${path}; (setsid nohup sh -c "echo up >&3; sleep 1000" >/dev/null 2>&1 &) ; sleep 1000`,
  "a program with many children": (path) =>
    `exec 3>${path}; for i in $(seq 20); do sleep 1000 & done; echo up >&3; wait`,
};

test.each(Object.entries(stubborn))("%s ends at its timeout", async (_, line) => {
  const { path, ended } = pipe();
  const result = await open(1_000).exec(bash(line(path)));
  expect(result).toMatchObject({ exitCode: 137, ended: "timeout" });
  expect(await ended).toBe("ended");
});

test.each(Object.entries(stubborn))("%s ends with its call", async (_, line) => {
  const { path, started, ended } = pipe();
  const stop = new AbortController();
  const call = open().exec(bash(line(path)), { signal: stop.signal });
  await started;
  stop.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  expect(await ended).toBe("ended");
});

test("what a program leaves behind ends with it", async () => {
  const { path, ended } = pipe();
  const { stdout } = await open().exec(bash(`(sleep 1000 3>${path} &); echo done`));
  expect(stdout).toBe("done\n");
  expect(await ended).toBe("ended");
});

test("closing a sandbox ends all that runs in it", async () => {
  const { path, started, ended } = pipe();
  const box = open();
  const call = box.exec(bash(stubborn["a program"]?.(path) ?? ""));
  await started;
  await box.close();
  await expect(call).rejects.toThrow(SandboxError);
  expect(await ended).toBe("ended");
  await expect(box.exec(["true"])).rejects.toThrow("closed");
});

test("a call that is aborted at any moment of its start leaves nothing", async () => {
  const box = open();
  const calls = Array.from({ length: 40 }, async (_, index) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), index * 5);
    return box.exec(["sleep", "1000"], { signal: stop.signal });
  });
  const outcomes = await Promise.allSettled(calls);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
});

test("a call whose signal is aborted already starts nothing", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(open().exec(["true"], { signal })).rejects.toThrow("enough");
});

/** Starts a program that runs a line in a box; with `isTried`, it prints a line once a first box has been. */
function startProgram(
  line: string,
  { descriptor, isTried = false }: { readonly descriptor?: number; readonly isTried?: boolean } = {},
) {
  const source = join(import.meta.dirname, "../from-source.ts");
  const program = `
    import { sandbox } from "skein/sandbox";
    const box = sandbox.open({ write: [${JSON.stringify(folder)}] });
    ${isTried ? 'await box.exec(["true"]); console.log("tried");' : ""}
    console.log((await box.exec(["bash", "-c", ${JSON.stringify(line)}])).stdout);`;
  const file = join(folder, `program-${(count += 1)}.mjs`);
  writeFileSync(file, program);
  const stdio = ["ignore", "pipe", "inherit"] as const;
  return spawn(process.execPath, ["--import", source, file], {
    stdio:
      descriptor === undefined ? [...stdio] : [...stdio, "ignore", "ignore", "ignore", "ignore", descriptor],
    cwd: join(import.meta.dirname, "../.."),
  });
}

test("a box ends with the process that started it", async () => {
  const { path, started, ended } = pipe();
  const child = startProgram(`exec 3>${path}; (setsid sleep 1000 &); echo up >&3; sleep 1000`);
  await started;
  child.kill("SIGKILL");
  expect(await ended).toBe("ended");
});

/** Processes of boxes with a word among their arguments. */
function processesWith(word: string): readonly { readonly pid: number; readonly name: string }[] {
  return execFileSync("ps", ["-eo", "pid,comm,args", "-ww"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(word))
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, name = ""]) => ({ pid: Number(pid), name }));
}

test("a box whose process is killed at any moment of its start leaves no program", async () => {
  // The program ends the one inside that would end it after its time.
  const marker = `outlived-${process.pid}`;
  const line = `setsid bash -c 'kill -9 2; while :; do sleep 0.1; done' ${marker} & sleep 1000`;
  for (let delay = 2; delay < 14; delay++) {
    const child = startProgram(line, { isTried: true });
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    await sleep(delay);
    child.kill("SIGKILL");
  }
  // bubblewrap itself may stay and wait: it has started nothing.
  const programs = () => processesWith(marker).filter(({ name }) => name !== "bwrap");
  await expect.poll(programs, { timeout: 5_000 }).toEqual([]);
  spawnSync("kill", ["-9", ...processesWith(marker).map(({ pid }) => String(pid))]);
});

test("a descriptor that the process has from its own parent does not come into the box", async () => {
  const file = join(folder, "open-secret");
  writeFileSync(file, secret);
  const descriptor = openSync(file, "r");
  const child = startProgram("for fd in /proc/self/fd/*; do readlink $fd; done; cat <&7; echo end", {
    descriptor,
  });
  closeSync(descriptor);
  const output = child.stdout ? await text(child.stdout) : "";
  expect(output).toMatch(/end\n/);
  expect(output).not.toContain(secret);
  expect(output).not.toContain("open-secret");
});
