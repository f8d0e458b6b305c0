import { got, row, theme, type Theme } from "../row.ts";
import {
  anyOf,
  boolean,
  described,
  list,
  nothing,
  number,
  object,
  only,
  record,
  ref,
  string,
  tuple,
  withDefinitions,
} from "../schemas.ts";

interface Folder {
  name: string;
  folders: Folder[];
}

interface Node {
  value: number;
  next?: Node;
}

interface Linked {
  value: number;
  next: Linked | null;
}

/** Any JSON. */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

interface Department {
  title: string;
  head: Employee;
}

interface Employee {
  name: string;
  runs?: Department[];
}

type Expression =
  | { kind: "number"; value: number }
  | { kind: "sum"; terms: Expression[] }
  | { kind: "not"; of: Expression };

interface Nested<Value> {
  value: Value;
  inner?: Nested<Value>;
}

interface Menu {
  [label: string]: string | Menu;
}

type Path = [name: string, rest?: Path];

interface Fluent {
  name: string;
  next?: this;
}

interface A {
  b?: B;
  a: string;
}
interface B {
  c?: C;
  b: string;
}
interface C {
  a?: A;
  c: string;
}

const folder = object({ name: string, folders: list(ref("Folder")) });

export const recursion: Theme = theme("recursion", [
  row(
    "through a list",
    function copy(folder: Folder) {
      got(folder);
    },
    {
      schema: withDefinitions(object({ folder: ref("Folder") }), { Folder: folder }),
      accepts: [
        [
          { folder: { name: "a", folders: [{ name: "b", folders: [] }] } },
          [{ name: "a", folders: [{ name: "b", folders: [] }] }],
        ],
      ],
      refuses: [[{ folder: { name: "a", folders: [{ name: "b" }] } }, "$.folder.folders[0].folders"]],
    },
  ),
  row(
    "through a property that may be absent",
    function walk(from: Node) {
      got(from);
    },
    {
      schema: withDefinitions(object({ from: ref("Node") }), {
        Node: object({ value: number, next: ref("Node") }, ["next"]),
      }),
      accepts: [
        [
          { from: { value: 1, next: { value: 2, next: { value: 3 } } } },
          [{ value: 1, next: { value: 2, next: { value: 3 } } }],
        ],
      ],
      refuses: [[{ from: { value: 1, next: { next: {} } } }, "$.from.next.value"]],
    },
  ),
  row(
    "through null",
    function list1(head: Linked) {
      got(head);
    },
    {
      schema: withDefinitions(object({ head: ref("Linked") }), {
        Linked: object({ value: number, next: anyOf(ref("Linked"), nothing) }),
      }),
      accepts: [
        [
          { head: { value: 1, next: { value: 2, next: null } } },
          [{ value: 1, next: { value: 2, next: null } }],
        ],
      ],
      refuses: [[{ head: { value: 1 } }, "$.head.next"]],
    },
  ),
  row(
    "any JSON",
    function store(document: Json) {
      got(document);
    },
    {
      schema: withDefinitions(object({ document: ref("Json") }), {
        Json: described(
          "Any JSON.",
          anyOf(string, number, boolean, list(ref("Json")), record(ref("Json")), nothing),
        ),
      }),
      accepts: [
        [{ document: { a: [1, null, { b: "c" }] } }, [{ a: [1, null, { b: "c" }] }]],
        [{ document: null }, [null]],
      ],
      refuses: [[{}, "$.document"]],
    },
  ),
  row(
    "of two types through each other",
    function found(company: Department) {
      got(company);
    },
    {
      schema: withDefinitions(object({ company: ref("Department") }), {
        Department: object({
          title: string,
          head: object({ name: string, runs: list(ref("Department")) }, ["runs"]),
        }),
      }),
      accepts: [
        [
          { company: { title: "a", head: { name: "b", runs: [{ title: "c", head: { name: "d" } }] } } },
          [{ title: "a", head: { name: "b", runs: [{ title: "c", head: { name: "d" } }] } }],
        ],
      ],
      refuses: [
        [
          { company: { title: "a", head: { name: "b", runs: [{ title: "c" }] } } },
          "$.company.head.runs[0].head",
        ],
      ],
    },
  ),
  row(
    "of a tagged union",
    function evaluate(expression: Expression) {
      got(expression);
    },
    {
      schema: withDefinitions(object({ expression: ref("Expression") }), {
        Expression: anyOf(
          object({ kind: only("number"), value: number }),
          object({ kind: only("sum"), terms: list(ref("Expression")) }),
          object({ kind: only("not"), of: ref("Expression") }),
        ),
      }),
      accepts: [
        [
          { expression: { kind: "not", of: { kind: "sum", terms: [{ kind: "number", value: 1 }] } } },
          [{ kind: "not", of: { kind: "sum", terms: [{ kind: "number", value: 1 }] } }],
        ],
      ],
      refuses: [
        [{ expression: { kind: "sum", terms: [{ kind: "number" }] } }, "$.expression.terms[0].value"],
      ],
    },
  ),
  row(
    "of a generic type, by its instance",
    function nest(text: Nested<string>, count: Nested<number>) {
      got(text, count);
    },
    {
      schema: withDefinitions(object({ text: ref("Nested_string"), count: ref("Nested_number") }), {
        Nested_string: object({ value: string, inner: ref("Nested_string") }, ["inner"]),
        Nested_number: object({ value: number, inner: ref("Nested_number") }, ["inner"]),
      }),
      accepts: [
        [
          { text: { value: "a", inner: { value: "b" } }, count: { value: 1 } },
          [{ value: "a", inner: { value: "b" } }, { value: 1 }],
        ],
      ],
      refuses: [[{ text: { value: "a" }, count: { value: 1, inner: { value: {} } } }, "$.count.inner.value"]],
    },
  ),
  row(
    "through an index signature",
    function menu(items: Menu) {
      got(items);
    },
    {
      schema: withDefinitions(object({ items: ref("Menu") }), { Menu: record(anyOf(string, ref("Menu"))) }),
      accepts: [[{ items: { a: "b", c: { d: "e" } } }, [{ a: "b", c: { d: "e" } }]]],
      refuses: [[{ items: "none" }, "$.items"]],
    },
  ),
  row(
    "through a tuple",
    function path(to: Path) {
      got(to);
    },
    {
      schema: withDefinitions(object({ to: ref("Path") }), { Path: tuple([string, ref("Path")], 1) }),
      accepts: [[{ to: ["a", ["b"]] }, [["a", ["b"]]]]],
      refuses: [[{ to: ["a", []] }, "$.to[1]"]],
    },
  ),
  row(
    "of one type at several places, defined once",
    function diff(before: Folder, after?: Folder) {
      got(before, after);
    },
    {
      schema: withDefinitions(object({ before: ref("Folder"), after: ref("Folder") }, ["after"]), {
        Folder: folder,
      }),
      accepts: [[{ before: { name: "a", folders: [] } }, [{ name: "a", folders: [] }, undefined]]],
      refuses: [[{ before: { name: "a", folders: [] }, after: {} }, "$.after.name"]],
    },
  ),
  row(
    "of three types in a ring",
    function ring(a: A) {
      got(a);
    },
    {
      schema: withDefinitions(object({ a: ref("A") }), {
        A: object(
          { b: object({ c: object({ a: ref("A"), c: string }, ["a"]), b: string }, ["c"]), a: string },
          ["b"],
        ),
      }),
      accepts: [
        [
          { a: { a: "1", b: { b: "2", c: { c: "3", a: { a: "4" } } } } },
          [{ a: "1", b: { b: "2", c: { c: "3", a: { a: "4" } } } }],
        ],
      ],
      refuses: [[{ a: { a: "1", b: { b: "2", c: { c: "3", a: {} } } } }, "$.a.b.c.a.a"]],
    },
  ),
  row(
    "of this",
    function chain(start: Fluent) {
      got(start);
    },
    {
      schema: withDefinitions(object({ start: ref("Fluent") }), {
        Fluent: object({ name: string, next: ref("Fluent") }, ["next"]),
      }),
      accepts: [[{ start: { name: "a", next: { name: "b" } } }, [{ name: "a", next: { name: "b" } }]]],
      refuses: [[{ start: { name: "a", next: {} } }, "$.start.next.name"]],
    },
  ),
  row(
    "within a list of a list",
    function forest(trees: Folder[][], maybe: Folder | null) {
      got(trees, maybe);
    },
    {
      schema: withDefinitions(
        object({ trees: list(list(ref("Folder"))), maybe: anyOf(ref("Folder"), nothing) }),
        { Folder: folder },
      ),
      accepts: [
        [{ trees: [[{ name: "a", folders: [] }]], maybe: null }, [[[{ name: "a", folders: [] }]], null]],
      ],
      refuses: [[{ trees: [[{}]], maybe: null }, "$.trees[0][0].name"]],
    },
  ),
]);
