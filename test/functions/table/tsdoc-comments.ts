import { got, row, theme, type Theme } from "../row.ts";
import { described, number, object, string } from "../schemas.ts";

interface Named {
  /** What {@link Named | somebody} is called. */
  name: string;
}

export const tsdoc: Theme = theme("TSDoc and JSDoc comments", [
  row(
    "a summary and parameters",
    /**
     * Gets the weather of a city.
     *
     * Ask for the city first.
     * @param city - City name, such as "Paris"
     * @param days - How many days
     * @returns The weather
     */
    function getWeather(city: string, days: number) {
      got(city, days);
    },
    {
      description: "Gets the weather of a city.\n\nAsk for the city first.",
      schema: object({
        city: described('City name, such as "Paris"', string),
        days: described("How many days", number),
      }),
      accepts: [[{ city: "a", days: 1 }, ["a", 1]]],
      refuses: [[{}, "$.city"]],
    },
  ),
  row(
    "on one line",
    /** Says hello. @param name - To whom */ function sayHello(name: string) {
      got(name);
    },
    {
      description: "Says hello.",
      schema: object({ name: described("To whom", string) }),
      accepts: [[{ name: "a" }, ["a"]]],
      refuses: [[{}, "$.name"]],
    },
  ),
  row(
    "with types in braces, names in brackets and no dashes",
    /**
     * Orders.
     * @param {string} item what to order
     * @param {number} [count=1] how many
     */
    function order(item: string, count = 1) {
      got(item, count);
    },
    {
      description: "Orders.",
      schema: object(
        {
          item: described("what to order", string),
          count: { ...number, description: "how many", default: 1 },
        },
        ["count"],
      ),
      accepts: [[{ item: "a" }, ["a", 1]]],
      refuses: [[{ count: 1 }, "$.item"]],
    },
  ),
  row(
    "over several lines",
    /**
     * Sends
     * a letter.
     *
     * @param text - What it says,
     *   in full.
     * @param to - To whom
     */
    function send(text: string, to: string) {
      got(text, to);
    },
    {
      description: "Sends\na letter.",
      schema: object({
        text: described("What it says,\n  in full.", string),
        to: described("To whom", string),
      }),
      accepts: [[{ text: "a", to: "b" }, ["a", "b"]]],
      refuses: [[{ text: "a" }, "$.to"]],
    },
  ),
  row(
    "links by their labels",
    /** Calls {@link Named}, see {@link https://example.com | the page}. @param who - A {@linkcode Named} */ function call(
      who: Named,
    ) {
      got(who);
    },
    {
      description: "Calls Named, see the page.",
      schema: object({
        who: described("A Named", object({ name: described("What somebody is called.", string) })),
      }),
      accepts: [[{ who: { name: "a" } }, [{ name: "a" }]]],
      refuses: [[{ who: {} }, "$.who.name"]],
    },
  ),
  row(
    "code holds no tags",
    /**
     * Writes `@minimum` and mails to me@example.com:
     * ```ts
     * @param size - no parameter
     * ```
     */
    function write(size: number) {
      got(size);
    },
    {
      description: "Writes `@minimum` and mails to me@example.com:\n```ts\n@param size - no parameter\n```",
      schema: object({ size: number }),
      accepts: [[{ size: 1 }, [1]]],
      refuses: [[{}, "$.size"]],
    },
  ),
  row(
    "@description in the place of a summary",
    /** @description Counts. @param to - How far */ function count(to: number) {
      got(to);
    },
    {
      description: "Counts.",
      schema: object({ to: described("How far", number) }),
      accepts: [[{ to: 1 }, [1]]],
      refuses: [[{}, "$.to"]],
    },
  ),
  row(
    "@remarks, @example, @throws and their like stay out",
    /**
     * Parses.
     * @remarks Slow.
     * @param text - What to parse
     * @throws If it cannot.
     * @example parse("1")
     */
    function parse(text: string) {
      got(text);
    },
    {
      description: "Parses.",
      schema: object({ text: described("What to parse", string) }),
      accepts: [[{ text: "a" }, ["a"]]],
      refuses: [[{}, "$.text"]],
    },
  ),
  row(
    "a comment that is no doc comment says nothing",
    /* Not for models. */ function quiet(word: string /* nor this */) {
      got(word);
    },
    {
      schema: object({ word: string }),
      accepts: [[{ word: "a" }, ["a"]]],
      refuses: [[{}, "$.word"]],
    },
  ),
]);
