import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  boolean,
  described,
  list,
  number,
  object,
  oneOf,
  only,
  record,
  ref,
  string,
  withDefinitions,
} from "../schemas.ts";

/** What to look for. */
interface Query {
  /** Words. */
  text: string;
  limit?: number;
  order?: "newest" | "oldest";
}

interface Branch {
  name: string;
  parts?: Branch[];
}

export const destructuring: Theme = theme("destructured parameters", [
  row(
    "alone, are flattened",
    function trip({ from, to }: { from: string; to: string }) {
      got(from, to);
    },
    {
      schema: object({ from: string, to: string }),
      accepts: [[{ from: "a", to: "b" }, ["a", "b"]]],
      refuses: [
        [{ from: "a" }, "$.to"],
        [{ from: "a", to: "b", via: "c" }, "$.via"],
      ],
    },
  ),
  row(
    "with defaults of their own",
    function rooms({
      city,
      guests = 2,
      view = "sea",
    }: {
      city: string;
      guests?: number;
      view?: "sea" | "city";
    }) {
      got(city, guests, view);
    },
    {
      schema: object(
        {
          city: string,
          guests: { ...number, default: 2 },
          view: { ...oneOf("sea", "city"), default: "sea" },
        },
        ["guests", "view"],
      ),
      accepts: [
        [{ city: "a" }, ["a", 2, "sea"]],
        [{ city: "a", guests: 1, view: "city" }, ["a", 1, "city"]],
      ],
      mends: [[{ city: "a", guests: null }, ["a", 2, "sea"]]],
      refuses: [[{ city: "a", view: "garden" }, "$.view"]],
    },
  ),
  row(
    "of a named type, with the comments on its properties",
    function search({ text, limit = 10, order }: Query) {
      got(text, limit, order);
    },
    {
      schema: object(
        {
          text: described("Words.", string),
          limit: { ...number, default: 10 },
          order: oneOf("newest", "oldest"),
        },
        ["limit", "order"],
      ),
      accepts: [[{ text: "a" }, ["a", 10, undefined]]],
      refuses: [[{ text: "a", order: "random" }, "$.order"]],
    },
  ),
  row(
    "under other names",
    function paint({ color: paintColor, size: brush = 1 }: { color: string; size?: number }) {
      got(paintColor, brush);
    },
    {
      schema: object({ color: string, size: { ...number, default: 1 } }, ["size"]),
      accepts: [[{ color: "red" }, ["red", 1]]],
      refuses: [[{ paintColor: "red" }, "$.color"]],
    },
  ),
  row(
    "one within another",
    function plan({
      title,
      when: { day, hour = 9 },
    }: {
      title: string;
      when: { day: string; hour?: number };
    }) {
      got(title, day, hour);
    },
    {
      schema: object({
        title: string,
        when: object({ day: string, hour: { ...number, default: 9 } }, ["hour"]),
      }),
      accepts: [[{ title: "a", when: { day: "b" } }, ["a", "b", 9]]],
      refuses: [[{ title: "a", when: {} }, "$.when.day"]],
    },
  ),
  row(
    "with a rest, which takes what is not named",
    function send({ to, ...mail }: { to: string; subject: string; body?: string }) {
      got(to, mail);
    },
    {
      schema: object({ to: string, subject: string, body: string }, ["body"]),
      accepts: [[{ to: "a", subject: "b" }, ["a", { subject: "b" }]]],
      refuses: [[{ to: "a" }, "$.subject"]],
    },
  ),
  row(
    "which may be left out altogether",
    function reset({ hard = false, keep = [] }: { hard?: boolean; keep?: string[] } = {}) {
      got(hard, keep);
    },
    {
      schema: object({ hard: { ...boolean, default: false }, keep: { ...list(string), default: [] } }, [
        "hard",
        "keep",
      ]),
      accepts: [
        [{}, [false, []]],
        [{ hard: true }, [true, []]],
      ],
      refuses: [[{ keep: [[]] }, "$.keep[0]"]],
    },
  ),
  row(
    "whose default as a whole is left out",
    function size({ width, height }: { width: number; height: number } = { width: 4, height: 3 }) {
      got(width, height);
    },
    {
      schema: object({ width: number, height: number }),
      accepts: [[{ width: 1, height: 2 }, [1, 2]]],
      refuses: [[{ width: 1 }, "$.height"]],
      warns: [/its default as a whole is not used/],
    },
  ),
  row(
    "of a recursive type",
    function prune({ name, parts }: Branch) {
      got(name, parts);
    },
    {
      schema: withDefinitions(object({ name: string, parts: list(ref("Branch")) }, ["parts"]), {
        Branch: object({ name: string, parts: list(ref("Branch")) }, ["parts"]),
      }),
      accepts: [[{ name: "a", parts: [{ name: "b" }] }, ["a", [{ name: "b" }]]]],
      refuses: [[{ name: "a", parts: [{}] }, "$.parts[0].name"]],
    },
  ),
  row(
    "of a type with any keys",
    function env({ PATH, ...others }: { PATH: string; [name: string]: string }) {
      got(PATH, others);
    },
    {
      schema: {
        type: "object",
        properties: { PATH: string },
        required: ["PATH"],
        additionalProperties: string,
      },
      accepts: [[{ PATH: "a", HOME: "b" }, ["a", { HOME: "b" }]]],
      refuses: [[{ HOME: "b" }, "$.PATH"]],
    },
  ),
  row(
    "of an intersection",
    function tag({ id, label }: { id: number } & { label: string }) {
      got(id, label);
    },
    {
      schema: object({ id: number, label: string }),
      accepts: [[{ id: 1, label: "a" }, [1, "a"]]],
      refuses: [[{ id: 1 }, "$.label"]],
    },
  ),
  row(
    "a named parameter is not flattened",
    function keep(values: { a: number }) {
      const { a } = values;
      got(a);
    },
    {
      schema: object({ values: object({ a: number }) }),
      accepts: [[{ values: { a: 1 } }, [1]]],
      refuses: [[{ a: 1 }, "$.values"]],
    },
  ),
  row(
    "described by @param, under any name for the whole",
    /**
     * Draws a box.
     * @param box - The box
     * @param box.width - How wide @minimum 1
     * @param options.height - How high
     */
    function draw({ width, height }: { width: number; height: number }) {
      got(width, height);
    },
    {
      description: "Draws a box.",
      schema: object({
        width: { ...number, description: "How wide", minimum: 1 },
        height: described("How high", number),
      }),
      accepts: [[{ width: 1, height: 2 }, [1, 2]]],
      refuses: [[{ width: 0, height: 2 }, "$.width"]],
    },
  ),
  row(
    "with names that are no identifiers",
    function header({
      "content-type": type,
      "x-id": id = "none",
    }: {
      "content-type": string;
      "x-id"?: string;
    }) {
      got(type, id);
    },
    {
      schema: object({ "content-type": string, "x-id": { ...string, default: "none" } }, ["x-id"]),
      accepts: [[{ "content-type": "a" }, ["a", "none"]]],
      refuses: [[{ "x-id": "a" }, "$.content-type"]],
    },
  ),
  row(
    "of a record",
    function count({ words }: { words: Record<string, number> }) {
      got(words);
    },
    {
      schema: object({ words: record(number) }),
      accepts: [[{ words: { a: 1 } }, [{ a: 1 }]]],
      refuses: [[{ words: { a: {} } }, "$.words.a"]],
    },
  ),
  row(
    "with a union within",
    function charge({ by }: { by: { card: string } | "cash" }) {
      got(by);
    },
    {
      schema: object({ by: anyOf(object({ card: string }), only("cash")) }),
      accepts: [
        [{ by: "cash" }, ["cash"]],
        [{ by: { card: "1" } }, [{ card: "1" }]],
      ],
      refuses: [[{ by: "check" }, "$.by"]],
    },
  ),
  row(
    "two of them are an object each, named by @param",
    /** @param left - One @param left.a - Its a @param right - Another */
    function join({ a }: { a: string }, { b = 2 }: { b?: number }) {
      got(a, b);
    },
    {
      schema: object({
        left: described("One", object({ a: described("Its a", string) })),
        right: described("Another", object({ b: { ...number, default: 2 } }, ["b"])),
      }),
      accepts: [[{ left: { a: "x" }, right: {} }, ["x", 2]]],
      refuses: [[{ left: {}, right: {} }, "$.left.a"]],
    },
  ),
  row(
    "an array, named by @param",
    /** @param words - Two at most */
    function ends([first, second = "none"]: string[]) {
      got(first, second);
    },
    {
      schema: object({ words: described("Two at most", list(string)) }),
      accepts: [[{ words: ["a"] }, ["a", "none"]]],
      refuses: [[{ words: [{}] }, "$.words[0]"]],
    },
  ),
]);
