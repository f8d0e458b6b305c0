import { tool, toolkit, type ToolContext } from "skein";
import { got, methodRow, row, theme, type Theme } from "../row.ts";
import { described, number, object, oneOf, string } from "../schemas.ts";

/**
 * Doubles a number.
 * @param amount - What to double @minimum 1
 */
function double(amount: number): void {
  got(amount);
}

/** Books a table. */
const book = (city: string, people = 2, context?: ToolContext<{ user: string }>): void =>
  got(city, people, context?.context.user);

/** Plans a trip. */
function plan({ city, days = 3 }: { city: string; days?: number }): void {
  got(city, days);
}

function logged<Args extends unknown[], Result>(fn: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => fn(...args);
}

/** Any function at all. */
type AnyFunction = (...args: never[]) => unknown;

function memoized<Fn extends AnyFunction>(fn: Fn): Fn & { readonly cache: ReadonlyMap<string, unknown> } {
  return Object.assign(fn.bind(undefined), fn, { cache: new Map<string, unknown>() });
}

interface Debounced<Fn extends AnyFunction> {
  (...args: Parameters<Fn>): ReturnType<Fn> | undefined;
  cancel(): void;
}

function debounced<Fn extends AnyFunction>(fn: Fn, _wait: number): Debounced<Fn> {
  const run = (...args: Parameters<Fn>): ReturnType<Fn> | undefined => Reflect.apply(fn, undefined, args);
  return Object.assign(run, { cancel: (): void => undefined });
}

function partial<First, Rest extends unknown[], Result>(
  fn: (first: First, ...rest: Rest) => Result,
  first: First,
): (...rest: Rest) => Result {
  return (...rest) => fn(first, ...rest);
}

class Shelf<Item> {
  /** Puts an item there. */
  put(item: Item): void {
    got(item);
  }
}

/** What decorators do, where they cannot be written: a method in the place of another. */
class Oven {
  /** Heats it. */
  heat(degrees: number): void {
    got(degrees);
  }
}
const { heat } = Oven.prototype;
Oven.prototype.heat = function (this: Oven, ...args: [number]): void {
  Reflect.apply(heat, this, args);
};

const loud = logged(double);
const narrow: (amount: 1 | 2) => void = double;

const doubled = {
  name: "double",
  description: "Doubles a number.",
  schema: object({ amount: { ...number, description: "What to double", minimum: 1 } }),
  accepts: [[{ amount: 2 }, [2]]],
  refuses: [
    [{ amount: 0 }, "$.amount"],
    [{}, "$.amount"],
  ],
} as const;

const booked = {
  name: "book",
  description: "Books a table.",
  schema: object({ city: string, people: { ...number, default: 2 } }, ["people"]),
  accepts: [
    [{ city: "a" }, ["a", 2, "Ada"]],
    [{ city: "a", people: 3 }, ["a", 3, "Ada"]],
  ],
  refuses: [
    [{ city: "a", context: { context: { user: "Eve" } } }, "$.context"],
    [{ people: 1 }, "$.city"],
  ],
} as const;

/** What is made of functions: the type of the expression tells what it takes, and the function in it the rest. */
export const wrappers: Theme = theme("wrappers", [
  row("a wrapper of any parameters", tool(logged(double)), doubled),
  row("by a constant", tool(loud), { ...doubled, name: "loud" }),
  row("a wrapper of a default and a context", tool(logged(book)), booked),
  row("a wrapper of a destructured parameter", tool(logged(plan)), {
    name: "plan",
    description: "Plans a trip.",
    schema: object({ city: string, days: { ...number, default: 3 } }, ["days"]),
    accepts: [[{ city: "a" }, ["a", 3]]],
    refuses: [[{ days: 1 }, "$.city"]],
  }),
  row("a wrapper that adds properties", tool(memoized(book)), booked),
  row("a wrapper whose type is an interface", tool(debounced(double, 5)), doubled),
  row("a wrapper in a wrapper", tool(logged(memoized(logged(double)))), doubled),
  row("a part of the parameters filled in", tool(partial(book, "Rome")), {
    name: "book",
    description: "Books a table.",
    schema: object({ people: number }, ["people"]),
    accepts: [[{ people: 4 }, ["Rome", 4, "Ada"]]],
    refuses: [[{ city: "a" }, "$.city"]],
  }),
  row(
    "a wrapper of what stands within",
    tool(
      logged((room: "a" | "b", context: ToolContext) => got(room, context.toolCallId)),
      { name: "inner" },
    ),
    {
      name: "inner",
      schema: object({ room: oneOf("a", "b") }),
      accepts: [[{ room: "b" }, ["b", "call"]]],
      refuses: [[{ room: "c" }, "$.room"]],
    },
  ),
  row("a type that says less than the function", tool(narrow), {
    ...doubled,
    schema: object({ amount: { ...described("What to double", oneOf(1, 2)), minimum: 1 } }),
    refuses: [[{ amount: 3 }, "$.amount"]],
  }),
  methodRow("a method of an instance of a generic class", toolkit(new Shelf<"book" | "film">()), "put", {
    description: "Puts an item there.",
    schema: object({ item: oneOf("book", "film") }),
    accepts: [[{ item: "film" }, ["film"]]],
    refuses: [[{ item: "vase" }, "$.item"]],
  }),
  methodRow("a method that was replaced, as decorators do", toolkit(new Oven()), "heat", {
    description: "Heats it.",
    schema: object({ degrees: number }),
    accepts: [[{ degrees: 200 }, [200]]],
    refuses: [[{ degrees: [] }, "$.degrees"]],
  }),
]);
