import { got, row, theme, type Theme } from "../row.ts";
import { boolean, described, list, number, object, oneOf, orNull, string, tuple } from "../schemas.ts";

interface Account {
  /** Unique. @format uuid */
  readonly id: string;
  /** As people call it. */
  name: string;
  age?: number;
  note: string | null;
}

function measure(width: number, height: number, unit: "cm" | "in"): { area: number } {
  return { area: width * height * (unit === "in" ? 6.4516 : 1) };
}

const id = { ...string, description: "Unique.", format: "uuid" };
const name = described("As people call it.", string);
const note = orNull(string);
const uuid = "123e4567-e89b-12d3-a456-426614174000";

export const utilityTypes: Theme = theme("utility types", [
  row(
    "Partial",
    function update(patch: Partial<Account>) {
      got(patch);
    },
    {
      schema: object({ patch: object({ id, name, age: number, note }, ["id", "name", "age", "note"]) }),
      accepts: [
        [{ patch: {} }, [{}]],
        [{ patch: { note: null } }, [{ note: null }]],
      ],
      refuses: [[{ patch: { id: "1" } }, "$.patch.id"]],
    },
  ),
  row(
    "Required",
    function complete(account: Required<Account>) {
      got(account);
    },
    {
      schema: object({ account: object({ id, name, age: number, note }) }),
      accepts: [
        [
          { account: { id: uuid, name: "a", age: 1, note: null } },
          [{ id: uuid, name: "a", age: 1, note: null }],
        ],
      ],
      refuses: [[{ account: { id: uuid, name: "a", note: null } }, "$.account.age"]],
    },
  ),
  row(
    "Pick",
    function label(account: Pick<Account, "name" | "age">) {
      got(account);
    },
    {
      schema: object({ account: object({ name, age: number }, ["age"]) }),
      accepts: [[{ account: { name: "a" } }, [{ name: "a" }]]],
      refuses: [[{ account: { name: "a", note: "b" } }, "$.account.note"]],
    },
  ),
  row(
    "Omit",
    function create(account: Omit<Account, "id" | "age">) {
      got(account);
    },
    {
      schema: object({ account: object({ name, note }) }),
      accepts: [[{ account: { name: "a", note: "b" } }, [{ name: "a", note: "b" }]]],
      refuses: [[{ account: { name: "a", note: "b", id: uuid } }, "$.account.id"]],
    },
  ),
  row(
    "Readonly",
    function view(account: Readonly<Pick<Account, "name">>) {
      got(account);
    },
    {
      schema: object({ account: object({ name }) }),
      accepts: [[{ account: { name: "a" } }, [{ name: "a" }]]],
      refuses: [[{ account: {} }, "$.account.name"]],
    },
  ),
  row(
    "Exclude and Extract",
    function filter(keep: Exclude<"a" | "b" | "c", "b">, only: Extract<string | number | boolean, number>) {
      got(keep, only);
    },
    {
      schema: object({ keep: oneOf("a", "c"), only: number }),
      accepts: [[{ keep: "c", only: 1 }, ["c", 1]]],
      refuses: [[{ keep: "b", only: 1 }, "$.keep"]],
    },
  ),
  row(
    "NonNullable",
    function write(note: NonNullable<Account["note"]>) {
      got(note);
    },
    {
      schema: object({ note: string }),
      accepts: [[{ note: "a" }, ["a"]]],
      refuses: [[{ note: null }, "$.note"]],
    },
  ),
  row(
    "Parameters and ReturnType",
    function replay(sides: Parameters<typeof measure>, outcome: ReturnType<typeof measure>) {
      got(sides, outcome);
    },
    {
      schema: object({
        sides: tuple([number, number, oneOf("cm", "in")]),
        outcome: object({ area: number }),
      }),
      accepts: [[{ sides: [1, 2, "cm"], outcome: { area: 2 } }, [[1, 2, "cm"], { area: 2 }]]],
      refuses: [[{ sides: [1, 2, "mm"], outcome: { area: 2 } }, "$.sides[2]"]],
    },
  ),
  row(
    "Awaited",
    function resolved(value: Awaited<Promise<Promise<number>>>) {
      got(value);
    },
    {
      schema: object({ value: number }),
      accepts: [[{ value: 1 }, [1]]],
      refuses: [[{ value: {} }, "$.value"]],
    },
  ),
  row(
    "Uppercase, Capitalize and their like",
    function shout(word: Uppercase<"yes" | "no">, title: Capitalize<"one" | "two">) {
      got(word, title);
    },
    {
      schema: object({ word: oneOf("YES", "NO"), title: oneOf("One", "Two") }),
      accepts: [[{ word: "NO", title: "Two" }, ["NO", "Two"]]],
      refuses: [[{ word: "MAYBE", title: "One" }, "$.word"]],
    },
  ),
  row(
    "one around another",
    function change(accounts: readonly Partial<Omit<Account, "note">>[]) {
      got(accounts);
    },
    {
      schema: object({ accounts: list(object({ id, name, age: number }, ["id", "name", "age"])) }),
      accepts: [[{ accounts: [{}, { age: 1 }] }, [[{}, { age: 1 }]]]],
      refuses: [[{ accounts: [{ note: "a" }] }, "$.accounts[0].note"]],
    },
  ),
  row(
    "their own comments are not the model's business",
    function flags(of: Record<"a" | "b", boolean>, some: Partial<{ c: boolean }>) {
      got(of, some);
    },
    {
      schema: object({ of: object({ a: boolean, b: boolean }), some: object({ c: boolean }, ["c"]) }),
      accepts: [[{ of: { a: true, b: false }, some: {} }, [{ a: true, b: false }, {}]]],
      refuses: [[{ of: { a: true }, some: {} }, "$.of.b"]],
    },
  ),
  row(
    "NoInfer",
    function same<Value extends string>(left: Value, right: NoInfer<Value>) {
      got(left, right);
    },
    {
      schema: object({ left: string, right: string }),
      accepts: [[{ left: "a", right: "b" }, ["a", "b"]]],
      refuses: [[{ left: "a", right: {} }, "$.right"]],
    },
  ),
]);
