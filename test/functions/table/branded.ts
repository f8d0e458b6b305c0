import { got, row, theme, type Theme } from "../row.ts";
import { boolean, described, list, number, object, oneOf, orNull, record, string } from "../schemas.ts";

declare const brand: unique symbol;
type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };
type UserId = string & { readonly __brand: "UserId" };
/** In cents. */
type Money = Branded<number, "money">;
type Email = Branded<string, "email">;
type Sure = Branded<boolean, "sure">;
type Tagged<Of> = Of & { readonly tag?: "safe" };

interface Payment {
  from: UserId;
  /** How much. @minimum 1 */
  amount: Money;
}

export const branded: Theme = theme("branded primitives", [
  row(
    "a text with a property",
    function user(id: UserId) {
      got(id);
    },
    {
      schema: object({ id: string }),
      accepts: [[{ id: "a" }, ["a"]]],
      refuses: [
        [{ id: {} }, "$.id"],
        [{}, "$.id"],
      ],
    },
  ),
  row(
    "a number with a symbol",
    function pay(amount: Money) {
      got(amount);
    },
    {
      schema: object({ amount: described("In cents.", number) }),
      accepts: [[{ amount: 5 }, [5]]],
      refuses: [[{ amount: "much" }, "$.amount"]],
    },
  ),
  row(
    "a text with a symbol",
    function write(to: Email) {
      got(to);
    },
    {
      schema: object({ to: string }),
      accepts: [[{ to: "a" }, ["a"]]],
      refuses: [[{ to: ["a"] }, "$.to"]],
    },
  ),
  row(
    "a boolean",
    function confirm(sure: Sure) {
      got(sure);
    },
    {
      schema: object({ sure: boolean }),
      accepts: [
        [{ sure: true }, [true]],
        [{ sure: false }, [false]],
      ],
      refuses: [[{ sure: "so" }, "$.sure"]],
    },
  ),
  row(
    "in a list",
    function users(ids: UserId[]) {
      got(ids);
    },
    {
      schema: object({ ids: list(string) }),
      accepts: [[{ ids: ["a"] }, [["a"]]]],
      refuses: [[{ ids: [{}] }, "$.ids[0]"]],
    },
  ),
  row(
    "in an object, with a comment and a limit",
    function transfer(payment: Payment) {
      got(payment);
    },
    {
      schema: object({
        payment: object({ from: string, amount: { ...number, description: "How much.", minimum: 1 } }),
      }),
      accepts: [[{ payment: { from: "a", amount: 1 } }, [{ from: "a", amount: 1 }]]],
      refuses: [[{ payment: { from: "a", amount: 0 } }, "$.payment.amount"]],
    },
  ),
  row(
    "or null",
    function owner(id: UserId | null) {
      got(id);
    },
    {
      schema: object({ id: orNull(string) }),
      accepts: [
        [{ id: null }, [null]],
        [{ id: "a" }, ["a"]],
      ],
      refuses: [[{}, "$.id"]],
    },
  ),
  row(
    "literals",
    function color(of: ("red" | "blue") & { readonly __brand: "color" }) {
      got(of);
    },
    {
      schema: object({ of: oneOf("red", "blue") }),
      accepts: [[{ of: "blue" }, ["blue"]]],
      refuses: [[{ of: "pink" }, "$.of"]],
    },
  ),
  row(
    "optional, and with a default",
    function limit(to?: Money, at: Branded<number, "page"> = 1 as Branded<number, "page">) {
      got(to, at);
    },
    {
      schema: object({ to: described("In cents.", number), at: { ...number, default: 1 } }, ["to", "at"]),
      accepts: [
        [{}, [undefined, 1]],
        [{ to: 2, at: 3 }, [2, 3]],
      ],
      refuses: [[{ to: "x" }, "$.to"]],
    },
  ),
  row(
    "as keys",
    function names(of: Record<UserId, string>) {
      got(of);
    },
    {
      schema: object({ of: record(string) }),
      accepts: [[{ of: { a: "b" } }, [{ a: "b" }]]],
      refuses: [[{ of: { a: {} } }, "$.of.a"]],
    },
  ),
  row(
    "of an object, the brand is no property",
    function trust(html: Tagged<string>) {
      got(html);
    },
    {
      schema: object({ html: string }),
      accepts: [[{ html: "a" }, ["a"]]],
      refuses: [[{ html: {} }, "$.html"]],
    },
  ),
]);
