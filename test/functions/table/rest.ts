import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  anything,
  described,
  list,
  number,
  object,
  oneOf,
  openTuple,
  string,
  tuple,
} from "../schemas.ts";

export const rest: Theme = theme("rest parameters", [
  row(
    "numbers",
    function sum(...numbers: number[]) {
      got(numbers);
    },
    {
      schema: object({ numbers: list(number) }, ["numbers"]),
      accepts: [
        [{ numbers: [1, 2] }, [[1, 2]]],
        [{}, [[]]],
        [{ numbers: [] }, [[]]],
      ],
      mends: [
        [{ numbers: 5 }, [[5]]],
        [{ numbers: null }, [[]]],
      ],
      refuses: [[{ numbers: [1, "two"] }, "$.numbers[1]"]],
    },
  ),
  row(
    "after others",
    function join(separator: string, ...words: string[]) {
      got(separator, words);
    },
    {
      schema: object({ separator: string, words: list(string) }, ["words"]),
      accepts: [[{ separator: "-", words: ["a", "b"] }, ["-", ["a", "b"]]]],
      refuses: [[{ words: ["a"] }, "$.separator"]],
    },
  ),
  row(
    "after an optional one",
    function log(level?: string, ...parts: string[]) {
      got(level, parts);
    },
    {
      schema: object({ level: string, parts: list(string) }, ["level", "parts"]),
      accepts: [[{ parts: ["a"] }, [undefined, ["a"]]]],
      refuses: [[{ parts: [{}] }, "$.parts[0]"]],
    },
  ),
  row(
    "objects",
    function book(...guests: { name: string }[]) {
      got(guests);
    },
    {
      schema: object({ guests: list(object({ name: string })) }, ["guests"]),
      accepts: [[{ guests: [{ name: "a" }] }, [[{ name: "a" }]]]],
      refuses: [[{ guests: [{}] }, "$.guests[0].name"]],
    },
  ),
  row(
    "unions, in declared order",
    function mix(...colors: ("red" | "blue" | "green")[]) {
      got(colors);
    },
    {
      schema: object({ colors: list(oneOf("red", "blue", "green")) }, ["colors"]),
      accepts: [[{ colors: ["green", "red"] }, [["green", "red"]]]],
      refuses: [[{ colors: ["pink"] }, "$.colors[0]"]],
    },
  ),
  row(
    "a tuple is required as it is",
    function move(...to: [x: number, y: number]) {
      got(to);
    },
    {
      schema: object({ to: tuple([number, number]) }),
      accepts: [[{ to: [1, 2] }, [[1, 2]]]],
      refuses: [
        [{}, "$.to"],
        [{ to: [1] }, "$.to"],
      ],
    },
  ),
  row(
    "at least one",
    function first(...names: [string, ...string[]]) {
      got(names);
    },
    {
      schema: object({ names: openTuple([string], string) }),
      accepts: [[{ names: ["a", "b"] }, [["a", "b"]]]],
      refuses: [
        [{ names: [] }, "$.names"],
        [{}, "$.names"],
      ],
    },
  ),
  row(
    "a tuple whose elements may be left out",
    function pad(...widths: [left?: number, right?: number]) {
      got(widths);
    },
    {
      schema: object({ widths: tuple([number, number], 2) }, ["widths"]),
      accepts: [
        [{}, [[]]],
        [{ widths: [1] }, [[1]]],
      ],
      refuses: [[{ widths: [1, 2, 3] }, "$.widths[2]"]],
    },
  ),
  row(
    "anything",
    function trace(...values: unknown[]) {
      got(values);
    },
    {
      schema: object({ values: list(anything) }, ["values"]),
      accepts: [[{ values: [1, null, "a"] }, [[1, null, "a"]]]],
      refuses: [[{ values: {} }, "$.values"]],
    },
  ),
  row(
    "texts or numbers, readonly",
    function pick(...keys: readonly (string | { id: number })[]) {
      got(keys);
    },
    {
      schema: object({ keys: list(anyOf(string, object({ id: number }))) }, ["keys"]),
      accepts: [[{ keys: ["a", { id: 1 }] }, [["a", { id: 1 }]]]],
      refuses: [[{ keys: [{}] }, "$.keys[0].id"]],
    },
  ),
  row(
    "with a comment and limits",
    /** Adds. @param terms - What to add @minItems 2 */
    function add(...terms: number[]) {
      got(terms);
    },
    {
      description: "Adds.",
      schema: object({ terms: { ...described("What to add", list(number)), minItems: 2 } }),
      accepts: [[{ terms: [1, 2] }, [[1, 2]]]],
      refuses: [
        [{ terms: [1] }, "$.terms"],
        [{}, "$.terms"],
      ],
    },
  ),
]);
