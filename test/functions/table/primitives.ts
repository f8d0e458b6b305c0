import { got, row, theme, type Theme } from "../row.ts";
import { anything, boolean, described, nothing, number, object, string } from "../schemas.ts";

export const primitives: Theme = theme("primitives", [
  row(
    "text",
    function text(city: string) {
      got(city);
    },
    {
      schema: object({ city: string }),
      accepts: [
        [{ city: "Paris" }, ["Paris"]],
        [{ city: "" }, [""]],
        [{ city: "日本 🪿" }, ["日本 🪿"]],
      ],
      mends: [[{ city: 75 }, ["75"]]],
      refuses: [
        [{}, "$.city"],
        [{ city: null }, "$.city"],
        [{ city: true }, "$.city"],
        [{ city: ["Paris"] }, "$.city"],
        [{ city: "Paris", town: "Paris" }, "$.town"],
      ],
    },
  ),
  row(
    "a number",
    function amount(value: number) {
      got(value);
    },
    {
      schema: object({ value: number }),
      accepts: [
        [{ value: 0 }, [0]],
        [{ value: -1.5 }, [-1.5]],
        [{ value: 1e21 }, [1e21]],
      ],
      mends: [[{ value: "2.50" }, [2.5]]],
      refuses: [
        [{ value: "1,000" }, "$.value"],
        [{ value: "3 apples" }, "$.value"],
        [{ value: true }, "$.value"],
        [{ value: "" }, "$.value"],
      ],
    },
  ),
  row(
    "a boolean",
    function flag(on: boolean) {
      got(on);
    },
    {
      schema: object({ on: boolean }),
      accepts: [
        [{ on: true }, [true]],
        [{ on: false }, [false]],
      ],
      mends: [[{ on: "false" }, [false]]],
      refuses: [
        [{ on: 1 }, "$.on"],
        [{ on: "yes" }, "$.on"],
      ],
    },
  ),
  row(
    "null alone",
    function empty(value: null) {
      got(value);
    },
    {
      schema: object({ value: nothing }),
      accepts: [[{ value: null }, [null]]],
      refuses: [
        [{ value: 0 }, "$.value"],
        [{}, "$.value"],
      ],
    },
  ),
  row(
    "unknown takes any JSON",
    function store(value: unknown) {
      got(value);
    },
    {
      schema: object({ value: anything }),
      accepts: [
        [{ value: null }, [null]],
        [{ value: { deep: [1, "a"] } }, [{ deep: [1, "a"] }]],
        [{ value: "text" }, ["text"]],
      ],
      refuses: [[{}, "$.value"]],
    },
  ),
  row(
    "any takes any JSON",
    // oxlint-disable-next-line typescript/no-explicit-any -- what the row is about
    function log(entry: any) {
      got(entry);
    },
    {
      schema: object({ entry: anything }),
      accepts: [
        [{ entry: 1 }, [1]],
        [{ entry: [null] }, [[null]]],
      ],
      refuses: [[{}, "$.entry"]],
    },
  ),
  row(
    "object takes any object",
    function merge(patch: object) {
      got(patch);
    },
    {
      schema: object({ patch: { type: "object" } }),
      accepts: [[{ patch: { a: 1 } }, [{ a: 1 }]]],
      mends: [[{ patch: '{"a":1}' }, [{ a: 1 }]]],
      refuses: [
        [{ patch: 1 }, "$.patch"],
        [{ patch: [1] }, "$.patch"],
      ],
    },
  ),
  row(
    "{} takes any value but null",
    function wrap(value: {}) {
      got(value);
    },
    {
      schema: object({ value: { type: ["string", "number", "boolean", "object", "array"] } }),
      accepts: [
        [{ value: 3 }, [3]],
        [{ value: {} }, [{}]],
      ],
      refuses: [
        [{}, "$.value"],
        [{ value: null }, "$.value"],
      ],
    },
  ),
  row(
    "several parameters, in order",
    function measure(unit: string, length: number, exact: boolean) {
      got(unit, length, exact);
    },
    {
      schema: object({ unit: string, length: number, exact: boolean }),
      accepts: [[{ exact: true, length: 2, unit: "m" }, ["m", 2, true]]],
      refuses: [
        [{ unit: "m", length: 2 }, "$.exact"],
        [{}, "$.unit"],
      ],
    },
  ),
  row(
    "no parameter",
    function now() {
      got();
    },
    {
      schema: object({}),
      accepts: [[{}, []]],
      refuses: [[{ zone: "UTC" }, "$.zone"]],
    },
  ),
  row(
    "parameters with names that JSON and JavaScript know otherwise",
    function odd(constructor: string, toString: number, $ref: boolean) {
      got(constructor, toString, $ref);
    },
    {
      schema: object({ constructor: string, toString: number, $ref: boolean }),
      accepts: [[{ constructor: "a", toString: 1, $ref: true }, ["a", 1, true]]],
      refuses: [
        [{ toString: 1, $ref: true }, "$.constructor"],
        [{ constructor: "a", $ref: true }, "$.toString"],
      ],
    },
  ),
  row(
    "a name beyond ASCII",
    function größe(länge: number, 名前: string) {
      got(länge, 名前);
    },
    {
      schema: object({ länge: number, 名前: string }),
      accepts: [[{ länge: 1, 名前: "雁" }, [1, "雁"]]],
      refuses: [[{ länge: 1 }, "$.名前"]],
    },
  ),
  row(
    "a comment on a parameter",
    /** Keeps a note. @param note - What to keep */ function keep(note: string) {
      got(note);
    },
    {
      description: "Keeps a note.",
      schema: object({ note: described("What to keep", string) }),
      accepts: [[{ note: "x" }, ["x"]]],
      refuses: [[{ note: {} }, "$.note"]],
    },
  ),
  row(
    "the wrapper types String, Number and Boolean are their primitives",
    // oxlint-disable-next-line typescript/no-wrapper-object-types -- what the row is about
    function wrapped(text: String, count: Number, on: Boolean) {
      got(text, count, on);
    },
    {
      schema: object({ text: string, count: number, on: boolean }),
      accepts: [[{ text: "a", count: 1, on: false }, ["a", 1, false]]],
      refuses: [[{ text: "a", count: {}, on: false }, "$.count"]],
    },
  ),
]);
