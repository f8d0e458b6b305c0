import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { mcp } from "./mcp.ts";
import { callTools, fixture, textOf } from "./test-servers.ts";

/** Starts a program that uses a server, and gives back its process and the server's process id. */
async function startParent(
  kind: string,
  ending: string,
): Promise<{ parent: ReturnType<typeof spawn>; pid: number }> {
  const parent = spawn(process.execPath, [fixture("parent.ts"), kind, ending], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(parent.stdout, "data");
  return { parent, pid: Number(String(line)) };
}

/** Whether a process is there; one that has ended but that nobody has asked after is not. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

test.each(["exit", "throw", "nothing more to do"])(
  "a server that ignores everything does not outlive a program that ends by: %s",
  async (ending) => {
    const { parent, pid } = await startParent("stubborn", ending);
    expect(pid).toBeGreaterThan(0);
    if (parent.exitCode === null) await once(parent, "exit");
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  },
);

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "a server that ignores everything does not outlive a program that is ended by %s",
  async (signal) => {
    const { parent, pid } = await startParent("stubborn", "signal");
    expect(await isRunning(pid)).toBe(true);
    parent.kill(signal);
    const [code, by] = await once(parent, "exit");
    expect([code, by]).toEqual([null, signal]);
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  },
);

test("a server ends with a program that is killed, because its input ends", async () => {
  const { parent, pid } = await startParent("everyday", "signal");
  expect(await isRunning(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

test("closing ends a server that ignores the end of its input and SIGTERM", async () => {
  const tools = mcp({ command: process.execPath, args: [fixture("misbehaving.ts"), "stubborn"] });
  const pid = Number(textOf((await callTools(tools, ["act"]))[0]));
  expect(await isRunning(pid)).toBe(true);
  await tools.close();
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

test("what a server was started by ends with it", async () => {
  const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(fixture("misbehaving.ts"))} stubborn; true`;
  const tools = mcp({ command: "sh", args: ["-c", command] });
  const pid = Number(textOf((await callTools(tools, ["act"]))[0]));
  expect(await isRunning(pid)).toBe(true);
  await tools.close();
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});
