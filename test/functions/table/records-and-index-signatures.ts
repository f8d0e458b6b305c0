import { someText } from "../difference.ts";
import { got, row, theme, type Theme } from "../row.ts";
import { anything, list, number, object, oneOf, orNull, record, string } from "../schemas.ts";

interface Dictionary<Value> {
  [word: string]: Value;
}

const wholeNumbers = { propertyNames: { pattern: someText } };

export const records: Theme = theme("records and index signatures", [
  row(
    "of numbers",
    function price(prices: Record<string, number>) {
      got(prices);
    },
    {
      schema: object({ prices: record(number) }),
      accepts: [
        [{ prices: { tea: 2 } }, [{ tea: 2 }]],
        [{ prices: {} }, [{}]],
      ],
      mends: [[{ prices: { tea: "2" } }, [{ tea: 2 }]]],
      refuses: [
        [{ prices: { tea: "two" } }, "$.prices.tea"],
        [{ prices: [] }, "$.prices"],
      ],
    },
  ),
  row(
    "an index signature",
    function translate(words: { [word: string]: string }) {
      got(words);
    },
    {
      schema: object({ words: record(string) }),
      accepts: [[{ words: { a: "b" } }, [{ a: "b" }]]],
      refuses: [[{ words: { a: ["b"] } }, "$.words.a"]],
    },
  ),
  row(
    "of unions, in declared order",
    function mark(states: Record<string, "z" | "a">) {
      got(states);
    },
    {
      schema: object({ states: record(oneOf("z", "a")) }),
      accepts: [[{ states: { one: "a" } }, [{ one: "a" }]]],
      refuses: [[{ states: { one: "b" } }, "$.states.one"]],
    },
  ),
  row(
    "of objects",
    function stock(shelves: Record<string, { count: number }>) {
      got(shelves);
    },
    {
      schema: object({ shelves: record(object({ count: number })) }),
      accepts: [[{ shelves: { a: { count: 1 } } }, [{ a: { count: 1 } }]]],
      refuses: [[{ shelves: { a: { count: 1 }, b: {} } }, "$.shelves.b.count"]],
    },
  ),
  row(
    "of records",
    function scores(table: Record<string, Record<string, number>>) {
      got(table);
    },
    {
      schema: object({ table: record(record(number)) }),
      accepts: [[{ table: { a: { b: 1 } } }, [{ a: { b: 1 } }]]],
      refuses: [[{ table: { a: { b: [] } } }, "$.table.a.b"]],
    },
  ),
  row(
    "of lists",
    function groups(byName: { [name: string]: string[] }) {
      got(byName);
    },
    {
      schema: object({ byName: record(list(string)) }),
      accepts: [[{ byName: { a: ["b"] } }, [{ a: ["b"] }]]],
      refuses: [[{ byName: { a: [{}] } }, "$.byName.a[0]"]],
    },
  ),
  row(
    "of anything",
    function metadata(values: Record<string, unknown>) {
      got(values);
    },
    {
      schema: object({ values: record(anything) }),
      accepts: [[{ values: { a: null, b: [1] } }, [{ a: null, b: [1] }]]],
      refuses: [[{ values: "none" }, "$.values"]],
    },
  ),
  row(
    "with keys that are named",
    function corners(of: Record<"left" | "right", number>) {
      got(of);
    },
    {
      schema: object({ of: object({ left: number, right: number }) }),
      accepts: [[{ of: { left: 1, right: 2 } }, [{ left: 1, right: 2 }]]],
      refuses: [
        [{ of: { left: 1 } }, "$.of.right"],
        [{ of: { left: 1, right: 2, top: 3 } }, "$.of.top"],
      ],
    },
  ),
  row(
    "with keys that may be absent",
    function overrides(of: Partial<Record<"width" | "height", number>>) {
      got(of);
    },
    {
      schema: object({ of: object({ width: number, height: number }, ["width", "height"]) }),
      accepts: [
        [{ of: {} }, [{}]],
        [{ of: { height: 2 } }, [{ height: 2 }]],
      ],
      refuses: [[{ of: { top: 1 } }, "$.of.top"]],
    },
  ),
  row(
    "known properties beside unknown ones",
    function style(css: { display: string; [property: string]: string }) {
      got(css);
    },
    {
      schema: object({
        css: {
          type: "object",
          properties: { display: string },
          required: ["display"],
          additionalProperties: string,
        },
      }),
      accepts: [[{ css: { display: "none", color: "red" } }, [{ display: "none", color: "red" }]]],
      refuses: [
        [{ css: { color: "red" } }, "$.css.display"],
        [{ css: { display: "none", width: {} } }, "$.css.width"],
      ],
    },
  ),
  row(
    "whose keys are numbers",
    function seats(byRow: Record<number, string>) {
      got(byRow);
    },
    {
      schema: object({ byRow: { ...record(string), ...wholeNumbers } }),
      accepts: [[{ byRow: { 1: "a", 20: "b" } }, [{ 1: "a", 20: "b" }]]],
      refuses: [[{ byRow: { first: "a" } }, "$.byRow.first"]],
    },
  ),
  row(
    "whose values may be null",
    function answers(given: Record<string, string | null>) {
      got(given);
    },
    {
      schema: object({ given: record(orNull(string)) }),
      accepts: [[{ given: { a: null } }, [{ a: null }]]],
      refuses: [[{ given: { a: {} } }, "$.given.a"]],
    },
  ),
  row(
    "a generic interface with an index signature",
    function lookup(in_: Dictionary<number>) {
      got(in_);
    },
    {
      schema: object({ in_: record(number) }),
      accepts: [[{ in_: { a: 1 } }, [{ a: 1 }]]],
      refuses: [[{ in_: { a: "one" } }, "$.in_.a"]],
    },
  ),
  row(
    "a key called __proto__ is dropped",
    function keep(values: Record<string, number>) {
      got(values);
    },
    {
      schema: object({ values: record(number) }),
      accepts: [[JSON.parse('{"values":{"__proto__":1,"a":2}}') as object, [{ a: 2 }]]],
      refuses: [[{ values: null }, "$.values"]],
    },
  ),
  row(
    "that are readonly",
    function frozen(values: Readonly<Record<string, number>>) {
      got(values);
    },
    {
      schema: object({ values: record(number) }),
      accepts: [[{ values: { a: 1 } }, [{ a: 1 }]]],
      refuses: [[{ values: { a: false } }, "$.values.a"]],
    },
  ),
]);
