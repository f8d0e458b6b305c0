import { got, row, theme, type Theme } from "../row.ts";
import { described, number, object, oneOf, string } from "../schemas.ts";

export const google: Theme = theme("Google style", [
  row(
    "Args",
    /**
     * Gets the weather.
     *
     * Args:
     *   city: City name.
     *   days: How many days.
     */
    function weather(city: string, days: number) {
      got(city, days);
    },
    {
      description: "Gets the weather.",
      schema: object({ city: described("City name.", string), days: described("How many days.", number) }),
      accepts: [[{ city: "a", days: 1 }, ["a", 1]]],
      refuses: [[{}, "$.city"]],
    },
  ),
  row(
    "with types in parentheses",
    /**
     * Books.
     *
     * Args:
     *     seats (int): How many come.
     *     name (str, optional): Who comes.
     */
    function book(seats: number, name?: string) {
      got(seats, name);
    },
    {
      description: "Books.",
      schema: object({ seats: described("How many come.", number), name: described("Who comes.", string) }, [
        "name",
      ]),
      accepts: [[{ seats: 1 }, [1, undefined]]],
      refuses: [[{}, "$.seats"]],
    },
  ),
  row(
    "with Returns and Raises, which stay out",
    /**
     * Adds.
     *
     * Args:
     *   left: One.
     *   right: Another.
     *
     * Returns:
     *   The sum.
     *
     * Raises:
     *   ValueError: Never.
     */
    function add(left: number, right: number) {
      got(left, right);
    },
    {
      description: "Adds.",
      schema: object({ left: described("One.", number), right: described("Another.", number) }),
      accepts: [[{ left: 1, right: 2 }, [1, 2]]],
      refuses: [[{ left: 1 }, "$.right"]],
    },
  ),
  row(
    "with text over several lines",
    /**
     * Sends a letter.
     *
     * It takes a while.
     *
     * Args:
     *   text: What it says,
     *     in full.
     *   to: To whom.
     */
    function send(text: string, to: string) {
      got(text, to);
    },
    {
      description: "Sends a letter.\n\nIt takes a while.",
      schema: object({
        text: described("What it says,\nin full.", string),
        to: described("To whom.", string),
      }),
      accepts: [[{ text: "a", to: "b" }, ["a", "b"]]],
      refuses: [[{ text: "a" }, "$.to"]],
    },
  ),
  row(
    "Arguments and Parameters are the same",
    /**
     * Moves.
     *
     * Arguments:
     *   by: How far.
     */
    function move(by: number) {
      got(by);
    },
    {
      description: "Moves.",
      schema: object({ by: described("How far.", number) }),
      accepts: [[{ by: 1 }, [1]]],
      refuses: [[{}, "$.by"]],
    },
  ),
  row(
    "of a destructured parameter",
    /**
     * Finds rooms.
     *
     * Args:
     *   city: Where.
     *   guests: For how many.
     */
    function rooms({ city, guests = 1 }: { city: string; guests?: number }) {
      got(city, guests);
    },
    {
      description: "Finds rooms.",
      schema: object(
        {
          city: described("Where.", string),
          guests: { ...number, description: "For how many.", default: 1 },
        },
        ["guests"],
      ),
      accepts: [[{ city: "a" }, ["a", 1]]],
      refuses: [[{}, "$.city"]],
    },
  ),
  row(
    "with constraints",
    /**
     * Rates.
     *
     * Args:
     *   stars: From 1 to 5. @minimum 1 @maximum 5
     */
    function rate(stars: number) {
      got(stars);
    },
    {
      description: "Rates.",
      schema: object({ stars: { ...number, description: "From 1 to 5.", minimum: 1, maximum: 5 } }),
      accepts: [[{ stars: 1 }, [1]]],
      refuses: [[{ stars: 0 }, "$.stars"]],
    },
  ),
  row(
    "a sentence that ends in a colon is text",
    /**
     * Notes:
     * this is all one summary, with a time such as 12:30.
     */
    function note(text: string) {
      got(text);
    },
    {
      description: "Notes:\nthis is all one summary, with a time such as 12:30.",
      schema: object({ text: string }),
      accepts: [[{ text: "a" }, ["a"]]],
      refuses: [[{}, "$.text"]],
    },
  ),
]);

export const numpy: Theme = theme("NumPy style", [
  row(
    "Parameters",
    /**
     * Gets the weather.
     *
     * Parameters
     * ----------
     * city : str
     *     City name.
     * days : int
     *     How many days.
     */
    function weather2(city: string, days: number) {
      got(city, days);
    },
    {
      description: "Gets the weather.",
      schema: object({ city: described("City name.", string), days: described("How many days.", number) }),
      accepts: [[{ city: "a", days: 1 }, ["a", 1]]],
      refuses: [[{}, "$.city"]],
    },
  ),
  row(
    "without types",
    /**
     * Books.
     *
     * Parameters
     * ----------
     * seats
     *     How many come.
     */
    function book2(seats: number) {
      got(seats);
    },
    {
      description: "Books.",
      schema: object({ seats: described("How many come.", number) }),
      accepts: [[{ seats: 1 }, [1]]],
      refuses: [[{}, "$.seats"]],
    },
  ),
  row(
    "with Returns and Raises, which stay out",
    /**
     * Adds.
     *
     * Parameters
     * ----------
     * left : float
     *     One.
     * right : float
     *     Another.
     *
     * Returns
     * -------
     * float
     *     The sum.
     *
     * Raises
     * ------
     * ValueError
     *     Never.
     */
    function add2(left: number, right: number) {
      got(left, right);
    },
    {
      description: "Adds.",
      schema: object({ left: described("One.", number), right: described("Another.", number) }),
      accepts: [[{ left: 1, right: 2 }, [1, 2]]],
      refuses: [[{ left: 1 }, "$.right"]],
    },
  ),
  row(
    "optional ones and those with a default",
    /**
     * Lists.
     *
     * Parameters
     * ----------
     * order : {'name', 'size'}, optional
     *     How to sort.
     * limit : int, default 10
     *     How many.
     */
    function list2(order?: "name" | "size", limit = 10) {
      got(order, limit);
    },
    {
      description: "Lists.",
      schema: object(
        {
          order: described("How to sort.", oneOf("name", "size")),
          limit: { ...number, description: "How many.", default: 10 },
        },
        ["order", "limit"],
      ),
      accepts: [[{}, [undefined, 10]]],
      refuses: [[{ order: "age" }, "$.order"]],
    },
  ),
  row(
    "two on one line",
    /**
     * Draws.
     *
     * Parameters
     * ----------
     * x, y : float
     *     Where.
     */
    function draw2(x: number, y: number) {
      got(x, y);
    },
    {
      description: "Draws.",
      schema: object({ x: described("Where.", number), y: described("Where.", number) }),
      accepts: [[{ x: 1, y: 2 }, [1, 2]]],
      refuses: [[{ x: 1 }, "$.y"]],
    },
  ),
  row(
    "with text over several lines",
    /**
     * Sends a letter.
     *
     * It takes a while.
     *
     * Parameters
     * ----------
     * text : str
     *     What it says,
     *     in full.
     */
    function send2(text: string) {
      got(text);
    },
    {
      description: "Sends a letter.\n\nIt takes a while.",
      schema: object({ text: described("What it says,\nin full.", string) }),
      accepts: [[{ text: "a" }, ["a"]]],
      refuses: [[{}, "$.text"]],
    },
  ),
  row(
    "of a destructured parameter",
    /**
     * Finds rooms.
     *
     * Parameters
     * ----------
     * city : str
     *     Where.
     */
    function rooms2({ city }: { city: string }) {
      got(city);
    },
    {
      description: "Finds rooms.",
      schema: object({ city: described("Where.", string) }),
      accepts: [[{ city: "a" }, ["a"]]],
      refuses: [[{}, "$.city"]],
    },
  ),
  row(
    "with constraints",
    /**
     * Rates.
     *
     * Parameters
     * ----------
     * stars : int
     *     From 1 to 5. @minimum 1 @maximum 5
     */
    function rate2(stars: number) {
      got(stars);
    },
    {
      description: "Rates.",
      schema: object({ stars: { ...number, description: "From 1 to 5.", minimum: 1, maximum: 5 } }),
      accepts: [[{ stars: 1 }, [1]]],
      refuses: [[{ stars: 6 }, "$.stars"]],
    },
  ),
]);
