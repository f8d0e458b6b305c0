import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  bigint,
  date,
  described,
  list,
  nothing,
  number,
  object,
  orNull,
  record,
  ref,
  returned,
  setOf,
  string,
  tuple,
  withDefinitions,
} from "../schemas.ts";

const morning = "2026-01-31T09:30:00Z";
const noon = "2026-01-31T12:00:00.000Z";

interface Event {
  title: string;
  /** When it begins. */
  at: Date;
  until?: Date;
}

interface Booking {
  /** @deprecated Use start. */
  from: Date;
}

interface Revision {
  at: Date;
  before?: Revision;
}

export const dates: Theme = theme("dates", [
  row(
    "a parameter",
    function remind(at: Date) {
      got(at);
    },
    {
      schema: object({ at: date }),
      accepts: [
        [{ at: morning }, [new Date(morning)]],
        [{ at: "2026-01-31T10:30:00+01:00" }, [new Date(morning)]],
      ],
      refuses: [
        [{ at: "tomorrow" }, "$.at"],
        [{ at: "2026-02-30T00:00:00Z" }, "$.at"],
        [{ at: true }, "$.at"],
      ],
    },
  ),
  row(
    "one with a tag",
    function book(booking: Booking) {
      got(booking);
    },
    {
      schema: object({
        booking: object({ from: { ...date, deprecated: true } }),
      }),
      accepts: [[{ booking: { from: noon } }, [{ from: new Date(noon) }]]],
      refuses: [[{ booking: { from: "noon" } }, "$.booking.from"]],
    },
  ),
  row(
    "one that may be left out",
    function since(when?: Date) {
      got(when);
    },
    {
      schema: object({ when: date }, ["when"]),
      accepts: [
        [{}, [undefined]],
        [{ when: noon }, [new Date(noon)]],
      ],
      mends: [[{ when: null }, [undefined]]],
      refuses: [[{ when: "noon" }, "$.when"]],
    },
  ),
  row(
    "or null",
    function due(on: Date | null) {
      got(on);
    },
    {
      schema: object({ on: orNull(date) }),
      accepts: [
        [{ on: null }, [null]],
        [{ on: noon }, [new Date(noon)]],
      ],
      refuses: [[{}, "$.on"]],
    },
  ),
  row(
    "in an object, with a comment",
    function plan(event: Event) {
      got(event);
    },
    {
      schema: object({
        event: object({ title: string, at: described("When it begins.", date), until: date }, ["until"]),
      }),
      accepts: [[{ event: { title: "a", at: noon } }, [{ title: "a", at: new Date(noon) }]]],
      refuses: [[{ event: { title: "a", at: "later" } }, "$.event.at"]],
    },
  ),
  row(
    "destructured",
    function move({ title, at, until }: Event) {
      got(title, at, until);
    },
    {
      schema: object({ title: string, at: described("When it begins.", date), until: date }, ["until"]),
      accepts: [[{ title: "a", at: noon, until: morning }, ["a", new Date(noon), new Date(morning)]]],
      refuses: [[{ title: "a" }, "$.at"]],
    },
  ),
  row(
    "in a list",
    function mark(days: Date[]) {
      got(days);
    },
    {
      schema: object({ days: list(date) }),
      accepts: [[{ days: [noon, morning] }, [[new Date(noon), new Date(morning)]]]],
      refuses: [[{ days: [noon, "never"] }, "$.days[1]"]],
    },
  ),
  row(
    "in a tuple and a record",
    function span(range: [Date, Date], byName: Record<string, Date>) {
      got(range, byName);
    },
    {
      schema: object({ range: tuple([date, date]), byName: record(date) }),
      accepts: [
        [
          { range: [morning, noon], byName: { a: noon } },
          [[new Date(morning), new Date(noon)], { a: new Date(noon) }],
        ],
      ],
      refuses: [[{ range: [morning, noon], byName: { a: "b" } }, "$.byName.a"]],
    },
  ),
  row(
    "as a rest",
    function holidays(...days: Date[]) {
      got(days);
    },
    {
      schema: object({ days: list(date) }, ["days"]),
      accepts: [[{ days: [noon] }, [[new Date(noon)]]]],
      refuses: [[{ days: ["now"] }, "$.days[0]"]],
    },
  ),
  row(
    "in a recursive type",
    function history(of: Revision) {
      got(of);
    },
    {
      schema: withDefinitions(object({ of: ref("Revision") }), {
        Revision: object({ at: date, before: ref("Revision") }, ["before"]),
      }),
      accepts: [
        [
          { of: { at: noon, before: { at: morning } } },
          [{ at: new Date(noon), before: { at: new Date(morning) } }],
        ],
      ],
      refuses: [[{ of: { at: noon, before: {} } }, "$.of.before.at"]],
    },
  ),
  row(
    "or a number",
    function start(at: Date | number) {
      got(at);
    },
    {
      schema: object({ at: anyOf(date, number) }),
      accepts: [
        [{ at: noon }, [new Date(noon)]],
        [{ at: 5 }, [5]],
      ],
      refuses: [[{ at: "soon" }, "$.at"]],
    },
  ),
  row(
    "a text that only looks like one stays text",
    function note(at: Date, text: string) {
      got(at, text);
    },
    {
      schema: object({ at: date, text: string }),
      accepts: [[{ at: noon, text: noon }, [new Date(noon), noon]]],
      refuses: [[{ at: noon }, "$.text"]],
    },
  ),
  row(
    "a result",
    function next(days: number): Date {
      got(days);
      return new Date(Date.UTC(2026, 0, 1 + days));
    },
    {
      schema: object({ days: number }),
      output: date,
      accepts: [[{ days: 2 }, [2], "2026-01-03T00:00:00.000Z"]],
      refuses: [[{ days: [] }, "$.days"]],
    },
  ),
  row(
    "in a result",
    function schedule(title: string): { title: string; at: Date; others: Date[] } {
      got(title);
      return { title, at: new Date(noon), others: [new Date(morning)] };
    },
    {
      schema: object({ title: string }),
      output: returned({ title: string, at: date, others: list(date) }),
      accepts: [[{ title: "a" }, ["a"], { title: "a", at: noon, others: ["2026-01-31T09:30:00.000Z"] }]],
      refuses: [[{}, "$.title"]],
    },
  ),
]);

const huge = "123456789012345678901234567890";

export const bigints: Theme = theme("bigints", [
  row(
    "a parameter, as its digits",
    function pay(wei: bigint) {
      got(wei);
    },
    {
      schema: object({ wei: bigint }),
      accepts: [
        [{ wei: huge }, [123456789012345678901234567890n]],
        [{ wei: "-5" }, [-5n]],
        [{ wei: "0" }, [0n]],
      ],
      mends: [[{ wei: 5 }, [5n]]],
      refuses: [
        [{ wei: "1.5" }, "$.wei"],
        [{ wei: "0x10" }, "$.wei"],
        [{ wei: "" }, "$.wei"],
        [{ wei: 1.5 }, "$.wei"],
        [{ wei: 2 ** 70 }, "$.wei"],
      ],
    },
  ),
  row(
    "one that may be left out",
    function gas(limit?: bigint) {
      got(limit);
    },
    {
      schema: object({ limit: bigint }, ["limit"]),
      accepts: [
        [{}, [undefined]],
        [{ limit: "7" }, [7n]],
      ],
      mends: [[{ limit: null }, [undefined]]],
      refuses: [[{ limit: "much" }, "$.limit"]],
    },
  ),
  row(
    "or null",
    function cap(at: bigint | null) {
      got(at);
    },
    {
      schema: object({ at: orNull(bigint) }),
      accepts: [
        [{ at: null }, [null]],
        [{ at: "1" }, [1n]],
      ],
      refuses: [[{ at: "one" }, "$.at"]],
    },
  ),
  row(
    "a default",
    function fee(tip = 2n) {
      got(tip);
    },
    {
      schema: object({ tip: { ...bigint, default: "2" } }, ["tip"]),
      accepts: [
        [{}, [2n]],
        [{ tip: "3" }, [3n]],
      ],
      refuses: [[{ tip: "x" }, "$.tip"]],
    },
  ),
  row(
    "in an object and a list",
    function batch(transfers: { to: string; amount: bigint }[]) {
      got(transfers);
    },
    {
      schema: object({ transfers: list(object({ to: string, amount: bigint })) }),
      accepts: [[{ transfers: [{ to: "a", amount: "9" }] }, [[{ to: "a", amount: 9n }]]]],
      refuses: [[{ transfers: [{ to: "a", amount: "b" }] }, "$.transfers[0].amount"]],
    },
  ),
  row(
    "literals",
    function bits(width: 32n | 64n) {
      got(width);
    },
    {
      schema: object({ width: { type: "string", enum: ["32", "64"] } }),
      accepts: [[{ width: "64" }, [64n]]],
      mends: [[{ width: 32 }, [32n]]],
      refuses: [[{ width: "16" }, "$.width"]],
    },
  ),
  row(
    "a set of them",
    function primes(of: Set<bigint>) {
      got(of);
    },
    {
      schema: object({ of: setOf(bigint) }),
      accepts: [[{ of: ["2", "3"] }, [new Set([2n, 3n])]]],
      refuses: [[{ of: ["2", "2"] }, "$.of"]],
    },
  ),
  row(
    "as a rest",
    function sum(...terms: bigint[]) {
      got(terms);
    },
    {
      schema: object({ terms: list(bigint) }, ["terms"]),
      accepts: [[{ terms: ["1", "2"] }, [[1n, 2n]]]],
      refuses: [[{ terms: ["x"] }, "$.terms[0]"]],
    },
  ),
  row(
    "or a date",
    function at(block: bigint | Date | null) {
      got(block);
    },
    {
      schema: object({ block: anyOf(bigint, date, nothing) }),
      accepts: [
        [{ block: "7" }, [7n]],
        [{ block: noon }, [new Date(noon)]],
        [{ block: null }, [null]],
      ],
      refuses: [[{ block: "latest" }, "$.block"]],
    },
  ),
  row(
    "a result",
    function double(value: bigint): bigint {
      got(value);
      return value * 2n;
    },
    {
      schema: object({ value: bigint }),
      output: bigint,
      accepts: [[{ value: huge }, [BigInt(huge)], "246913578024691357802469135780"]],
      refuses: [[{}, "$.value"]],
    },
  ),
]);
