import { expect, test } from "vitest";
import { flatten } from "./flatten.ts";

async function* batches(log: string[] = []): AsyncGenerator<readonly number[], void, undefined> {
  try {
    yield [1, 2];
    yield [];
    yield [3];
    yield [4, 5];
  } finally {
    log.push("ended");
  }
}

test("gives the items of all batches in order, empty batches skipped", async () => {
  expect(await Array.fromAsync(flatten(batches()))).toEqual([1, 2, 3, 4, 5]);
});

test("answers calls of next in their order, though all are made at once", async () => {
  const items = flatten(batches());
  const results = await Promise.all(Array.from({ length: 7 }, () => items.next()));
  expect(results.map((result) => result.value)).toEqual([1, 2, 3, 4, 5, undefined, undefined]);
  expect(results.map((result) => result.done)).toEqual([false, false, false, false, false, true, true]);
});

test("ends the batches when its reader leaves, and gives nothing more", async () => {
  const log: string[] = [];
  const items = flatten(batches(log));
  for await (const item of items) if (item === 1) break;
  expect(log).toEqual(["ended"]);
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test("throws what the batches throw, after the items before it", async () => {
  async function* failing(): AsyncGenerator<readonly string[], void, undefined> {
    yield ["kept"];
    throw new Error("broken");
  }
  const seen: string[] = [];
  const reading = (async () => {
    for await (const item of flatten(failing())) seen.push(item);
  })();
  await expect(reading).rejects.toThrow("broken");
  expect(seen).toEqual(["kept"]);
});

test("holds back what is there already when the signal is aborted", async () => {
  const controller = new AbortController();
  async function* watching(): AsyncGenerator<readonly number[], void, undefined> {
    yield [1, 2, 3];
    controller.signal.throwIfAborted();
  }
  const seen: number[] = [];
  const reading = (async () => {
    for await (const item of flatten(watching(), controller.signal)) {
      seen.push(item);
      controller.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(seen).toEqual([1]);
});
