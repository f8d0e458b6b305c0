import { got, row, theme, type Theme } from "../row.ts";
import { boolean, described, list, number, object, oneOf, only, string } from "../schemas.ts";

interface Named {
  /** What people call it. */
  name: string;
}

interface Aged {
  age: number;
}

/** Who and how old. */
type Person = Named & Aged;
type WithId<Of> = Of & { id: number };

const name = described("What people call it.", string);

export const intersections: Theme = theme("intersections", [
  row(
    "two literals of types",
    function place(at: { x: number } & { y: number }) {
      got(at);
    },
    {
      schema: object({ at: object({ x: number, y: number }) }),
      accepts: [[{ at: { x: 1, y: 2 } }, [{ x: 1, y: 2 }]]],
      refuses: [
        [{ at: { x: 1 } }, "$.at.y"],
        [{ at: { x: 1, y: 2, z: 3 } }, "$.at.z"],
      ],
    },
  ),
  row(
    "two interfaces, under a name with a comment",
    function greet(person: Person) {
      got(person);
    },
    {
      schema: object({ person: described("Who and how old.", object({ name, age: number })) }),
      accepts: [[{ person: { name: "a", age: 1 } }, [{ name: "a", age: 1 }]]],
      refuses: [[{ person: { name: "a" } }, "$.person.age"]],
    },
  ),
  row(
    "an interface and more",
    function save(item: Named & { tags?: string[] }) {
      got(item);
    },
    {
      schema: object({ item: object({ name, tags: list(string) }, ["tags"]) }),
      accepts: [[{ item: { name: "a" } }, [{ name: "a" }]]],
      refuses: [[{ item: { tags: [] } }, "$.item.name"]],
    },
  ),
  row(
    "three",
    function all(of: { a: string } & { b: number } & { c: boolean }) {
      got(of);
    },
    {
      schema: object({ of: object({ a: string, b: number, c: boolean }) }),
      accepts: [[{ of: { a: "a", b: 1, c: true } }, [{ a: "a", b: 1, c: true }]]],
      refuses: [[{ of: { a: "a", b: 1 } }, "$.of.c"]],
    },
  ),
  row(
    "one property in both, narrowed",
    function narrow(of: { kind: string } & { kind: "a" | "b" }) {
      got(of);
    },
    {
      schema: object({ of: object({ kind: oneOf("a", "b") }) }),
      accepts: [[{ of: { kind: "a" } }, [{ kind: "a" }]]],
      refuses: [[{ of: { kind: "c" } }, "$.of.kind"]],
    },
  ),
  row(
    "optional in one, required in the other",
    function strict(of: { size?: number } & { size: number }) {
      got(of);
    },
    {
      schema: object({ of: object({ size: number }) }),
      accepts: [[{ of: { size: 1 } }, [{ size: 1 }]]],
      refuses: [[{ of: {} }, "$.of.size"]],
    },
  ),
  row(
    "a generic one",
    function update(item: WithId<Named>, other: WithId<{ on: boolean }>) {
      got(item, other);
    },
    {
      schema: object({ item: object({ name, id: number }), other: object({ on: boolean, id: number }) }),
      accepts: [
        [
          { item: { name: "a", id: 1 }, other: { on: true, id: 2 } },
          [
            { name: "a", id: 1 },
            { on: true, id: 2 },
          ],
        ],
      ],
      refuses: [[{ item: { name: "a" }, other: { on: true, id: 2 } }, "$.item.id"]],
    },
  ),
  row(
    "with a utility type",
    function patch(item: Pick<Person, "name"> & Partial<Aged>) {
      got(item);
    },
    {
      schema: object({ item: object({ name, age: number }, ["age"]) }),
      accepts: [[{ item: { name: "a" } }, [{ name: "a" }]]],
      refuses: [[{ item: { age: 1 } }, "$.item.name"]],
    },
  ),
  row(
    "with a record",
    function style(of: { display: "none" | "block" } & Record<string, string>) {
      got(of);
    },
    {
      schema: object({
        of: {
          type: "object",
          properties: { display: oneOf("none", "block") },
          required: ["display"],
          additionalProperties: string,
        },
      }),
      accepts: [[{ of: { display: "none", color: "red" } }, [{ display: "none", color: "red" }]]],
      refuses: [[{ of: { color: "red" } }, "$.of.display"]],
    },
  ),
  row(
    "of unions of literals, what both have",
    function common(word: ("a" | "b" | "c") & ("c" | "b" | "d")) {
      got(word);
    },
    {
      schema: object({ word: oneOf("b", "c") }),
      accepts: [[{ word: "c" }, ["c"]]],
      refuses: [[{ word: "a" }, "$.word"]],
    },
  ),
  row(
    "in a list",
    function people(of: (Named & { kind: "x" })[]) {
      got(of);
    },
    {
      schema: object({ of: list(object({ name, kind: only("x") })) }),
      accepts: [[{ of: [{ name: "a", kind: "x" }] }, [[{ name: "a", kind: "x" }]]]],
      refuses: [[{ of: [{ name: "a" }] }, "$.of[0].kind"]],
    },
  ),
  row(
    "flattened where it is destructured",
    function born({ name, age, where }: Person & { where?: string }) {
      got(name, age, where);
    },
    {
      schema: object({ name, age: number, where: string }, ["where"]),
      accepts: [[{ name: "a", age: 1 }, ["a", 1, undefined]]],
      refuses: [[{ name: "a" }, "$.age"]],
    },
  ),
  row(
    "booleans beside",
    function mix(of: { on: boolean } & { off?: boolean }) {
      got(of);
    },
    {
      schema: object({ of: object({ on: boolean, off: boolean }, ["off"]) }),
      accepts: [[{ of: { on: true } }, [{ on: true }]]],
      refuses: [[{ of: { off: true } }, "$.of.on"]],
    },
  ),
]);
