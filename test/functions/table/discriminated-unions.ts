import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  boolean,
  described,
  list,
  nothing,
  number,
  object,
  oneOf,
  only,
  record,
  string,
} from "../schemas.ts";

interface Square {
  kind: "square";
  side: number;
}

/** Round. */
interface Circle {
  kind: "circle";
  radius: number;
}

type Shape = Square | Circle;
type Loaded<Value> = { ok: true; value: Value } | { ok: false; error: string };
type Step = { type: 1; at: string } | { type: 2; at: string; until: string };
type Message = { from: string } & ({ text: string } | { image: string });
type Command =
  | { do: "move"; by: number }
  | { do: "turn"; to: "left" | "right" }
  | { do: "stop" }
  | { do: "say"; text: string; loud?: boolean };

const square = object({ kind: only("square"), side: number });
const circle = described("Round.", object({ kind: only("circle"), radius: number }));

export const discriminatedUnions: Theme = theme("unions of objects", [
  row(
    "told apart by a tag",
    function draw(shape: Shape) {
      got(shape);
    },
    {
      schema: object({ shape: anyOf(square, circle) }),
      accepts: [[{ shape: { kind: "circle", radius: 1 } }, [{ kind: "circle", radius: 1 }]]],
      mends: [[{ shape: { kind: "Square", side: "2" } }, [{ kind: "square", side: 2 }]]],
      refuses: [
        [{ shape: { kind: "circle", side: 1 } }, "$.shape.radius"],
        [{ shape: { kind: "line" } }, "$.shape.kind"],
        [{ shape: { side: 1 } }, "$.shape.kind"],
      ],
    },
  ),
  row(
    "told apart by true and false",
    function finish(outcome: Loaded<number>) {
      got(outcome);
    },
    {
      schema: object({
        outcome: anyOf(object({ ok: only(true), value: number }), object({ ok: only(false), error: string })),
      }),
      accepts: [[{ outcome: { ok: false, error: "a" } }, [{ ok: false, error: "a" }]]],
      refuses: [[{ outcome: { ok: true, error: "a" } }, "$.outcome.value"]],
    },
  ),
  row(
    "told apart by a number",
    function next(step: Step) {
      got(step);
    },
    {
      schema: object({
        step: anyOf(
          object({ type: { type: "number", const: 1 }, at: string }),
          object({ type: { type: "number", const: 2 }, at: string, until: string }),
        ),
      }),
      accepts: [[{ step: { type: 1, at: "a" } }, [{ type: 1, at: "a" }]]],
      refuses: [[{ step: { type: 2, at: "a" } }, "$.step.until"]],
    },
  ),
  row(
    "told apart by their properties",
    function find(by: { id: number } | { name: string }) {
      got(by);
    },
    {
      schema: object({ by: anyOf(object({ id: number }), object({ name: string })) }),
      accepts: [
        [{ by: { id: 1 } }, [{ id: 1 }]],
        [{ by: { name: "a" } }, [{ name: "a" }]],
      ],
      refuses: [
        [{ by: { id: 1, name: "a" } }, "$.by.name"],
        [{ by: 1 }, "$.by"],
      ],
    },
  ),
  row(
    "of four members, in declared order",
    function control(robot: Command) {
      got(robot);
    },
    {
      schema: object({
        robot: anyOf(
          object({ do: only("move"), by: number }),
          object({ do: only("turn"), to: oneOf("left", "right") }),
          object({ do: only("stop") }),
          object({ do: only("say"), text: string, loud: boolean }, ["loud"]),
        ),
      }),
      accepts: [
        [{ robot: { do: "stop" } }, [{ do: "stop" }]],
        [{ robot: { do: "say", text: "a" } }, [{ do: "say", text: "a" }]],
      ],
      refuses: [
        [{ robot: { do: "turn", to: "up" } }, "$.robot.to"],
        [{ robot: { do: "jump" } }, "$.robot.do"],
      ],
    },
  ),
  row(
    "in a list",
    function render(shapes: Shape[]) {
      got(shapes);
    },
    {
      schema: object({ shapes: list(anyOf(square, circle)) }),
      accepts: [
        [
          {
            shapes: [
              { kind: "square", side: 1 },
              { kind: "circle", radius: 2 },
            ],
          },
          [
            [
              { kind: "square", side: 1 },
              { kind: "circle", radius: 2 },
            ],
          ],
        ],
      ],
      refuses: [[{ shapes: [{ kind: "square" }] }, "$.shapes[0].side"]],
    },
  ),
  row(
    "in a record",
    function name(shapes: Record<string, Shape>) {
      got(shapes);
    },
    {
      schema: object({ shapes: record(anyOf(square, circle)) }),
      accepts: [[{ shapes: { a: { kind: "square", side: 1 } } }, [{ a: { kind: "square", side: 1 } }]]],
      refuses: [[{ shapes: { a: { kind: "circle" } } }, "$.shapes.a.radius"]],
    },
  ),
  row(
    "or null",
    function clear(shape: Shape | null) {
      got(shape);
    },
    {
      schema: object({ shape: anyOf(square, circle, nothing) }),
      accepts: [[{ shape: null }, [null]]],
      refuses: [[{ shape: { kind: "square" } }, "$.shape.side"]],
    },
  ),
  row(
    "with what all have in common",
    function post(message: Message) {
      got(message);
    },
    {
      schema: object({
        message: anyOf(object({ from: string, text: string }), object({ from: string, image: string })),
      }),
      accepts: [[{ message: { from: "a", image: "b" } }, [{ from: "a", image: "b" }]]],
      refuses: [[{ message: { from: "a" } }, "$.message.text"]],
    },
  ),
  row(
    "one within another",
    function route(to: { by: "post"; parcel: Shape } | { by: "mail"; address: string }) {
      got(to);
    },
    {
      schema: object({
        to: anyOf(
          object({ by: only("post"), parcel: anyOf(square, circle) }),
          object({ by: only("mail"), address: string }),
        ),
      }),
      accepts: [
        [
          { to: { by: "post", parcel: { kind: "square", side: 1 } } },
          [{ by: "post", parcel: { kind: "square", side: 1 } }],
        ],
      ],
      refuses: [[{ to: { by: "post", parcel: { kind: "square" } } }, "$.to.parcel.side"]],
    },
  ),
  row(
    "as a rest",
    function all(...shapes: Shape[]) {
      got(shapes);
    },
    {
      schema: object({ shapes: list(anyOf(square, circle)) }, ["shapes"]),
      accepts: [[{ shapes: [{ kind: "square", side: 1 }] }, [[{ kind: "square", side: 1 }]]]],
      refuses: [[{ shapes: [{}] }, "$.shapes[0].kind"]],
    },
  ),
]);
