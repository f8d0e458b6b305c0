import { got, row, theme, type Theme } from "../row.ts";
import { boolean, list, number, object, oneOf, orNull, record, string, tuple } from "../schemas.ts";
import { defaultCity, limits } from "./shared/constants.ts";

const pageSize = 25;
const week = 7 * 24;
let span = 7;
span += 0;
const settings = { retries: 3, mode: "fast" } as const;

export const optionals: Theme = theme("optional parameters", [
  row(
    "a question mark",
    function page(query: string, size?: number) {
      got(query, size);
    },
    {
      schema: object({ query: string, size: number }, ["size"]),
      accepts: [
        [{ query: "a" }, ["a", undefined]],
        [{ query: "a", size: 5 }, ["a", 5]],
      ],
      mends: [[{ query: "a", size: null }, ["a", undefined]]],
      refuses: [
        [{ size: 5 }, "$.query"],
        [{ query: "a", size: [] }, "$.size"],
      ],
    },
  ),
  row(
    "null where null is a value stays null",
    function note(text?: string | null) {
      got(text);
    },
    {
      schema: object({ text: orNull(string) }, ["text"]),
      accepts: [
        [{ text: null }, [null]],
        [{}, [undefined]],
      ],
      refuses: [[{ text: {} }, "$.text"]],
    },
  ),
  row(
    "undefined before a required parameter",
    function search(scope: string | undefined, query: string) {
      got(scope, query);
    },
    {
      schema: object({ scope: string, query: string }, ["scope"]),
      accepts: [[{ query: "a" }, [undefined, "a"]]],
      refuses: [[{ scope: "b" }, "$.query"]],
    },
  ),
  row(
    "several, of which the middle one is left out",
    function range(from: number, to?: number, by?: number) {
      got(from, to, by);
    },
    {
      schema: object({ from: number, to: number, by: number }, ["to", "by"]),
      accepts: [[{ from: 1, by: 2 }, [1, undefined, 2]]],
      refuses: [[{ from: 1, step: 2 }, "$.step"]],
    },
  ),
  row(
    "a union with undefined in an alias",
    function tint(color: Color) {
      got(color);
    },
    {
      schema: object({ color: oneOf("red", "blue") }, ["color"]),
      accepts: [
        [{}, [undefined]],
        [{ color: "blue" }, ["blue"]],
      ],
      refuses: [[{ color: "green" }, "$.color"]],
    },
  ),
  row(
    "an optional boolean is a boolean",
    function toggle(on?: boolean) {
      got(on);
    },
    {
      schema: object({ on: boolean }, ["on"]),
      accepts: [
        [{}, [undefined]],
        [{ on: false }, [false]],
      ],
      refuses: [[{ on: 0 }, "$.on"]],
    },
  ),
  row(
    "an optional object with required properties",
    function near(place?: { city: string; zip?: string }) {
      got(place);
    },
    {
      schema: object({ place: object({ city: string, zip: string }, ["zip"]) }, ["place"]),
      accepts: [
        [{}, [undefined]],
        [{ place: { city: "a" } }, [{ city: "a" }]],
      ],
      refuses: [[{ place: {} }, "$.place.city"]],
    },
  ),
  row(
    "an optional union keeps its order",
    function sort(by?: "name" | "age" | "date") {
      got(by);
    },
    {
      schema: object({ by: oneOf("name", "age", "date") }, ["by"]),
      accepts: [[{ by: "age" }, ["age"]]],
      mends: [[{ by: null }, [undefined]]],
      refuses: [[{ by: "size" }, "$.by"]],
    },
  ),
  row(
    "undefined alone never has a value",
    function reserved(name: string, later?: undefined) {
      got(name, later);
    },
    {
      schema: object({ name: string }),
      accepts: [[{ name: "a" }, ["a", undefined]]],
      refuses: [[{ name: "a", later: 1 }, "$.later"]],
    },
  ),
]);

type Color = "red" | "blue" | undefined;

export const defaults: Theme = theme("defaults", [
  row(
    "of numbers, texts and booleans, without types",
    function list1(limit = 10, sort = "name", all = false) {
      got(limit, sort, all);
    },
    {
      schema: object(
        {
          limit: { ...number, default: 10 },
          sort: { ...string, default: "name" },
          all: { ...boolean, default: false },
        },
        ["limit", "sort", "all"],
      ),
      accepts: [
        [{}, [10, "name", false]],
        [{ limit: 1, all: true }, [1, "name", true]],
      ],
      mends: [[{ limit: null, sort: null }, [10, "name", false]]],
      refuses: [[{ limit: "many" }, "$.limit"]],
    },
  ),
  row(
    "of a union",
    function weather(city: string, unit: "celsius" | "fahrenheit" = "fahrenheit") {
      got(city, unit);
    },
    {
      schema: object({ city: string, unit: { ...oneOf("celsius", "fahrenheit"), default: "fahrenheit" } }, [
        "unit",
      ]),
      accepts: [
        [{ city: "a" }, ["a", "fahrenheit"]],
        [{ city: "a", unit: "celsius" }, ["a", "celsius"]],
      ],
      refuses: [[{ city: "a", unit: "kelvin" }, "$.unit"]],
    },
  ),
  row(
    "negative, fractional and with separators",
    function tune(low: number = -1, ratio = 0.25, large = 1_000_000) {
      got(low, ratio, large);
    },
    {
      schema: object(
        {
          low: { ...number, default: -1 },
          ratio: { ...number, default: 0.25 },
          large: { ...number, default: 1_000_000 },
        },
        ["low", "ratio", "large"],
      ),
      accepts: [[{}, [-1, 0.25, 1_000_000]]],
      refuses: [[{ low: {} }, "$.low"]],
    },
  ),
  row(
    "of arrays, objects and tuples",
    function filter(
      tags: string[] = ["a", "b"],
      at: { x: number } = { x: 1 },
      pair: [number, string] = [1, "one"],
    ) {
      got(tags, at, pair);
    },
    {
      schema: object(
        {
          tags: { ...list(string), default: ["a", "b"] },
          at: { ...object({ x: number }), default: { x: 1 } },
          pair: { ...tuple([number, string]), default: [1, "one"] },
        },
        ["tags", "at", "pair"],
      ),
      accepts: [
        [{}, [["a", "b"], { x: 1 }, [1, "one"]]],
        [{ tags: [] }, [[], { x: 1 }, [1, "one"]]],
      ],
      refuses: [[{ at: {} }, "$.at.x"]],
    },
  ),
  row(
    "null",
    function owner(name: string | null = null) {
      got(name);
    },
    {
      schema: object({ name: { ...orNull(string), default: null } }, ["name"]),
      accepts: [
        [{}, [null]],
        [{ name: "a" }, ["a"]],
      ],
      refuses: [[{ name: [] }, "$.name"]],
    },
  ),
  row(
    "of constants of the file",
    function fetchPage(size = pageSize, hours = week) {
      got(size, hours);
    },
    {
      schema: object({ size: { ...number, default: 25 }, hours: { ...number, default: 168 } }, [
        "size",
        "hours",
      ]),
      accepts: [[{}, [25, 168]]],
      refuses: [[{ size: "some" }, "$.size"]],
    },
  ),
  row(
    "of constants of another file",
    function visit(city = defaultCity, days: number = limits.days) {
      got(city, days);
    },
    {
      schema: object({ city: { ...string, default: "Paris" }, days: { ...number, default: 14 } }, [
        "city",
        "days",
      ]),
      accepts: [[{}, ["Paris", 14]]],
      refuses: [[{ days: false }, "$.days"]],
    },
  ),
  row(
    "of a constant's property",
    function retry(times: number = settings.retries, mode: "fast" | "slow" = settings.mode) {
      got(times, mode);
    },
    {
      schema: object(
        { times: { ...number, default: 3 }, mode: { ...oneOf("fast", "slow"), default: "fast" } },
        ["times", "mode"],
      ),
      accepts: [[{}, [3, "fast"]]],
      refuses: [[{ mode: "medium" }, "$.mode"]],
    },
  ),
  row(
    "that are computed have no value in the schema",
    function stamp(text: string, length = text.length) {
      got(text, length);
    },
    {
      schema: object({ text: string, length: number }, ["length"]),
      accepts: [
        [{ text: "four" }, ["four", 4]],
        [{ text: "a", length: 9 }, ["a", 9]],
      ],
      mends: [[{ text: "four", length: null }, ["four", 4]]],
      refuses: [[{ length: 1 }, "$.text"]],
    },
  ),
  row(
    "before a required parameter",
    function scale(factor = 2, value: number) {
      got(factor, value);
    },
    {
      schema: object({ factor: { ...number, default: 2 }, value: number }, ["factor"]),
      accepts: [[{ value: 5 }, [2, 5]]],
      refuses: [[{ factor: 5 }, "$.value"]],
    },
  ),
  row(
    "of a template without parts",
    function greet(text = `Hello`) {
      got(text);
    },
    {
      schema: object({ text: { ...string, default: "Hello" } }, ["text"]),
      accepts: [[{}, ["Hello"]]],
      refuses: [[{ text: ["Hello"] }, "$.text"]],
    },
  ),
  row(
    "empty ones",
    function clear(text = "", items: string[] = [], values: Record<string, number> = {}, none = 0) {
      got(text, items, values, none);
    },
    {
      schema: object(
        {
          text: { ...string, default: "" },
          items: { ...list(string), default: [] },
          values: { ...record(number), default: {} },
          none: { ...number, default: 0 },
        },
        ["text", "items", "values", "none"],
      ),
      accepts: [[{}, ["", [], {}, 0]]],
      refuses: [[{ values: { a: [] } }, "$.values.a"]],
    },
  ),
  row(
    "as const and satisfies",
    function mode(kind = "dark" as "dark" | "light", size = 2 satisfies number) {
      got(kind, size);
    },
    {
      schema: object(
        { kind: { ...oneOf("dark", "light"), default: "dark" }, size: { ...number, default: 2 } },
        ["kind", "size"],
      ),
      accepts: [[{}, ["dark", 2]]],
      refuses: [[{ kind: "grey" }, "$.kind"]],
    },
  ),
  row(
    "of a variable that may change have no value in the schema",
    function plan(days = span) {
      got(days);
    },
    {
      schema: object({ days: number }, ["days"]),
      accepts: [
        [{}, [7]],
        [{ days: 1 }, [1]],
      ],
      refuses: [[{ days: {} }, "$.days"]],
    },
  ),
]);
