import { row, theme, type Theme } from "../row.ts";
import { date, described, list, number, object, oneOf, record, returned, string } from "../schemas.ts";
// @ts-expect-error -- the program reads this JavaScript without checking it
import { bookTable, double, findRooms, forecast, invite, pick, planTrip, rank, sumUp } from "./documented.js";

const person = described(
  "A person in the directory.",
  object(
    {
      name: string,
      email: { ...string, description: "Where to write.", format: "email" },
    },
    ["email"],
  ),
);

/** Functions of a JavaScript file, whose types stand in its comments. */
export const javascript: Theme = theme("JavaScript with JSDoc", [
  row("parameters, one with a default", bookTable, {
    description: "Books a table.",
    schema: object(
      {
        name: described("Who comes", string),
        seats: { ...number, description: "How many come", minimum: 1, default: 2 },
      },
      ["seats"],
    ),
    accepts: [[{ name: "Ada" }, ["Ada", 2]]],
    refuses: [
      [{ name: "Ada", seats: 0 }, "$.seats"],
      [{}, "$.name"],
    ],
  }),
  row("@typedef with @property", planTrip, {
    description: "Plans a trip.",
    schema: object({
      trip: described(
        "The trip",
        object(
          {
            from: described("Where it begins.", string),
            to: described("Where it ends.", string),
            by: oneOf("bus", "train"),
          },
          ["to"],
        ),
      ),
    }),
    accepts: [[{ trip: { from: "a", by: "bus" } }, [{ from: "a", by: "bus" }]]],
    refuses: [[{ trip: { from: "a", by: "car" } }, "$.trip.by"]],
  }),
  row("a rest", sumUp, {
    description: "Sums up.",
    schema: object({ terms: described("What to add", list(number)) }, ["terms"]),
    accepts: [[{ terms: [1, 2] }, [[1, 2]]]],
    refuses: [[{ terms: ["one"] }, "$.terms[0]"]],
  }),
  row("@param options.property", findRooms, {
    description: "Finds rooms.",
    schema: object(
      { city: described("Where", string), guests: { ...number, description: "For how many", default: 1 } },
      ["guests"],
    ),
    accepts: [[{ city: "a" }, ["a", 1]]],
    refuses: [[{ guests: 1 }, "$.city"]],
  }),
  row("@template", pick, {
    description: "Picks one.",
    schema: object({ key: { type: ["string", "number"] }, color: oneOf("red", "blue", null) }),
    accepts: [[{ key: 1, color: null }, [1, null]]],
    refuses: [[{ key: 1, color: "pink" }, "$.color"]],
  }),
  row("@type of the whole function", forecast, {
    schema: object({ city: string, days: number }, ["days"]),
    accepts: [[{ city: "a" }, ["a", undefined]]],
    refuses: [[{ city: "a", days: [] }, "$.days"]],
  }),
  row("a type imported from TypeScript", invite, {
    schema: object({ person }),
    accepts: [[{ person: { name: "Ada" } }, [{ name: "Ada" }]]],
    refuses: [[{ person: {} }, "$.person.name"]],
  }),
  row("generic types, two tags on one line", rank, {
    schema: object({ scores: record(list(number)), at: date }),
    accepts: [
      [{ scores: { a: [1] }, at: "2026-01-31T12:00:00Z" }, [{ a: [1] }, new Date("2026-01-31T12:00:00Z")]],
    ],
    refuses: [[{ scores: { a: 1.5 }, at: "now" }, "$.scores.a"]],
  }),
  row("@returns", double, {
    description: "Doubles.",
    schema: object({ value: number }),
    output: returned({ doubled: number }),
    accepts: [[{ value: 2 }, [2], { doubled: 4 }]],
    refuses: [[{}, "$.value"]],
  }),
]);
