import fs from "node:fs";
import os from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { isRunning, markProcess, type ProcessMark } from "./process-mark.ts";

afterEach(() => void vi.restoreAllMocks());

const own = markProcess("realm");
if (!own) throw new Error("this process has no mark");
const { started: _, ...withoutStart } = own;
/** Processes whose start is not known, as on systems other than Linux. */
const other = (pid: number): ProcessMark => ({ ...withoutStart, pid });

/** Has the system say this of every process. */
function withStatus(text: string): void {
  vi.spyOn(fs, "readFileSync").mockReturnValue(text);
}

/** Fields 3 to 22 of a process that began at 4711. */
const fields = (state: string): string => `${state} ${"0 ".repeat(18)}4711 0 0`;

test.runIf(process.platform === "linux")("a mark names the start of the machine, and the container", () => {
  const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  expect(own.place).toBe(`${boot} ${fs.readlinkSync("/proc/self/ns/pid")}`);
  expect(own).toMatchObject({ pid: process.pid, realm: "realm", started: expect.stringMatching(/^\d+$/) });
  expect(isRunning(own)).toBe(true);
});

test("where the system does not tell starts of a machine apart, a mark names the machine", async () => {
  vi.spyOn(fs, "readFileSync").mockImplementation(() => {
    throw new Error("ENOENT");
  });
  vi.resetModules();
  const elsewhere = await import("./process-mark.ts");
  expect(elsewhere.markProcess("realm")).toEqual({ place: os.hostname(), pid: process.pid, realm: "realm" });
});

test("of a process of another place nothing is known", () => {
  expect(isRunning({ ...own, place: "another machine" })).toBeUndefined();
});

test("a process that began at another time is another one with the same id", () => {
  withStatus(`7 (node) ${fields("S")}`);
  expect(isRunning({ ...own, pid: 7, started: "4711" })).toBe(true);
  expect(isRunning({ ...own, pid: 7, started: "4712" })).toBe(false);
});

test("the name of a process may have blanks and brackets", () => {
  withStatus(`7 (a (b) c) ${fields("R")}`);
  expect(isRunning({ ...own, pid: 7, started: "4711" })).toBe(true);
});

test.each(["Z", "X"])("a process in the state %s does not run", (state) => {
  withStatus(`7 (node) ${fields(state)}`);
  expect(isRunning({ ...own, pid: 7, started: "4711" })).toBe(false);
});

test("whether another thread of this process runs cannot be known without its start", () => {
  expect(isRunning(other(process.pid))).toBeUndefined();
});

test("without its start, a process is there if it can be signalled, or is another user's", () => {
  expect(isRunning(other(process.ppid))).toBe(true);
  const failed = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  const kill = vi.spyOn(process, "kill").mockImplementation(failed("EPERM"));
  expect(isRunning(other(7))).toBe(true);
  kill.mockImplementation(failed("ESRCH"));
  expect(isRunning(other(7))).toBe(false);
  expect(kill).toHaveBeenLastCalledWith(7, 0);
});

test("where there are no processes, none has a mark", () => {
  vi.spyOn(process, "getBuiltinModule").mockImplementation(() => {
    throw new Error("not supported");
  });
  expect(markProcess("realm")).toBeUndefined();
  expect(isRunning(own)).toBeUndefined();
});
