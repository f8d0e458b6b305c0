import { got, row, theme, type Theme } from "../row.ts";
import { described, list, number, object, oneOf, string } from "../schemas.ts";

/** A place on the map. */
class Place {
  /** Degrees north. @minimum -90 @maximum 90 */
  latitude = 0;
  /** Degrees east. */
  longitude = 0;
  label?: string;
  static readonly origin: string = "Greenwich";
}

class Stop extends Place {
  readonly line: "U1" | "U2" = "U1";
}

class Cell<Value> {
  declare value: Value;
  declare row: number;
}

abstract class Shape {
  abstract color: string;
}

class Order {
  declare readonly id: string;
  declare places: Place[];
}

const place = described(
  "A place on the map.",
  object(
    {
      latitude: { ...number, description: "Degrees north.", minimum: -90, maximum: 90 },
      longitude: described("Degrees east.", number),
      label: string,
    },
    ["label"],
  ),
);

export const classes: Theme = theme("classes of plain data", [
  row(
    "are what their fields are",
    function go(to: Place) {
      got(to);
    },
    {
      schema: object({ to: place }),
      accepts: [[{ to: { latitude: 1, longitude: 2 } }, [{ latitude: 1, longitude: 2 }]]],
      refuses: [
        [{ to: { latitude: 91, longitude: 2 } }, "$.to.latitude"],
        [{ to: { latitude: 1 } }, "$.to.longitude"],
      ],
    },
  ),
  row(
    "with inherited fields",
    function wait(at: Stop) {
      got(at);
    },
    {
      schema: object({
        at: object({ line: oneOf("U1", "U2"), ...(place["properties"] as Record<string, typeof number>) }, [
          "label",
        ]),
      }),
      accepts: [
        [{ at: { line: "U2", latitude: 1, longitude: 2 } }, [{ line: "U2", latitude: 1, longitude: 2 }]],
      ],
      refuses: [[{ at: { line: "U3", latitude: 1, longitude: 2 } }, "$.at.line"]],
    },
  ),
  row(
    "instances of generic ones",
    function set(cell: Cell<string>) {
      got(cell);
    },
    {
      schema: object({ cell: object({ value: string, row: number }) }),
      accepts: [[{ cell: { value: "a", row: 1 } }, [{ value: "a", row: 1 }]]],
      refuses: [[{ cell: { value: {}, row: 1 } }, "$.cell.value"]],
    },
  ),
  row(
    "abstract ones",
    function fill(shape: Shape) {
      got(shape);
    },
    {
      schema: object({ shape: object({ color: string }) }),
      accepts: [[{ shape: { color: "red" } }, [{ color: "red" }]]],
      refuses: [[{ shape: {} }, "$.shape.color"]],
    },
  ),
  row(
    "one in another",
    function ship(order: Order) {
      got(order);
    },
    {
      schema: object({ order: object({ id: string, places: list(place) }) }),
      accepts: [
        [
          { order: { id: "a", places: [{ latitude: 1, longitude: 2 }] } },
          [{ id: "a", places: [{ latitude: 1, longitude: 2 }] }],
        ],
      ],
      refuses: [[{ order: { id: "a", places: [{}] } }, "$.order.places[0].latitude"]],
    },
  ),
  row(
    "part of one",
    function label(of: Pick<Place, "label">) {
      got(of);
    },
    {
      schema: object({ of: object({ label: string }, ["label"]) }),
      accepts: [[{ of: {} }, [{}]]],
      refuses: [[{ of: { latitude: 1 } }, "$.of.latitude"]],
    },
  ),
  row(
    "a list of them",
    function route(stops: readonly Place[]) {
      got(stops);
    },
    {
      schema: object({ stops: list(place) }),
      accepts: [[{ stops: [] }, [[]]]],
      refuses: [[{ stops: [{ latitude: 1 }] }, "$.stops[0].longitude"]],
    },
  ),
  row(
    "destructured",
    function zoom({ latitude, longitude, label = "here" }: Place) {
      got(latitude, longitude, label);
    },
    {
      schema: object(
        {
          latitude: { ...number, description: "Degrees north.", minimum: -90, maximum: 90 },
          longitude: described("Degrees east.", number),
          label: { ...string, default: "here" },
        },
        ["label"],
      ),
      accepts: [[{ latitude: 1, longitude: 2 }, [1, 2, "here"]]],
      refuses: [[{ latitude: 1 }, "$.longitude"]],
    },
  ),
  row(
    "optional, or a name",
    function find(near?: Place | string) {
      got(near);
    },
    {
      schema: object({ near: { anyOf: [place, string] } }, ["near"]),
      accepts: [
        [{}, [undefined]],
        [{ near: "a" }, ["a"]],
      ],
      refuses: [[{ near: { latitude: 1 } }, "$.near.longitude"]],
    },
  ),
]);
