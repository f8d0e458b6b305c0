import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Attended, SharedTimer } from "./shared-timer.ts";

/** Somebody with a deadline, who notes how late it was seen to be over. */
class Waiting implements Attended {
  deadline: number;
  late: number | undefined;

  constructor(milliseconds: number) {
    this.deadline = performance.now() + milliseconds;
  }

  look(now: number): number | undefined {
    if (now < this.deadline) return this.deadline;
    this.late = now - this.deadline;
    return undefined;
  }
}

test("each is seen to be over after its deadline, in whatever order they come", async () => {
  const timer = new SharedTimer();
  const all = [80, 20, 50, 20].map((milliseconds) => new Waiting(milliseconds));
  for (const one of all) timer.attend(one, one.deadline);
  await sleep(35);
  expect(all.map(({ late }) => late !== undefined)).toEqual([false, true, false, true]);
  await expect.poll(() => all.every(({ late }) => late !== undefined && late >= 0)).toBe(true);
});

test("a deadline that has moved is looked at again", async () => {
  const timer = new SharedTimer();
  const one = new Waiting(10);
  timer.attend(one, one.deadline);
  one.deadline += 40;
  await sleep(25);
  expect(one.late).toBeUndefined();
  await expect.poll(() => one.late).toBeGreaterThanOrEqual(0);
});

test("who has left is not looked at", async () => {
  const timer = new SharedTimer();
  const [gone, stays] = [new Waiting(10), new Waiting(20)];
  for (const one of [gone, stays]) timer.attend(one, one.deadline);
  timer.leave(gone);
  await expect.poll(() => stays.late).toBeDefined();
  expect(gone.late).toBeUndefined();
});

test("a process waits for those who stay, and not for those who have left", async () => {
  const program = `
    import { SharedTimer } from ${JSON.stringify(new URL("shared-timer.ts", import.meta.url).href)};
    const timer = new SharedTimer();
    const gone = { look: () => void console.log("never") };
    timer.attend(gone, performance.now() + 60_000);
    timer.leave(gone);
    timer.attend({ look: () => void console.log("seen") }, performance.now() + 20);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  expect(stdout).toBe("seen\n");
});
