import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  bigint,
  bytes,
  date,
  list,
  number,
  object,
  orNull,
  record,
  returned,
  setOf,
  string,
  tuple,
  url,
} from "../schemas.ts";

const noInput = { schema: object({}), refuses: [[{ x: 1 }, "$.x"]] } as const;

interface Cyclic {
  name: string;
  self?: Cyclic;
}

export const serialised: Theme = theme("results that JSON cannot carry", [
  row(
    "a date, a URL, a bigint, bytes",
    function all(): { at: Date; link: URL; big: bigint; data: Uint8Array } {
      got();
      return {
        at: new Date(0),
        link: new URL("https://example.com"),
        big: 2n ** 70n,
        data: new Uint8Array([104, 105]),
      };
    },
    {
      ...noInput,
      output: returned({ at: date, link: url, big: bigint, data: bytes }),
      accepts: [
        [
          {},
          [],
          {
            at: "1970-01-01T00:00:00.000Z",
            link: "https://example.com/",
            big: "1180591620717411303424",
            data: "aGk=",
          },
        ],
      ],
    },
  ),
  row(
    "maps and sets",
    function index(): { byName: Map<string, number>; tags: Set<string> } {
      got();
      return { byName: new Map([["a", 1]]), tags: new Set(["x"]) };
    },
    {
      ...noInput,
      output: returned({ byName: record(number), tags: setOf(string) }),
      accepts: [[{}, [], { byName: { a: 1 }, tags: ["x"] }]],
    },
  ),
  row(
    "an error",
    function check(): Error {
      got();
      return new TypeError("too long");
    },
    {
      ...noInput,
      output: returned({ name: string, message: string }),
      accepts: [[{}, [], { name: "TypeError", message: "too long" }]],
    },
  ),
  row(
    "a list of outcomes, some of them errors",
    function tryAll(): (string | Error)[] {
      got();
      return ["a", new Error("b")];
    },
    {
      ...noInput,
      output: list(anyOf(string, returned({ name: string, message: string }))),
      accepts: [[{}, [], ["a", { name: "Error", message: "b" }]]],
    },
  ),
  row(
    "undefined within is left out",
    function gaps(): { here: number; gone?: string | undefined } {
      got();
      return { here: 1, gone: undefined };
    },
    {
      ...noInput,
      output: returned({ here: number, gone: string }, ["gone"]),
      accepts: [[{}, [], { here: 1 }]],
    },
  ),
  row(
    "undefined in a list is null",
    function holes(): (number | undefined)[] {
      got();
      return [1, undefined];
    },
    {
      ...noInput,
      output: list(orNull(number)),
      accepts: [[{}, [], [1, null]]],
    },
  ),
  row(
    "a cycle is named, not followed",
    function cycle(): unknown {
      got();
      const a: Cyclic = { name: "a" };
      a.self = a;
      return a;
    },
    {
      ...noInput,
      accepts: [[{}, [], { name: "a", self: "[circular]" }]],
    },
  ),
  row(
    "an instance, by its fields",
    function money(): { amount: number } {
      got();
      return new (class Money {
        amount = 5;
        #secret = 1;
        get twice(): number {
          return this.#secret * 2;
        }
      })();
    },
    {
      ...noInput,
      output: returned({ amount: number }),
      accepts: [[{}, [], { amount: 5 }]],
    },
  ),
  row(
    "what has toJSON, by what that says",
    function measured(): unknown {
      got();
      return { toJSON: () => ({ cm: 5 }) };
    },
    {
      ...noInput,
      accepts: [[{}, [], { cm: 5 }]],
    },
  ),
  row(
    "a map from numbers, as pairs",
    function ranks(): Map<number, string> {
      got();
      return new Map([[1, "a"]]);
    },
    {
      ...noInput,
      output: list(tuple([number, string])),
      accepts: [[{}, [], [[1, "a"]]]],
    },
  ),
  row(
    "a date or null",
    function last(): Date | null {
      got();
      return null;
    },
    {
      ...noInput,
      output: orNull(date),
      accepts: [[{}, [], null]],
    },
  ),
]);
