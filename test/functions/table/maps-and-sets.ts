import { got, row, theme, type Theme } from "../row.ts";
import { date, list, number, object, oneOf, pairs, record, setOf, string } from "../schemas.ts";

const noon = "2026-01-31T12:00:00.000Z";

export const maps: Theme = theme("maps", [
  row(
    "from texts, as an object",
    function price(of: Map<string, number>) {
      got(of);
    },
    {
      schema: object({ of: record(number) }),
      accepts: [
        [
          { of: { a: 1, b: 2 } },
          [
            new Map([
              ["a", 1],
              ["b", 2],
            ]),
          ],
        ],
        [{ of: {} }, [new Map()]],
      ],
      refuses: [
        [{ of: { a: "one" } }, "$.of.a"],
        [{ of: [["a", 1]] }, "$.of"],
      ],
    },
  ),
  row(
    "from numbers, as pairs",
    function seats(names: Map<number, string>) {
      got(names);
    },
    {
      schema: object({ names: pairs(number, string) }),
      accepts: [
        [
          {
            names: [
              [1, "a"],
              [2, "b"],
            ],
          },
          [
            new Map([
              [1, "a"],
              [2, "b"],
            ]),
          ],
        ],
      ],
      refuses: [
        [{ names: [[1]] }, "$.names[0]"],
        [{ names: [["one", "a"]] }, "$.names[0][0]"],
      ],
    },
  ),
  row(
    "from literals, as an object with these keys",
    function rate(of: Map<"good" | "bad", number>) {
      got(of);
    },
    {
      schema: object({ of: { ...record(number), propertyNames: oneOf("good", "bad") } }),
      accepts: [[{ of: { good: 1 } }, [new Map([["good", 1]])]]],
      refuses: [[{ of: { fair: 1 } }, "$.of.fair"]],
    },
  ),
  row(
    "of objects",
    function people(byId: Map<string, { name: string }>) {
      got(byId);
    },
    {
      schema: object({ byId: record(object({ name: string })) }),
      accepts: [[{ byId: { a: { name: "b" } } }, [new Map([["a", { name: "b" }]])]]],
      refuses: [[{ byId: { a: {} } }, "$.byId.a.name"]],
    },
  ),
  row(
    "of dates",
    function due(dates: Map<string, Date>) {
      got(dates);
    },
    {
      schema: object({ dates: record(date) }),
      accepts: [[{ dates: { a: noon } }, [new Map([["a", new Date(noon)]])]]],
      refuses: [[{ dates: { a: "noon" } }, "$.dates.a"]],
    },
  ),
  row(
    "from objects, as pairs",
    function board(pieces: Map<{ x: number; y: number }, string>) {
      got(pieces);
    },
    {
      schema: object({ pieces: pairs(object({ x: number, y: number }), string) }),
      accepts: [[{ pieces: [[{ x: 1, y: 2 }, "a"]] }, [new Map([[{ x: 1, y: 2 }, "a"]])]]],
      refuses: [[{ pieces: [[{ x: 1 }, "a"]] }, "$.pieces[0][0].y"]],
    },
  ),
  row(
    "that are readonly",
    function lookup(words: ReadonlyMap<string, string>) {
      got(words);
    },
    {
      schema: object({ words: record(string) }),
      accepts: [[{ words: { a: "b" } }, [new Map([["a", "b"]])]]],
      refuses: [[{ words: { a: {} } }, "$.words.a"]],
    },
  ),
  row(
    "of maps, and of sets",
    function graph(edges: Map<string, Map<string, number>>, tags: Map<string, Set<string>>) {
      got(edges, tags);
    },
    {
      schema: object({ edges: record(record(number)), tags: record(setOf(string)) }),
      accepts: [
        [
          { edges: { a: { b: 1 } }, tags: { a: ["x"] } },
          [new Map([["a", new Map([["b", 1]])]]), new Map([["a", new Set(["x"])]])],
        ],
      ],
      refuses: [[{ edges: { a: { b: {} } }, tags: {} }, "$.edges.a.b"]],
    },
  ),
  row(
    "a result",
    function count(words: string[]): Map<string, number> {
      got(words);
      return new Map(words.map((word) => [word, word.length]));
    },
    {
      schema: object({ words: list(string) }),
      output: record(number),
      accepts: [[{ words: ["a", "bc"] }, [["a", "bc"]], { a: 1, bc: 2 }]],
      refuses: [[{}, "$.words"]],
    },
  ),
]);

export const sets: Theme = theme("sets", [
  row(
    "of texts",
    function tag(words: Set<string>) {
      got(words);
    },
    {
      schema: object({ words: setOf(string) }),
      accepts: [
        [{ words: ["a", "b"] }, [new Set(["a", "b"])]],
        [{ words: [] }, [new Set()]],
      ],
      mends: [[{ words: "a" }, [new Set(["a"])]]],
      refuses: [
        [{ words: ["a", "a"] }, "$.words"],
        [{ words: {} }, "$.words"],
      ],
    },
  ),
  row(
    "of numbers",
    function draw(numbers: Set<number>) {
      got(numbers);
    },
    {
      schema: object({ numbers: setOf(number) }),
      accepts: [[{ numbers: [1, 2] }, [new Set([1, 2])]]],
      refuses: [[{ numbers: ["one"] }, "$.numbers[0]"]],
    },
  ),
  row(
    "of literals, in declared order",
    function days(on: Set<"mon" | "tue" | "sun">) {
      got(on);
    },
    {
      schema: object({ on: setOf(oneOf("mon", "tue", "sun")) }),
      accepts: [[{ on: ["sun", "mon"] }, [new Set(["sun", "mon"])]]],
      refuses: [[{ on: ["fri"] }, "$.on[0]"]],
    },
  ),
  row(
    "of objects",
    function points(at: Set<{ x: number }>) {
      got(at);
    },
    {
      schema: object({ at: setOf(object({ x: number })) }),
      accepts: [[{ at: [{ x: 1 }] }, [new Set([{ x: 1 }])]]],
      refuses: [[{ at: [{ x: 1 }, { x: 1 }] }, "$.at"]],
    },
  ),
  row(
    "that are readonly",
    function ids(of: ReadonlySet<string>) {
      got(of);
    },
    {
      schema: object({ of: setOf(string) }),
      accepts: [[{ of: ["a"] }, [new Set(["a"])]]],
      refuses: [[{ of: [{}] }, "$.of[0]"]],
    },
  ),
  row(
    "that may be left out",
    function skip(files?: Set<string>) {
      got(files);
    },
    {
      schema: object({ files: setOf(string) }, ["files"]),
      accepts: [
        [{}, [undefined]],
        [{ files: ["a"] }, [new Set(["a"])]],
      ],
      refuses: [[{ files: [[]] }, "$.files[0]"]],
    },
  ),
  row(
    "of dates, in an object",
    function closed(on: { days: Set<Date> }) {
      got(on);
    },
    {
      schema: object({ on: object({ days: setOf(date) }) }),
      accepts: [[{ on: { days: [noon] } }, [{ days: new Set([new Date(noon)]) }]]],
      refuses: [[{ on: { days: ["noon"] } }, "$.on.days[0]"]],
    },
  ),
  row(
    "a result",
    function unique(words: string[]): Set<string> {
      got(words);
      return new Set(words);
    },
    {
      schema: object({ words: list(string) }),
      output: setOf(string),
      accepts: [[{ words: ["a", "b", "a"] }, [["a", "b", "a"]], ["a", "b"]]],
      refuses: [[{}, "$.words"]],
    },
  ),
]);
