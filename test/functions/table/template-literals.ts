import { someText } from "../difference.ts";
import { got, row, theme, type Theme } from "../row.ts";
import { anyOf, list, number, object, oneOf, only, string, tuple } from "../schemas.ts";

const pattern = { type: "string", pattern: someText };

type Hex = `#${string}`;
type Version = `${number}.${number}.${number}`;
type Locale = `${"en" | "de"}-${"GB" | "AT"}`;

export const templateLiterals: Theme = theme("template literals", [
  row(
    "a beginning",
    function user(id: `user-${string}`) {
      got(id);
    },
    {
      schema: object({ id: pattern }),
      accepts: [
        [{ id: "user-1" }, ["user-1"]],
        [{ id: "user-" }, ["user-"]],
        [{ id: "user-a\nb" }, ["user-a\nb"]],
      ],
      refuses: [
        [{ id: "1" }, "$.id"],
        [{ id: "a user-1" }, "$.id"],
      ],
    },
  ),
  row(
    "an end",
    function file(name: `${string}.ts`) {
      got(name);
    },
    {
      schema: object({ name: pattern }),
      accepts: [[{ name: "a.ts" }, ["a.ts"]]],
      refuses: [
        [{ name: "a.tsx" }, "$.name"],
        [{ name: "ats" }, "$.name"],
      ],
    },
  ),
  row(
    "a number within",
    function width(css: `${number}px`) {
      got(css);
    },
    {
      schema: object({ css: pattern }),
      accepts: [
        [{ css: "12px" }, ["12px"]],
        [{ css: "-1.5px" }, ["-1.5px"]],
      ],
      refuses: [
        [{ css: "px" }, "$.css"],
        [{ css: "widepx" }, "$.css"],
      ],
    },
  ),
  row(
    "several numbers",
    function install(version: Version) {
      got(version);
    },
    {
      schema: object({ version: pattern }),
      accepts: [[{ version: "1.20.3" }, ["1.20.3"]]],
      refuses: [
        [{ version: "1.x.3" }, "$.version"],
        [{ version: "latest" }, "$.version"],
      ],
    },
  ),
  row(
    "unions within are written out",
    function locale(tag: Locale) {
      got(tag);
    },
    {
      schema: object({ tag: oneOf("en-GB", "en-AT", "de-GB", "de-AT") }),
      accepts: [[{ tag: "de-AT" }, ["de-AT"]]],
      mends: [[{ tag: "EN-GB" }, ["en-GB"]]],
      refuses: [[{ tag: "fr-FR" }, "$.tag"]],
    },
  ),
  row(
    "a union beside text",
    function log(line: `${"info" | "warn"}: ${string}`) {
      got(line);
    },
    {
      schema: object({ line: anyOf(pattern, pattern) }),
      accepts: [
        [{ line: "warn: a" }, ["warn: a"]],
        [{ line: "info: " }, ["info: "]],
      ],
      refuses: [[{ line: "debug: a" }, "$.line"]],
    },
  ),
  row(
    "signs that mean something in patterns",
    function price(text: `$${string} (${number}+)`) {
      got(text);
    },
    {
      schema: object({ text: pattern }),
      accepts: [[{ text: "$a (1+)" }, ["$a (1+)"]]],
      refuses: [
        [{ text: "a (1+)" }, "$.text"],
        [{ text: "$a 1" }, "$.text"],
      ],
    },
  ),
  row(
    "an alias",
    function paint(color: Hex) {
      got(color);
    },
    {
      schema: object({ color: pattern }),
      accepts: [[{ color: "#fff" }, ["#fff"]]],
      refuses: [[{ color: "red" }, "$.color"]],
    },
  ),
  row(
    "or a word",
    function fill(color: Hex | "none") {
      got(color);
    },
    {
      schema: object({ color: anyOf(pattern, only("none")) }),
      accepts: [
        [{ color: "none" }, ["none"]],
        [{ color: "#000" }, ["#000"]],
      ],
      refuses: [[{ color: "red" }, "$.color"]],
    },
  ),
  row(
    "a boolean within",
    function flag(text: `is-${boolean}`) {
      got(text);
    },
    {
      schema: object({ text: oneOf("is-false", "is-true") }),
      accepts: [[{ text: "is-true" }, ["is-true"]]],
      refuses: [[{ text: "is-maybe" }, "$.text"]],
    },
  ),
  row(
    "nothing but text is a string",
    // oxlint-disable-next-line typescript/no-unnecessary-template-expression -- what the row is about
    function any1(text: `${string}`) {
      got(text);
    },
    {
      schema: object({ text: string }),
      accepts: [[{ text: "a" }, ["a"]]],
      refuses: [[{ text: {} }, "$.text"]],
    },
  ),
  row(
    "in lists and tuples",
    function ids(all: `id-${number}`[], pair: [`a${string}`, number]) {
      got(all, pair);
    },
    {
      schema: object({ all: list(pattern), pair: tuple([pattern, number]) }),
      accepts: [[{ all: ["id-1"], pair: ["ab", 1] }, [["id-1"], ["ab", 1]]]],
      refuses: [
        [{ all: ["id-x"], pair: ["ab", 1] }, "$.all[0]"],
        [{ all: [], pair: ["b", 1] }, "$.pair[0]"],
      ],
    },
  ),
  row(
    "as keys of a record",
    function data(attributes: Record<`data-${string}`, string>) {
      got(attributes);
    },
    {
      schema: object({
        attributes: { type: "object", additionalProperties: string, propertyNames: { pattern: someText } },
      }),
      accepts: [[{ attributes: { "data-a": "b" } }, [{ "data-a": "b" }]]],
      refuses: [[{ attributes: { a: "b" } }, "$.attributes.a"]],
    },
  ),
  row(
    "Uppercase of any text",
    function code(text: Uppercase<string>) {
      got(text);
    },
    {
      schema: object({ text: pattern }),
      accepts: [[{ text: "AB-1" }, ["AB-1"]]],
      refuses: [[{ text: "ab" }, "$.text"]],
    },
  ),
]);
