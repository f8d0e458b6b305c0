import { got, row, theme, type Theme } from "../row.ts";
import { described, list, number, object, oneOf, orNull, string } from "../schemas.ts";

export const constraintsOnParameters: Theme = theme("constraints on parameters", [
  row(
    "@minimum and @maximum",
    /** @param age - Age in years @minimum 0 @maximum 150 */ function born(age: number) {
      got(age);
    },
    {
      schema: object({ age: { ...number, description: "Age in years", minimum: 0, maximum: 150 } }),
      accepts: [
        [{ age: 0 }, [0]],
        [{ age: 150 }, [150]],
      ],
      refuses: [
        [{ age: -1 }, "$.age"],
        [{ age: 151 }, "$.age"],
        [{ age: "old" }, "$.age"],
      ],
    },
  ),
  row(
    "@exclusiveMinimum and @exclusiveMaximum",
    /** @param share - @exclusiveMinimum 0 @exclusiveMaximum 1 */ function split(share: number) {
      got(share);
    },
    {
      schema: object({ share: { ...number, exclusiveMinimum: 0, exclusiveMaximum: 1 } }),
      accepts: [[{ share: 0.5 }, [0.5]]],
      refuses: [
        [{ share: 0 }, "$.share"],
        [{ share: 1 }, "$.share"],
      ],
    },
  ),
  row(
    "@multipleOf",
    /** @param price In euros @multipleOf 0.05 */ function charge(price: number) {
      got(price);
    },
    {
      schema: object({ price: { ...number, description: "In euros", multipleOf: 0.05 } }),
      accepts: [[{ price: 1.15 }, [1.15]]],
      refuses: [[{ price: 1.17 }, "$.price"]],
    },
  ),
  row(
    "@integer",
    /** @param count - How many @integer @minimum 1 */ function take(count: number) {
      got(count);
    },
    {
      schema: object({ count: { type: "integer", description: "How many", minimum: 1 } }),
      accepts: [[{ count: 1 }, [1]]],
      mends: [[{ count: "3" }, [3]]],
      refuses: [
        [{ count: 1.5 }, "$.count"],
        [{ count: 0 }, "$.count"],
      ],
    },
  ),
  row(
    "@minLength and @maxLength",
    /** @param name - A name @minLength 2 @maxLength 4 */ function call(name: string) {
      got(name);
    },
    {
      schema: object({ name: { ...string, description: "A name", minLength: 2, maxLength: 4 } }),
      accepts: [
        [{ name: "ab" }, ["ab"]],
        [{ name: "🪿🪿🪿🪿" }, ["🪿🪿🪿🪿"]],
      ],
      refuses: [
        [{ name: "a" }, "$.name"],
        [{ name: "abcde" }, "$.name"],
      ],
    },
  ),
  row(
    "@pattern, with and without backticks",
    /** @param iso - @pattern ^[A-Z]{2}$ @param code - @pattern `^\d{3}$` */ function country(
      iso: string,
      code: string,
    ) {
      got(iso, code);
    },
    {
      schema: object({ iso: { ...string, pattern: "^[A-Z]{2}$" }, code: { ...string, pattern: "^\\d{3}$" } }),
      accepts: [[{ iso: "AT", code: "040" }, ["AT", "040"]]],
      refuses: [
        [{ iso: "at", code: "040" }, "$.iso"],
        [{ iso: "AT", code: "40" }, "$.code"],
      ],
    },
  ),
  row(
    "@format, without the words after it",
    /** @param to - @format email of the guest @param day - @format date */ function write(
      to: string,
      day: string,
    ) {
      got(to, day);
    },
    {
      schema: object({ to: { ...string, format: "email" }, day: { ...string, format: "date" } }),
      accepts: [[{ to: "a@example.com", day: "2026-01-31" }, ["a@example.com", "2026-01-31"]]],
      refuses: [
        [{ to: "a", day: "2026-01-31" }, "$.to"],
        [{ to: "a@example.com", day: "31.1.2026" }, "$.day"],
      ],
    },
  ),
  row(
    "@minItems, @maxItems and @uniqueItems",
    /** @param words - Some @minItems 1 @maxItems 2 @uniqueItems */ function tag(words: string[]) {
      got(words);
    },
    {
      schema: object({
        words: { ...described("Some", list(string)), minItems: 1, maxItems: 2, uniqueItems: true },
      }),
      accepts: [[{ words: ["a", "b"] }, [["a", "b"]]]],
      refuses: [
        [{ words: [] }, "$.words"],
        [{ words: ["a", "b", "c"] }, "$.words"],
        [{ words: ["a", "a"] }, "$.words"],
      ],
    },
  ),
  row(
    "@default, where the code gives none",
    /** @param unit - @default celsius @param days - @default 3 */ function weather(
      unit?: "celsius" | "kelvin",
      days?: number,
    ) {
      got(unit, days);
    },
    {
      schema: object(
        { unit: { ...oneOf("celsius", "kelvin"), default: "celsius" }, days: { ...number, default: 3 } },
        ["unit", "days"],
      ),
      accepts: [[{ unit: "kelvin", days: 1 }, ["kelvin", 1]]],
      refuses: [[{ unit: "rankine" }, "$.unit"]],
    },
  ),
  row(
    "@example, once and again",
    /** @param city - @example Paris @example "New York" @param size - @example 3 */ function visit(
      city: string,
      size: number,
    ) {
      got(city, size);
    },
    {
      schema: object({
        city: { ...string, examples: ["Paris", "New York"] },
        size: { ...number, examples: [3] },
      }),
      accepts: [[{ city: "Oslo", size: 1 }, ["Oslo", 1]]],
      refuses: [[{ city: "Oslo" }, "$.size"]],
    },
  ),
  row(
    "@deprecated on a parameter",
    /** @param a - New @param b - Old @deprecated */ function both(a: string, b?: string) {
      got(a, b);
    },
    {
      schema: object(
        { a: described("New", string), b: { ...string, description: "Old", deprecated: true } },
        ["b"],
      ),
      accepts: [[{ a: "x" }, ["x", undefined]]],
      refuses: [[{ b: "x" }, "$.a"]],
    },
  ),
  row(
    "on the lines after @param",
    /**
     * Books.
     * @param seats - How many
     * @minimum 1
     * @maximum 9
     * @param name - For whom
     * @minLength 1
     */
    function book(seats: number, name: string) {
      got(seats, name);
    },
    {
      description: "Books.",
      schema: object({
        seats: { ...number, description: "How many", minimum: 1, maximum: 9 },
        name: { ...string, description: "For whom", minLength: 1 },
      }),
      accepts: [[{ seats: 1, name: "a" }, [1, "a"]]],
      refuses: [
        [{ seats: 10, name: "a" }, "$.seats"],
        [{ seats: 1, name: "" }, "$.name"],
      ],
    },
  ),
  row(
    "in a comment within the parameter list",
    function rate(
      /** From 1 to 5. @minimum 1 @maximum 5 */ stars: number,
      /** @maxLength 3 */ note?: string,
    ) {
      got(stars, note);
    },
    {
      schema: object(
        {
          stars: { ...number, description: "From 1 to 5.", minimum: 1, maximum: 5 },
          note: { ...string, maxLength: 3 },
        },
        ["note"],
      ),
      accepts: [[{ stars: 5 }, [5, undefined]]],
      refuses: [
        [{ stars: 6 }, "$.stars"],
        [{ stars: 5, note: "long" }, "$.note"],
      ],
    },
  ),
  row(
    "one that does not suit the type is left out, with a warning",
    /** @param size - @minLength 3 @minimum much */ function wrong(size: number) {
      got(size);
    },
    {
      schema: object({ size: number }),
      accepts: [[{ size: 1 }, [1]]],
      refuses: [[{ size: {} }, "$.size"]],
      warns: [/minLength/, /minimum/],
    },
  ),
  row(
    "a pattern that is none is left out, with a warning",
    /** @param word - @pattern ( */ function broken(word: string) {
      got(word);
    },
    {
      schema: object({ word: string }),
      accepts: [[{ word: "a" }, ["a"]]],
      refuses: [[{}, "$.word"]],
      warns: [/pattern/],
    },
  ),
  row(
    "on a parameter that may be null",
    /** @param size - @minimum 1 */ function resize(size: number | null) {
      got(size);
    },
    {
      schema: object({ size: { ...orNull(number), minimum: 1 } }),
      accepts: [
        [{ size: null }, [null]],
        [{ size: 1 }, [1]],
      ],
      refuses: [[{ size: 0 }, "$.size"]],
    },
  ),
]);
