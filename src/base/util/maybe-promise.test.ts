import { expect, test } from "vitest";
import { chain } from "./maybe-promise.ts";

test("a value that is there is used at once, one that is coming when it comes", async () => {
  const double = (value: number): number => value * 2;
  expect(chain(2, double)).toBe(4);
  const later = chain(Promise.resolve(2), double);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe(4);
});

test("what a promise rejects with is passed on, unused", async () => {
  const use = (): never => expect.unreachable();
  await expect(chain(Promise.reject(new Error("lost")), use)).rejects.toThrow("lost");
});
