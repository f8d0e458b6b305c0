import { Agent, result } from "skein";
import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  boolean,
  described,
  list,
  number,
  object,
  oneOf,
  record,
  ref,
  returned,
  string,
  tuple,
  withDefinitions,
} from "../schemas.ts";

/** What the sky does. */
interface Weather {
  /** In degrees Celsius. */
  temperature: number;
  sky: "clear" | "clouds" | "rain";
  wind?: number;
}

interface Folder {
  name: string;
  folders: Folder[];
}

const weather: Weather = { temperature: 18, sky: "clouds" };
const triage = new Agent({ name: "Triage" });
const noInput = { schema: object({}), refuses: [[{ x: 1 }, "$.x"]] } as const;

export const outputs: Theme = theme("output schemas", [
  row(
    "an interface, with its comments",
    function forecast(city: string): Weather {
      got(city);
      return weather;
    },
    {
      schema: object({ city: string }),
      output: described(
        "What the sky does.",
        returned(
          {
            temperature: described("In degrees Celsius.", number),
            sky: oneOf("clear", "clouds", "rain"),
            wind: number,
          },
          ["wind"],
        ),
      ),
      accepts: [[{ city: "a" }, ["a"], { temperature: 18, sky: "clouds" }]],
      refuses: [[{}, "$.city"]],
    },
  ),
  row(
    "of a promise, what it comes to",
    async function later(): Promise<{ done: boolean }> {
      got();
      return { done: true };
    },
    {
      ...noInput,
      output: returned({ done: boolean }),
      accepts: [[{}, [], { done: true }]],
    },
  ),
  row(
    "without an annotation, what is inferred",
    function area(width: number, height: number) {
      got(width, height);
      return { area: width * height, sides: [width, height] };
    },
    {
      schema: object({ width: number, height: number }),
      output: returned({ area: number, sides: list(number) }),
      accepts: [[{ width: 2, height: 3 }, [2, 3], { area: 6, sides: [2, 3] }]],
      refuses: [[{ width: 2 }, "$.height"]],
    },
  ),
  row(
    "text",
    function name(): string {
      got();
      return "Skein";
    },
    {
      ...noInput,
      output: string,
      accepts: [[{}, [], "Skein"]],
    },
  ),
  row(
    "a number, a boolean, a list",
    function counts(): number[] {
      got();
      return [1, 2];
    },
    {
      ...noInput,
      output: list(number),
      accepts: [[{}, [], [1, 2]]],
    },
  ),
  row(
    "a union of literals or null",
    function state(): "on" | "off" | null {
      got();
      return null;
    },
    {
      ...noInput,
      output: oneOf("on", "off", null),
      accepts: [[{}, [], null]],
    },
  ),
  row(
    "a union of objects",
    function find(id: number): { found: true; name: string } | { found: false } {
      got(id);
      return id > 0 ? { found: true, name: "a" } : { found: false };
    },
    {
      schema: object({ id: number }),
      output: anyOf(
        returned({ found: { type: "boolean", const: true }, name: string }),
        returned({ found: { type: "boolean", const: false } }),
      ),
      accepts: [
        [{ id: 1 }, [1], { found: true, name: "a" }],
        [{ id: 0 }, [0], { found: false }],
      ],
      refuses: [[{}, "$.id"]],
    },
  ),
  row(
    "a recursive type",
    function tree(): Folder {
      got();
      return { name: "a", folders: [{ name: "b", folders: [] }] };
    },
    {
      ...noInput,
      output: withDefinitions(ref("Folder"), {
        Folder: returned({ name: string, folders: list(ref("Folder")) }),
      }),
      accepts: [[{}, [], { name: "a", folders: [{ name: "b", folders: [] }] }]],
    },
  ),
  row(
    "what a generator returns",
    function* steps(to: number): Generator<number, { steps: number }> {
      got(to);
      yield 1;
      return { steps: to };
    },
    {
      schema: object({ to: number }),
      output: returned({ steps: number }),
      accepts: [[{ to: 3 }, [3], { steps: 3 }]],
      refuses: [[{}, "$.to"]],
    },
  ),
  row(
    "what an async generator returns",
    async function* load(): AsyncGenerator<string, number[]> {
      got();
      yield "begun";
      return [1];
    },
    {
      ...noInput,
      output: list(number),
      accepts: [[{}, [], [1]]],
    },
  ),
  row(
    "nothing",
    function stop(): void {
      got();
    },
    {
      ...noInput,
      accepts: [[{}, []]],
    },
  ),
  row(
    "a promise of nothing",
    async function sleep(): Promise<void> {
      got();
    },
    {
      ...noInput,
      accepts: [[{}, []]],
    },
  ),
  row(
    "anything says nothing",
    function parse(text: string): unknown {
      got(text);
      return JSON.parse(text);
    },
    {
      schema: object({ text: string }),
      accepts: [[{ text: "[1]" }, ["[1]"], [1]]],
      refuses: [[{}, "$.text"]],
    },
  ),
  row(
    "an agent is a handoff, not a value",
    function transfer() {
      got();
      return triage;
    },
    {
      ...noInput,
      accepts: [[{}, []]],
    },
  ),
  row(
    "result() says more than a value",
    function login(user: string) {
      got(user);
      return result({ value: "Welcome.", context: { user } });
    },
    {
      schema: object({ user: string }),
      accepts: [[{ user: "a" }, ["a"], "Welcome."]],
      refuses: [[{}, "$.user"]],
    },
  ),
  row(
    "a record and a tuple",
    function stats(): { byName: Record<string, number>; best: [name: string, score: number] } {
      got();
      return { byName: { a: 1 }, best: ["a", 1] };
    },
    {
      ...noInput,
      output: returned({ byName: record(number), best: tuple([string, number]) }),
      accepts: [[{}, [], { byName: { a: 1 }, best: ["a", 1] }]],
    },
  ),
]);
