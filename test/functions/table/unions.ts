import { got, row, theme, type Theme } from "../row.ts";
import { anyOf, boolean, list, number, object, oneOf, only, orNull, string } from "../schemas.ts";

type Level = "trace" | "debug" | "info" | "error";

declare function log(level: Level, least?: Level | null): void;

export const unions: Theme = theme("unions", [
  row(
    "a primitive or null",
    function rename(name: string | null, size: number | null) {
      got(name, size);
    },
    {
      schema: object({ name: orNull(string), size: orNull(number) }),
      accepts: [
        [{ name: null, size: null }, [null, null]],
        [{ name: "a", size: 1 }, ["a", 1]],
      ],
      refuses: [[{ name: "a" }, "$.size"]],
    },
  ),
  row(
    "a boolean or null",
    function tick(done: boolean | null) {
      got(done);
    },
    {
      schema: object({ done: orNull(boolean) }),
      accepts: [
        [{ done: null }, [null]],
        [{ done: false }, [false]],
      ],
      refuses: [[{ done: "maybe" }, "$.done"]],
    },
  ),
  row(
    "a string or a number",
    function find(key: string | number) {
      got(key);
    },
    {
      schema: object({ key: { type: ["string", "number"] } }),
      accepts: [
        [{ key: "7" }, ["7"]],
        [{ key: 7 }, [7]],
      ],
      refuses: [
        [{ key: [] }, "$.key"],
        [{ key: null }, "$.key"],
      ],
    },
  ),
  row(
    "a word or any number",
    function zoom(factor: "fit" | number) {
      got(factor);
    },
    {
      schema: object({ factor: anyOf(only("fit"), number) }),
      accepts: [
        [{ factor: "fit" }, ["fit"]],
        [{ factor: 1.5 }, [1.5]],
      ],
      refuses: [
        [{ factor: "full" }, "$.factor"],
        [{ factor: true }, "$.factor"],
      ],
    },
  ),
  row(
    "one or a list of them",
    function tag(labels: string | string[]) {
      got(labels);
    },
    {
      schema: object({ labels: anyOf(string, list(string)) }),
      accepts: [
        [{ labels: "a" }, ["a"]],
        [{ labels: ["a", "b"] }, [["a", "b"]]],
      ],
      refuses: [
        [{ labels: {} }, "$.labels"],
        [{ labels: [null] }, "$.labels[0]"],
      ],
    },
  ),
  row(
    "an open list of words takes any text",
    function font(family: "serif" | "mono" | (string & {})) {
      got(family);
    },
    {
      schema: object({ family: anyOf(oneOf("serif", "mono"), string) }),
      accepts: [
        [{ family: "mono" }, ["mono"]],
        [{ family: "Futura" }, ["Futura"]],
      ],
      refuses: [[{ family: null }, "$.family"]],
    },
  ),
  row(
    "a word or an object",
    function scope(within: "all" | { folder: string }) {
      got(within);
    },
    {
      schema: object({ within: anyOf(only("all"), object({ folder: string })) }),
      accepts: [
        [{ within: "all" }, ["all"]],
        [{ within: { folder: "a" } }, [{ folder: "a" }]],
      ],
      refuses: [
        [{ within: {} }, "$.within.folder"],
        [{ within: "some" }, "$.within"],
      ],
    },
  ),
  row(
    "an object or null",
    function attach(file: { path: string } | null) {
      got(file);
    },
    {
      schema: object({ file: orNull(object({ path: string })) }),
      accepts: [
        [{ file: null }, [null]],
        [{ file: { path: "a" } }, [{ path: "a" }]],
      ],
      refuses: [[{ file: { path: 1, size: 2 } }, "$.file.path"]],
    },
  ),
  row(
    "undefined in a union makes a parameter optional",
    function limit(count: number | undefined) {
      got(count);
    },
    {
      schema: object({ count: number }, ["count"]),
      accepts: [
        [{}, [undefined]],
        [{ count: 1 }, [1]],
      ],
      mends: [[{ count: null }, [undefined]]],
      refuses: [[{ count: [] }, "$.count"]],
    },
  ),
  row(
    "a literal that a wider member takes in",
    // oxlint-disable-next-line typescript/no-redundant-type-constituents -- what the row is about
    function port(value: 80 | 443 | number) {
      got(value);
    },
    {
      schema: object({ value: number }),
      accepts: [
        [{ value: 80 }, [80]],
        [{ value: 8080 }, [8080]],
      ],
      refuses: [[{ value: "http" }, "$.value"]],
    },
  ),
  row(
    "of another function's parameters, in their order",
    function write(level: Parameters<typeof log>[0], ...more: Parameters<typeof log>) {
      got(level, ...more);
    },
    {
      schema: object({
        level: oneOf("trace", "debug", "info", "error"),
        more: {
          type: "array",
          prefixItems: [
            oneOf("trace", "debug", "info", "error"),
            { type: ["string", "null"], enum: ["trace", "debug", "info", "error", null] },
          ],
          items: false,
          minItems: 1,
          maxItems: 2,
        },
      }),
      accepts: [[{ level: "info", more: ["trace", null] }, ["info", "trace", null]]],
      refuses: [[{ level: "loud", more: ["trace"] }, "$.level"]],
    },
  ),
]);
