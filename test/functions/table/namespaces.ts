import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  described,
  list,
  number,
  object,
  oneOf,
  only,
  ref,
  string,
  withDefinitions,
} from "../schemas.ts";

declare namespace Geo {
  /** A place. */
  interface Point {
    x: number;
    y: number;
  }
  type Unit = "km" | "mi";
  namespace Shapes {
    interface Circle {
      center: Point;
      radius: number;
      unit?: Unit;
    }
    type Any = Circle | { box: Point[] };
  }
  interface Tree {
    at: Point;
    parts: Tree[];
  }
  interface Of<Value> {
    value: Value;
  }
}

declare namespace Geo {
  interface Point3 extends Point {
    z: number;
  }
}

declare namespace Outer.Inner.Deepest {
  type Word = "z" | "a";
}

declare global {
  namespace TableGlobals {
    interface Marker {
      label: string;
    }
  }
}

const point = described("A place.", object({ x: number, y: number }));
const circle = object({ center: point, radius: number, unit: oneOf("km", "mi") }, ["unit"]);

export const namespaces: Theme = theme("namespaces", [
  row(
    "an interface",
    function go(to: Geo.Point) {
      got(to);
    },
    {
      schema: object({ to: point }),
      accepts: [[{ to: { x: 1, y: 2 } }, [{ x: 1, y: 2 }]]],
      refuses: [[{ to: { x: 1 } }, "$.to.y"]],
    },
  ),
  row(
    "an alias, in declared order",
    function measure(unit: Geo.Unit) {
      got(unit);
    },
    {
      schema: object({ unit: oneOf("km", "mi") }),
      accepts: [[{ unit: "mi" }, ["mi"]]],
      refuses: [[{ unit: "m" }, "$.unit"]],
    },
  ),
  row(
    "one within another",
    function draw(shape: Geo.Shapes.Circle) {
      got(shape);
    },
    {
      schema: object({ shape: circle }),
      accepts: [[{ shape: { center: { x: 1, y: 2 }, radius: 3 } }, [{ center: { x: 1, y: 2 }, radius: 3 }]]],
      refuses: [[{ shape: { center: {}, radius: 3 } }, "$.shape.center.x"]],
    },
  ),
  row(
    "a union of what stands in them",
    function any1(shape: Geo.Shapes.Any) {
      got(shape);
    },
    {
      schema: object({ shape: anyOf(circle, object({ box: list(point) })) }),
      accepts: [[{ shape: { box: [] } }, [{ box: [] }]]],
      refuses: [[{ shape: { box: [{}] } }, "$.shape.box[0].x"]],
    },
  ),
  row(
    "a recursive type",
    function plant(tree: Geo.Tree) {
      got(tree);
    },
    {
      schema: withDefinitions(object({ tree: ref("Tree") }), {
        Tree: object({ at: point, parts: list(ref("Tree")) }),
      }),
      accepts: [[{ tree: { at: { x: 1, y: 2 }, parts: [] } }, [{ at: { x: 1, y: 2 }, parts: [] }]]],
      refuses: [[{ tree: { at: { x: 1, y: 2 }, parts: [{}] } }, "$.tree.parts[0].at"]],
    },
  ),
  row(
    "a generic type",
    function box(of: Geo.Of<"a">) {
      got(of);
    },
    {
      schema: object({ of: object({ value: only("a") }) }),
      accepts: [[{ of: { value: "a" } }, [{ value: "a" }]]],
      refuses: [[{ of: {} }, "$.of.value"]],
    },
  ),
  row(
    "declared in two parts",
    function fly(to: Geo.Point3) {
      got(to);
    },
    {
      schema: object({ to: object({ z: number, x: number, y: number }) }),
      accepts: [[{ to: { x: 1, y: 2, z: 3 } }, [{ x: 1, y: 2, z: 3 }]]],
      refuses: [[{ to: { x: 1, y: 2 } }, "$.to.z"]],
    },
  ),
  row(
    "with dots in its name",
    function say(word: Outer.Inner.Deepest.Word) {
      got(word);
    },
    {
      schema: object({ word: oneOf("z", "a") }),
      accepts: [[{ word: "z" }, ["z"]]],
      refuses: [[{ word: "b" }, "$.word"]],
    },
  ),
  row(
    "global ones",
    function mark(of: TableGlobals.Marker) {
      got(of);
    },
    {
      schema: object({ of: object({ label: string }) }),
      accepts: [[{ of: { label: "a" } }, [{ label: "a" }]]],
      refuses: [[{ of: {} }, "$.of.label"]],
    },
  ),
]);
