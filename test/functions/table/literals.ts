import { got, row, theme, type Theme } from "../row.ts";
import { described, object, oneOf, only } from "../schemas.ts";

/** How urgent it is. */
type Priority = "urgent" | "normal" | "low";
type Extended = "blocked" | Priority | "someday";
const sizes = ["small", "medium", "large"] as const;
const codes = { ok: 200, missing: 404, broken: 500 } as const;
type Country =
  | "at"
  | "be"
  | "bg"
  | "hr"
  | "cy"
  | "cz"
  | "dk"
  | "ee"
  | "fi"
  | "fr"
  | "de"
  | "gr"
  | "hu"
  | "ie"
  | "it"
  | "lv"
  | "lt"
  | "lu"
  | "mt"
  | "nl"
  | "pl"
  | "pt"
  | "ro"
  | "sk"
  | "si"
  | "es"
  | "se";
const countries = [
  "at",
  "be",
  "bg",
  "hr",
  "cy",
  "cz",
  "dk",
  "ee",
  "fi",
  "fr",
  "de",
  "gr",
  "hu",
  "ie",
  "it",
  "lv",
  "lt",
  "lu",
  "mt",
  "nl",
  "pl",
  "pt",
  "ro",
  "sk",
  "si",
  "es",
  "se",
];
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
const hundred = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, "0"));

export const literals: Theme = theme("literals", [
  row(
    "one literal",
    function only1(kind: "invoice") {
      got(kind);
    },
    {
      schema: object({ kind: only("invoice") }),
      accepts: [[{ kind: "invoice" }, ["invoice"]]],
      mends: [[{ kind: " Invoice" }, ["invoice"]]],
      refuses: [[{ kind: "receipt" }, "$.kind"]],
    },
  ),
  row(
    "one number",
    function version(major: 2) {
      got(major);
    },
    {
      schema: object({ major: only(2) }),
      accepts: [[{ major: 2 }, [2]]],
      mends: [[{ major: "2" }, [2]]],
      refuses: [[{ major: 3 }, "$.major"]],
    },
  ),
  row(
    "true alone",
    function confirm(sure: true) {
      got(sure);
    },
    {
      schema: object({ sure: only(true) }),
      accepts: [[{ sure: true }, [true]]],
      refuses: [[{ sure: false }, "$.sure"]],
    },
  ),
  row(
    "words in the order in which they were written",
    function convert(unit: "kelvin" | "celsius" | "fahrenheit") {
      got(unit);
    },
    {
      schema: object({ unit: oneOf("kelvin", "celsius", "fahrenheit") }),
      accepts: [[{ unit: "celsius" }, ["celsius"]]],
      mends: [[{ unit: "KELVIN" }, ["kelvin"]]],
      refuses: [
        [{ unit: "rankine" }, "$.unit"],
        [{ unit: null }, "$.unit"],
        [{ unit: ["kelvin"] }, "$.unit"],
      ],
    },
  ),
  row(
    "numbers in the order in which they were written",
    function step(size: 10 | 1 | 5 | -1 | 0.5) {
      got(size);
    },
    {
      schema: object({ size: oneOf(10, 1, 5, -1, 0.5) }),
      accepts: [
        [{ size: 0.5 }, [0.5]],
        [{ size: -1 }, [-1]],
      ],
      refuses: [[{ size: 2 }, "$.size"]],
    },
  ),
  row(
    "literals of several kinds",
    function mixed(level: "auto" | 1 | 2 | true) {
      got(level);
    },
    {
      schema: object({ level: oneOf("auto", 1, 2, true) }),
      accepts: [
        [{ level: "auto" }, ["auto"]],
        [{ level: true }, [true]],
      ],
      refuses: [
        [{ level: false }, "$.level"],
        [{ level: 3 }, "$.level"],
      ],
    },
  ),
  row(
    "literals or null",
    function clear(color: "red" | "green" | null) {
      got(color);
    },
    {
      schema: object({ color: oneOf("red", "green", null) }),
      accepts: [
        [{ color: null }, [null]],
        [{ color: "green" }, ["green"]],
      ],
      refuses: [
        [{ color: "null" }, "$.color"],
        [{}, "$.color"],
      ],
    },
  ),
  row(
    "an alias, with its comment",
    function file(priority: Priority) {
      got(priority);
    },
    {
      schema: object({ priority: described("How urgent it is.", oneOf("urgent", "normal", "low")) }),
      accepts: [[{ priority: "low" }, ["low"]]],
      refuses: [[{ priority: "high" }, "$.priority"]],
    },
  ),
  row(
    "a union within a union, flat and in order",
    function move(state: Extended) {
      got(state);
    },
    {
      schema: object({ state: oneOf("blocked", "urgent", "normal", "low", "someday") }),
      accepts: [[{ state: "someday" }, ["someday"]]],
      refuses: [[{ state: "done" }, "$.state"]],
    },
  ),
  row(
    "the elements of a constant list",
    function order(size: (typeof sizes)[number]) {
      got(size);
    },
    {
      schema: object({ size: oneOf("small", "medium", "large") }),
      accepts: [[{ size: "medium" }, ["medium"]]],
      refuses: [[{ size: "huge" }, "$.size"]],
    },
  ),
  row(
    "the keys of a constant",
    function status(name: keyof typeof codes) {
      got(name);
    },
    {
      schema: object({ name: oneOf("ok", "missing", "broken") }),
      accepts: [[{ name: "missing" }, ["missing"]]],
      refuses: [[{ name: "late" }, "$.name"]],
    },
  ),
  row(
    "the values of a constant",
    function respond(code: (typeof codes)[keyof typeof codes]) {
      got(code);
    },
    {
      schema: object({ code: oneOf(200, 404, 500) }),
      accepts: [[{ code: 404 }, [404]]],
      refuses: [[{ code: 201 }, "$.code"]],
    },
  ),
  row(
    "twenty-seven members",
    function visit(country: Country) {
      got(country);
    },
    {
      schema: object({ country: oneOf(...countries) }),
      accepts: [[{ country: "se" }, ["se"]]],
      mends: [[{ country: "SE" }, ["se"]]],
      refuses: [[{ country: "ch" }, "$.country"]],
    },
  ),
  row(
    "a hundred members",
    function seat(code: `${Digit}${Digit}`) {
      got(code);
    },
    {
      schema: object({ code: oneOf(...hundred) }),
      accepts: [
        [{ code: "00" }, ["00"]],
        [{ code: "99" }, ["99"]],
      ],
      refuses: [[{ code: "100" }, "$.code"]],
    },
  ),
]);
