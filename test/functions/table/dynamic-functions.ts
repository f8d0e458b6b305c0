import { got, row, theme, type Theme } from "../row.ts";
import { number, object, string } from "../schemas.ts";

type Handler<Input> = (input: Input) => void;

function handlerOf<Input>(handler: Handler<Input>): Handler<Input> {
  return handler;
}

/** Greets shortly. */
const arrow = (name: string): void => got(name);

const bag: Readonly<Record<string, (name: string) => void>> = {
  [["computed", "name"].join("-")](name: string): void {
    got(name);
  },
  listed: (name: string): void => got(name),
};

let assigned: (name: string) => void = () => undefined;
assigned = (name: string): void => got(name);

function pick(index: number): (name: string) => void {
  const choices = [
    function first(name: string): void {
      got("first", name);
    },
    function second(name: string): void {
      got("second", name);
    },
  ];
  return choices[index] ?? arrow;
}

const name = { schema: object({ name: string }), refuses: [[{}, "$.name"]] } as const;
const takesAda = [[{ name: "Ada" }, ["Ada"]]] as const;

/** Functions that only running the program tells: described in development, and named by a build as what it cannot see. */
export const dynamic: Theme = theme("functions that only running tells", [
  row(
    "a function that a generic function gave back",
    handlerOf(function handle(input: { id: number }) {
      got(input);
    }),
    {
      schema: object({ input: object({ id: number }) }),
      accepts: [[{ input: { id: 1 } }, [{ id: 1 }]]],
      refuses: [[{ input: {} }, "$.input.id"]],
    },
  ),
  row("a function assigned later", assigned, { ...name, accepts: takesAda }),
  row("a proxy of one", new Proxy(arrow, {}), {
    ...name,
    name: "arrow",
    description: "Greets shortly.",
    accepts: takesAda,
  }),
  row("with a computed name", bag["computed-name"] ?? arrow, {
    ...name,
    name: "computed-name",
    accepts: takesAda,
  }),
  row("one of several, by a number", pick(1), {
    ...name,
    name: "second",
    accepts: [[{ name: "Ada" }, ["second", "Ada"]]],
  }),
  row("a value of a record", Object.values(bag)[1] ?? arrow, { ...name, name: "listed", accepts: takesAda }),
  row("a method by its name", Reflect.get(bag, "listed"), { ...name, name: "listed", accepts: takesAda }),
  row("what a map holds", new Map([["key", pick(0)]]).get("key") ?? arrow, {
    ...name,
    name: "first",
    accepts: [[{ name: "Ada" }, ["first", "Ada"]]],
  }),
]);
