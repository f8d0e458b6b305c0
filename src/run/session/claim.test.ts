import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addWriter, hasWriter, isHeld, newClaim, removeWriter, renewalInterval } from "./claim.ts";
import type { ProcessMark } from "./process-mark.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** The process of another thread, which lives as long as this one does. */
function neighbour(): ProcessMark {
  const { process: own } = newClaim();
  if (!own) throw new Error("this process has no mark");
  const { started: _, ...mark } = own;
  return { ...mark, realm: "another", pid: process.ppid };
}

/** Whether a claim holds whose lease ends in `left` milliseconds. */
const holds = (left: number, process?: ProcessMark): boolean =>
  isHeld({ writer: "w", until: Date.now() + left, process });

test("no claim, and one that has ended, holds nothing", () => {
  expect(isHeld(undefined)).toBe(false);
  expect(isHeld({ writer: "w", until: 0, process: neighbour() })).toBe(false);
});

test("a claim holds for thirty seconds, and is renewed before they are over", () => {
  expect(newClaim().until - Date.now()).toBe(30_000);
  expect(renewalInterval).toBeLessThan(30_000);
});

test("where the process is not known, a claim holds until its lease ends", () => {
  expect([holds(1), holds(0)]).toEqual([true, false]);
  const elsewhere = { ...neighbour(), place: "another machine" };
  expect([holds(1, elsewhere), holds(0, elsewhere)]).toEqual([true, false]);
});

test("a claim holds for five minutes beyond its lease while its process is there", () => {
  const process = neighbour();
  expect([holds(-299_999, process), holds(-300_000, process)]).toEqual([true, false]);
});

test("a claim of a process that is gone holds nothing, whatever is left of its lease", () => {
  expect(holds(30_000, { ...neighbour(), pid: 2 ** 22 + 1 })).toBe(false);
});

test("a claim of this thread holds as long as its writer works", () => {
  const { process } = newClaim();
  addWriter("w");
  expect([hasWriter("w"), holds(-1_000_000, process)]).toEqual([true, true]);
  removeWriter("w");
  expect([hasWriter("w"), holds(30_000, process)]).toEqual([false, false]);
});
