import { got, row, theme, type Theme } from "../row.ts";
import { described, number, object, string } from "../schemas.ts";

export const restructuredText: Theme = theme("ReST style", [
  row(
    ":param name:",
    /**
     * Gets the weather.
     *
     * :param city: City name.
     * :param days: How many days.
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
    ":param type name:",
    /**
     * Books.
     *
     * :param int seats: How many come.
     * :param str name: Who comes.
     */
    function book(seats: number, name: string) {
      got(seats, name);
    },
    {
      description: "Books.",
      schema: object({ seats: described("How many come.", number), name: described("Who comes.", string) }),
      accepts: [[{ seats: 1, name: "a" }, [1, "a"]]],
      refuses: [[{ seats: 1 }, "$.name"]],
    },
  ),
  row(
    ":type:, :returns:, :rtype: and :raises: stay out",
    /**
     * Adds.
     *
     * :param left: One.
     * :type left: float
     * :param right: Another.
     * :type right: float
     * :returns: The sum.
     * :rtype: float
     * :raises ValueError: Never.
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
     * :param text: What it says,
     *     in full.
     * :param to: To whom.
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
    ":parameter and :arg are the same",
    /**
     * Moves.
     *
     * :parameter by: How far.
     * :arg at: When.
     */
    function move(by: number, at: string) {
      got(by, at);
    },
    {
      description: "Moves.",
      schema: object({ by: described("How far.", number), at: described("When.", string) }),
      accepts: [[{ by: 1, at: "a" }, [1, "a"]]],
      refuses: [[{ by: 1 }, "$.at"]],
    },
  ),
  row(
    "of a destructured parameter",
    /**
     * Finds rooms.
     *
     * :param city: Where.
     */
    function rooms({ city }: { city: string }) {
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
     * :param stars: From 1 to 5. @minimum 1 @maximum 5
     */
    function rate(stars: number) {
      got(stars);
    },
    {
      description: "Rates.",
      schema: object({ stars: { ...number, description: "From 1 to 5.", minimum: 1, maximum: 5 } }),
      accepts: [[{ stars: 1 }, [1]]],
      refuses: [[{ stars: 6 }, "$.stars"]],
    },
  ),
  row(
    "colons in text are text",
    /**
     * Wakes: at 12:30, or at :the latest:.
     */
    function wake(name: string) {
      got(name);
    },
    {
      description: "Wakes: at 12:30, or at :the latest:.",
      schema: object({ name: string }),
      accepts: [[{ name: "a" }, ["a"]]],
      refuses: [[{}, "$.name"]],
    },
  ),
]);

export const epydoc: Theme = theme("Epydoc style", [
  row(
    "@param name:",
    /**
     * Gets the weather.
     *
     * @param city: City name.
     * @param days: How many days.
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
    "@type stays out",
    /**
     * Books.
     *
     * @type seats: int
     * @param seats: How many come.
     * @type name: str
     * @param name: Who comes.
     */
    function book2(seats: number, name: string) {
      got(seats, name);
    },
    {
      description: "Books.",
      schema: object({ seats: described("How many come.", number), name: described("Who comes.", string) }),
      accepts: [[{ seats: 1, name: "a" }, [1, "a"]]],
      refuses: [[{ seats: 1 }, "$.name"]],
    },
  ),
  row(
    "@return, @rtype and @raise stay out",
    /**
     * Adds.
     *
     * @param left: One.
     * @param right: Another.
     * @return: The sum.
     * @rtype: float
     * @raise ValueError: Never.
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
    "with text over several lines",
    /**
     * Sends a letter.
     *
     * @param text: What it says,
     *     in full.
     * @param to: To whom.
     */
    function send2(text: string, to: string) {
      got(text, to);
    },
    {
      description: "Sends a letter.",
      schema: object({
        text: described("What it says,\n    in full.", string),
        to: described("To whom.", string),
      }),
      accepts: [[{ text: "a", to: "b" }, ["a", "b"]]],
      refuses: [[{ text: "a" }, "$.to"]],
    },
  ),
  row(
    "a space before the colon",
    /**
     * Moves.
     *
     * @param by : How far.
     */
    function move2(by: number) {
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
     * @param city: Where.
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
     * @param stars: From 1 to 5. @minimum 1 @maximum 5
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
  row(
    "fields that speak of no parameter stay out",
    /**
     * Plans.
     *
     * @param day: When.
     * @note: Days are days of the week.
     */
    function plan2(day: string) {
      got(day);
    },
    {
      description: "Plans.",
      schema: object({ day: described("When.", string) }),
      accepts: [[{ day: "a" }, ["a"]]],
      refuses: [[{}, "$.day"]],
    },
  ),
]);
