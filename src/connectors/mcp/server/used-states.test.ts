import { expect, test } from "vitest";
import { UsedStates } from "./used-states.ts";

const refuse = (): Error => new Error("used");
const state = (nonce: string, life = 60_000): { nonce: string; expires: number } => ({
  nonce,
  expires: Date.now() + life,
});

test("a state that was forgotten for want of room cannot be used again", async () => {
  const used = new UsedStates(undefined, refuse, () => undefined, 2);
  const first = state("1");
  for (const each of [first, state("2", 61_000), state("3", 62_000)]) await used.use(each);
  await expect(used.use(first)).rejects.toThrow("used");
  await expect(used.use(state("4", 63_000))).resolves.toBeUndefined();
});

test("states that have expired make room for others", async () => {
  const used = new UsedStates(undefined, refuse, () => undefined, 2);
  const early = state("unused", 30_000);
  for (const nonce of ["1", "2", "3"]) await used.use(state(nonce, -1));
  await expect(used.use(early)).resolves.toBeUndefined();
});

test.each([
  [1, "number"],
  ["OK", "string"],
  ["no", "string"],
  [{}, "object"],
  [undefined, "undefined"],
  [null, "null"],
])("a claim that is answered with %j refuses the state, and the type is reported", async (answer, type) => {
  const reports: string[] = [];
  // As a program without types returns it.
  const claim = async () => answer as never;
  const used = new UsedStates(claim, refuse, ({ message }) => reports.push(message));
  await expect(used.use(state("1"))).rejects.toThrow("used");
  expect(reports).toEqual([
    `claimState must return true or false, or a promise of one, not ${type}. The call is not executed.`,
  ]);
});

test("a claim that is answered with true or false is not reported", async () => {
  const ignore = (): void => expect.unreachable();
  await expect(new UsedStates(() => true, refuse, ignore).use(state("1"))).resolves.toBeUndefined();
  await expect(new UsedStates(() => false, refuse, ignore).use(state("1"))).rejects.toThrow("used");
});
