import { expect, test } from "vitest";
import { EventLog } from "./event-log.ts";
import type { RunEvent } from "../types.ts";

const progress = (index: number, toolCallId: string): RunEvent => ({
  index,
  type: "tool-progress",
  agent: "A",
  toolCallId,
  toolName: "work",
  value: index,
});
const text = (index: number): RunEvent => ({ index, type: "text-delta", agent: "A", text: String(index) });

/** The numbers of the events that are read; an event that says that others are missing stands right behind them. */
async function numbers(log: EventLog, from: number): Promise<number[]> {
  const read: number[] = [];
  let next = from;
  for await (const event of log.read(from)) {
    const missing = event.type === "events-dropped" ? event.count - 1 : 0;
    expect(event.index).toBe(next + missing);
    if (event.type !== "events-dropped") read.push(event.index);
    next = event.index + 1;
  }
  return read;
}

test("of progress that piles up only the latest of each call is kept, and nothing else is lost for it", async () => {
  const log = new EventLog(10);
  log.push(text(0));
  for (let index = 1; index < 100; index++) log.push(progress(index, index % 2 === 0 ? "even" : "odd"));
  log.push(text(100));
  log.close();
  const read = await numbers(log, 0);
  expect(read[0]).toBe(0);
  expect(read.slice(-3)).toEqual([98, 99, 100]);
  expect(read.length).toBeLessThan(21);
  expect(read).toEqual(read.toSorted((a, b) => a - b));
});

test("a reader goes on where it left, also behind numbers that are gone", async () => {
  const log = new EventLog(4);
  for (let index = 0; index < 50; index++) log.push(progress(index, "one"));
  log.push(text(50));
  log.close();
  const all = await numbers(log, 0);
  for (let from = 0; from <= 52; from++) {
    expect(await numbers(log, from)).toEqual(all.filter((index) => index >= from));
  }
});

test("without progress events, drops the oldest events", async () => {
  const log = new EventLog(4);
  for (let index = 0; index < 20; index++) log.push(text(index));
  log.close();
  const read = await numbers(log, 0);
  expect(read.length).toBeGreaterThanOrEqual(4);
  expect(read).toEqual(Array.from({ length: read.length }, (_, at) => 20 - read.length + at));
});

test("a reader that keeps up sees every event, however many there are", async () => {
  const log = new EventLog(4);
  const reading = numbers(log, 0);
  for (let index = 0; index < 50; index++) {
    log.push(progress(index, "one"));
    await new Promise((resolve) => setTimeout(resolve));
  }
  log.close();
  expect(await reading).toHaveLength(50);
});

test("a reader receives the number of events it missed, and continues after them if it leaves there", async () => {
  const log = new EventLog(4);
  for (let index = 0; index < 20; index++) log.push(text(index));
  log.close();
  const [gap, first] = await Array.fromAsync(log.read(3));
  expect(gap).toEqual({
    index: (first?.index ?? 0) - 1,
    type: "events-dropped",
    agent: "A",
    count: (first?.index ?? 0) - 3,
  });
  expect((await Array.fromAsync(log.read((gap?.index ?? 0) + 1)))[0]).toEqual(first);
});

test("requests for several events at once resolve in the order of the events", async () => {
  const log = new EventLog();
  const reader = log.read(0);
  const waiting = [reader.next(), reader.next()];
  log.push(text(0));
  const later = reader.next();
  log.push(text(1));
  log.push(text(2));
  const results = await Promise.all([...waiting, later]);
  expect(results.map(({ value }) => value?.index)).toEqual([0, 1, 2]);
});

test("an error that ends the log rejects the next request once, behind all events", async () => {
  const log = new EventLog();
  const reader = log.read(0);
  log.push(text(0));
  log.close(new Error("Paris"));
  expect(await reader.next()).toEqual({ done: false, value: text(0) });
  await expect(reader.next()).rejects.toThrow("Paris");
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test("a reader that has left gets no more events, not even those it waits for", async () => {
  const log = new EventLog();
  const reader = log.read(0);
  const waiting = reader.next();
  await reader.return?.();
  log.push(text(0));
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test("a reader that has waited gets an event which is there at once", async () => {
  const log = new EventLog();
  const reader = log.read(0);
  const waiting = reader.next();
  log.push(text(0));
  await waiting;
  log.push(text(1));
  let second: unknown;
  void reader.next().then(({ value }) => (second = value));
  await Promise.resolve();
  expect(second).toEqual(text(1));
});

test("of its events a log keeps the newest 16,384 at least", async () => {
  const log = new EventLog();
  const first = async (): Promise<number | undefined> => (await log.read(0).next()).value?.index;
  for (let index = 0; index < 2 * 16_384 - 1; index++) log.push(text(index));
  expect(await first()).toBe(0);
  log.push(text(2 * 16_384 - 1));
  expect(await first()).toBe(16_383);
  expect((await log.read(16_384).next()).value).toEqual(text(16_384));
});
