import { tool } from "skein";
import { theme, withoutSchema, type Theme } from "../row.ts";

/** Any function at all. */
type AnyFunction = (...args: never[]) => unknown;

/** Books a table. */
const book = (city: string, people: number): string => `${city} ${people}`;

function untold(fn: AnyFunction): (...args: unknown[]) => unknown {
  return (...args) => Reflect.apply(fn, undefined, args);
}

function curried<A, B>(fn: (a: A, b: B) => void): { (a: A): (b: B) => void; (a: A, b: B): void } {
  function called(a: A): (b: B) => void;
  function called(a: A, b: B): void;
  function called(...args: [A] | [A, B]): unknown {
    return args.length === 1 ? (b: B) => fn(args[0], b) : fn(...args);
  }
  return called;
}

/** What the type of the expression does not tell is never taken from the code within. */
export const refusedWrappers: Theme = theme("wrappers whose types do not tell", [
  withoutSchema(
    "a wrapper whose type says nothing",
    tool(untold(book), { name: "untold" }),
    /says nothing of its parameters/,
  ),
  withoutSchema(
    "a function of several signatures",
    tool(curried(book), { name: "curried" }),
    /its type has 2 signatures/,
  ),
]);
