import { expect, test } from "vitest";
import { RemoteEventLog } from "./event-log.ts";
import type { RemoteEvent } from "./types.ts";

const text = (index: number): RemoteEvent => ({ index, type: "text-delta", agent: "A", text: String(index) });

/** A log with the text of some numbers, and what a reader has from an index on. */
async function readFrom(log: RemoteEventLog, from: number): Promise<number[]> {
  return (await Array.fromAsync(log.read(from))).map(({ index }) => index);
}

test("numbers that the server leaves out are not missing", async () => {
  const log = new RemoteEventLog();
  for (const index of [0, 3, 4, 9]) log.push(text(index));
  log.close();
  expect(await readFrom(log, 0)).toEqual([0, 3, 4, 9]);
  expect(await readFrom(log, 1)).toEqual([3, 4, 9]);
  expect(await readFrom(log, 5)).toEqual([9]);
  expect(await readFrom(log, 10)).toEqual([]);
});

test("the oldest events give way, and a reader that comes later gets an event in their place", async () => {
  const log = new RemoteEventLog(4);
  for (let index = 0; index < 20; index += 2) log.push(text(index));
  log.close();
  const [gap, ...rest] = await Array.fromAsync(log.read(0));
  expect(gap).toMatchObject({ type: "events-dropped", agent: "A" });
  expect(rest.length).toBeGreaterThanOrEqual(4);
  expect(rest.at(-1)).toEqual(text(18));
  // A reader that leaves here goes on behind them.
  expect(await Array.fromAsync(log.read((gap?.index ?? 0) + 1))).toEqual(rest);
});

test("a restarted turn voids its events for readers that come later, and those that have them get the event", async () => {
  const log = new RemoteEventLog();
  const early = log.read(0);
  for (const index of [0, 1, 2, 3]) log.push(text(index));
  const before: number[] = [];
  for (let count = 0; count < 4; count++) {
    const { value } = await early.next();
    before.push(value?.index ?? -1);
  }
  log.push({ type: "turn-restart", index: 4, agent: "A", turn: 1, from: 2 });
  log.push(text(5));
  log.close();
  expect(before).toEqual([0, 1, 2, 3]);
  expect((await Array.fromAsync(early)).map(({ index }) => index)).toEqual([4, 5]);
  expect(await readFrom(log, 0)).toEqual([0, 1, 4, 5]);
  expect(await readFrom(log, 3)).toEqual([4, 5]);
});

test("readers that wait get the next event, and the error that ends the log", async () => {
  const log = new RemoteEventLog();
  const readers = [log.read(0), log.read(0)];
  const waiting = readers.map((reader) => reader.next());
  log.push(text(0));
  expect(await Promise.all(waiting)).toEqual([
    { done: false, value: text(0) },
    { done: false, value: text(0) },
  ]);
  const ends = readers.map((reader) => reader.next());
  log.close(new Error("Paris"));
  for (const end of ends) await expect(end).rejects.toThrow("Paris");
  expect(await readers[0]?.next()).toEqual({ done: true, value: undefined });
});
