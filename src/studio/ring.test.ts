import { expect, test } from "vitest";
import { Exchange } from "./exchange.ts";
import { RunRecord } from "./run-record.ts";
import { RunRing } from "./ring.ts";

function record(id: string, body = ""): RunRecord {
  const run = new RunRecord(id, undefined, "A", 0);
  if (body !== "")
    run.exchanges.push(new Exchange(1, 1, { wire: { url: "http://127.0.0.1", headers: {}, body } }));
  run.size += body.length;
  return run;
}

test("the oldest run is forgotten once there are more than the limit", () => {
  const changes: string[] = [];
  const ring = new RunRing({ runs: 2, bytes: 1e9 }, (id) => changes.push(id));
  for (const id of ["a", "b", "c"]) ring.add(record(id));
  expect([...ring.all].map(({ id }) => id)).toEqual(["b", "c"]);
  expect(changes).toEqual(["a", "b", "a", "c"]);
  expect(ring.size).toBe(2_000);
});

test("what is too much memory costs the bytes of the oldest run first, then the run", () => {
  const ring = new RunRing({ runs: 100, bytes: 12_000 }, () => {});
  const [old, fresh] = [record("old", "x".repeat(8_000)), record("fresh", "y".repeat(8_000))];
  ring.add(old);
  ring.add(fresh);
  expect(old.exchanges[0]?.body).toBeUndefined();
  expect(fresh.exchanges[0]?.body).toHaveLength(8_000);
  expect(ring.size).toBe(10_000);
  ring.changed(fresh, 11_500);
  expect(ring.get("old")).toBeUndefined();
});

test("one run that is too large loses its bytes, and what it gains later is bounded, too", () => {
  const ring = new RunRing({ runs: 100, bytes: 4_000 }, () => {});
  const run = record("large", "x".repeat(8_000));
  ring.add(run);
  expect(run.exchanges[0]?.body).toBeUndefined();
  expect(run.exchanges[0]?.addPiece(new Uint8Array(100))).toBe(0);
  expect(run.exchanges[0]?.pieceCount).toBe(1);
  expect(ring.size).toBe(1_000);
});

test("what becomes of a run that was forgotten changes nothing", () => {
  const ring = new RunRing({ runs: 1, bytes: 1e9 }, () => {});
  const run = record("a");
  ring.add(run);
  ring.add(record("b"));
  ring.changed(run, 1_000);
  expect(ring.size).toBe(1_000);
  expect(ring.count).toBe(1);
});

test("a run of the same id takes the place of the one before", () => {
  const ring = new RunRing({ runs: 5, bytes: 1e9 }, () => {});
  ring.add(record("a", "x".repeat(100)));
  ring.add(record("a"));
  expect(ring.count).toBe(1);
  expect(ring.size).toBe(1_000);
});

test("a run that waits for a decision is not forgotten, unless half of the runs wait", () => {
  const ring = new RunRing({ runs: 4, bytes: 1e9 }, () => {});
  const waiting = (id: string): RunRecord => Object.assign(record(id), { status: "paused" });
  for (const run of [waiting("studio/w.1"), record("a"), waiting("program"), record("b"), record("c")])
    ring.add(run);
  expect([...ring.all].map(({ id }) => id)).toEqual(["studio/w.1", "program", "b", "c"]);
  for (const id of ["d", "e", "f"]) ring.add(record(id));
  expect([...ring.all].map(({ id }) => id)).toEqual(["studio/w.1", "d", "e", "f"]);
  for (const id of ["studio/w.2", "studio/w.3", "studio/w.4"]) ring.add(waiting(id));
  ring.add(record("g"));
  ring.add(record("h"));
  expect([...ring.all].map(({ id }) => id)).toEqual(["studio/w.1", "studio/w.2", "g", "h"]);
});

test("runs that wait are forgotten where nothing else is left to make room", () => {
  const ring = new RunRing({ runs: 100, bytes: 2_500 }, () => {});
  for (const id of ["studio/w.1", "studio/w.2", "studio/w.3"])
    ring.add(Object.assign(record(id), { status: "paused" }));
  expect([...ring.all].map(({ id }) => id)).toEqual(["studio/w.2", "studio/w.3"]);
});
