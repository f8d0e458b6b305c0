import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  anything,
  boolean,
  list,
  number,
  object,
  oneOf,
  only,
  openTuple,
  orNull,
  string,
  tuple,
} from "../schemas.ts";

type Point = [x: number, y: number];
type Grade = "z" | "a" | "m";

export const arrays: Theme = theme("arrays", [
  row(
    "of texts",
    function tags(words: string[]) {
      got(words);
    },
    {
      schema: object({ words: list(string) }),
      accepts: [
        [{ words: ["a", "b"] }, [["a", "b"]]],
        [{ words: [] }, [[]]],
      ],
      mends: [
        [{ words: "a" }, [["a"]]],
        [{ words: '["a"]' }, [["a"]]],
        [{ words: ["a", 1] }, [["a", "1"]]],
      ],
      refuses: [
        [{ words: [["a"]] }, "$.words[0]"],
        [{ words: { 0: "a" } }, "$.words"],
        [{ words: "" }, "$.words"],
      ],
    },
  ),
  row(
    "of numbers, written Array<number>",
    function mean(values: Array<number>) {
      got(values);
    },
    {
      schema: object({ values: list(number) }),
      accepts: [[{ values: [1, 2.5] }, [[1, 2.5]]]],
      refuses: [[{ values: [1, "two"] }, "$.values[1]"]],
    },
  ),
  row(
    "that are readonly",
    function sum(values: readonly number[], more: ReadonlyArray<number>) {
      got(values, more);
    },
    {
      schema: object({ values: list(number), more: list(number) }),
      accepts: [[{ values: [1], more: [] }, [[1], []]]],
      refuses: [[{ values: [1] }, "$.more"]],
    },
  ),
  row(
    "of objects",
    function cart(lines: { sku: string; count: number }[]) {
      got(lines);
    },
    {
      schema: object({ lines: list(object({ sku: string, count: number })) }),
      accepts: [[{ lines: [{ sku: "a", count: 1 }] }, [[{ sku: "a", count: 1 }]]]],
      refuses: [[{ lines: [{ sku: "a", count: 1 }, { sku: "b" }] }, "$.lines[1].count"]],
    },
  ),
  row(
    "of arrays",
    function grid(cells: number[][]) {
      got(cells);
    },
    {
      schema: object({ cells: list(list(number)) }),
      accepts: [[{ cells: [[1, 2], []] }, [[[1, 2], []]]]],
      refuses: [[{ cells: [[1], [{}]] }, "$.cells[1][0]"]],
    },
  ),
  row(
    "of unions, in declared order",
    function grades(marks: ("z" | "a" | "m")[], more?: readonly Grade[]) {
      got(marks, more);
    },
    {
      schema: object({ marks: list(oneOf("z", "a", "m")), more: list(oneOf("z", "a", "m")) }, ["more"]),
      accepts: [[{ marks: ["m", "z"] }, [["m", "z"], undefined]]],
      refuses: [[{ marks: ["z", "q"] }, "$.marks[1]"]],
    },
  ),
  row(
    "with null among the elements",
    function readings(values: (number | null)[]) {
      got(values);
    },
    {
      schema: object({ values: list(orNull(number)) }),
      accepts: [[{ values: [1, null] }, [[1, null]]]],
      refuses: [[{ values: ["none"] }, "$.values[0]"]],
    },
  ),
  row(
    "of anything",
    function keep(items: unknown[]) {
      got(items);
    },
    {
      schema: object({ items: list(anything) }),
      accepts: [[{ items: [1, "a", null, {}] }, [[1, "a", null, {}]]]],
      refuses: [[{ items: {} }, "$.items"]],
    },
  ),
  row(
    "of texts or numbers",
    function ids(values: (string | number)[]) {
      got(values);
    },
    {
      schema: object({ values: list({ type: ["string", "number"] }) }),
      accepts: [[{ values: [1, "1"] }, [[1, "1"]]]],
      refuses: [[{ values: [true] }, "$.values[0]"]],
    },
  ),
  row(
    "all of one kind or all of another",
    function series(values: string[] | number[]) {
      got(values);
    },
    {
      schema: object({ values: anyOf(list(string), list(number)) }),
      accepts: [
        [{ values: ["a"] }, [["a"]]],
        [{ values: [1] }, [[1]]],
      ],
      refuses: [
        [{ values: [true] }, "$.values[0]"],
        [{ values: {} }, "$.values"],
      ],
    },
  ),
]);

export const tuples: Theme = theme("tuples", [
  row(
    "of two numbers",
    function go(to: [number, number]) {
      got(to);
    },
    {
      schema: object({ to: tuple([number, number]) }),
      accepts: [[{ to: [1, 2] }, [[1, 2]]]],
      mends: [[{ to: ["1", 2] }, [[1, 2]]]],
      refuses: [
        [{ to: [1] }, "$.to"],
        [{ to: [1, 2, 3] }, "$.to[2]"],
        [{ to: [1, "north"] }, "$.to[1]"],
      ],
    },
  ),
  row(
    "with names",
    function draw(from: Point, to: Point) {
      got(from, to);
    },
    {
      schema: object({ from: tuple([number, number]), to: tuple([number, number]) }),
      accepts: [
        [
          { from: [0, 0], to: [1, 1] },
          [
            [0, 0],
            [1, 1],
          ],
        ],
      ],
      refuses: [[{ from: [0, 0] }, "$.to"]],
    },
  ),
  row(
    "of several kinds",
    function entry(pair: [key: string, value: boolean, mark: "z" | "a"]) {
      got(pair);
    },
    {
      schema: object({ pair: tuple([string, boolean, oneOf("z", "a")]) }),
      accepts: [[{ pair: ["a", true, "z"] }, [["a", true, "z"]]]],
      refuses: [[{ pair: ["a", true, "q"] }, "$.pair[2]"]],
    },
  ),
  row(
    "with elements that may be left out",
    function span(range: [from: number, to?: number]) {
      got(range);
    },
    {
      schema: object({ range: tuple([number, number], 1) }),
      accepts: [
        [{ range: [1] }, [[1]]],
        [{ range: [1, 2] }, [[1, 2]]],
      ],
      refuses: [
        [{ range: [] }, "$.range"],
        [{ range: [1, 2, 3] }, "$.range[2]"],
      ],
    },
  ),
  row(
    "with a rest",
    function command(words: [name: string, ...numbers: number[]]) {
      got(words);
    },
    {
      schema: object({ words: openTuple([string], number) }),
      accepts: [
        [{ words: ["add"] }, [["add"]]],
        [{ words: ["add", 1, 2] }, [["add", 1, 2]]],
      ],
      refuses: [
        [{ words: [] }, "$.words"],
        [{ words: ["add", 1, "b"] }, "$.words[2]"],
      ],
    },
  ),
  row(
    "with an element that may be left out, and a rest",
    function route(stops: [string, number?, ...boolean[]]) {
      got(stops);
    },
    {
      schema: object({
        stops: { type: "array", prefixItems: [string, number], items: boolean, minItems: 1 },
      }),
      accepts: [[{ stops: ["a", 1, true, false] }, [["a", 1, true, false]]]],
      refuses: [[{ stops: ["a", 1, 2] }, "$.stops[2]"]],
    },
  ),
  row(
    "that are readonly",
    function pin(at: readonly [number, number]) {
      got(at);
    },
    {
      schema: object({ at: tuple([number, number]) }),
      accepts: [[{ at: [1, 2] }, [[1, 2]]]],
      refuses: [[{ at: [] }, "$.at"]],
    },
  ),
  row(
    "without an element",
    function none(list: []) {
      got(list);
    },
    {
      schema: object({ list: { type: "array", items: false, minItems: 0, maxItems: 0 } }),
      accepts: [[{ list: [] }, [[]]]],
      refuses: [[{ list: [1] }, "$.list[0]"]],
    },
  ),
  row(
    "at least one element",
    function pick(choices: [string, ...string[]]) {
      got(choices);
    },
    {
      schema: object({ choices: openTuple([string], string) }),
      accepts: [[{ choices: ["a", "b"] }, [["a", "b"]]]],
      refuses: [[{ choices: [] }, "$.choices"]],
    },
  ),
  row(
    "in an array",
    function path(points: Point[]) {
      got(points);
    },
    {
      schema: object({ points: list(tuple([number, number])) }),
      accepts: [
        [
          {
            points: [
              [0, 0],
              [1, 2],
            ],
          },
          [
            [
              [0, 0],
              [1, 2],
            ],
          ],
        ],
      ],
      refuses: [[{ points: [[0, 0], [1]] }, "$.points[1]"]],
    },
  ),
  row(
    "one of several",
    function shape(form: ["circle", number] | ["box", number, number]) {
      got(form);
    },
    {
      schema: object({ form: anyOf(tuple([only("circle"), number]), tuple([only("box"), number, number])) }),
      accepts: [
        [{ form: ["circle", 1] }, [["circle", 1]]],
        [{ form: ["box", 1, 2] }, [["box", 1, 2]]],
      ],
      refuses: [[{ form: "circle" }, "$.form"]],
    },
  ),
  row(
    "elements after a rest may stand anywhere, with a warning",
    function words(of: [...string[], number]) {
      got(of);
    },
    {
      schema: object({ of: { ...list(anyOf(string, number)), minItems: 1 } }),
      accepts: [[{ of: ["a", "b", 1] }, [["a", "b", 1]]]],
      refuses: [
        [{ of: [] }, "$.of"],
        [{ of: [{}] }, "$.of[0]"],
      ],
      warns: [/rest/],
    },
  ),
]);
