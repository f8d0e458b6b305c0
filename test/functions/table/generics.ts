import { got, row, theme, type Theme } from "../row.ts";
import {
  anything,
  boolean,
  described,
  list,
  number,
  object,
  oneOf,
  orNull,
  record,
  string,
} from "../schemas.ts";
import type { Envelope, Page, Pair } from "./shared/containers.ts";
import type { Person } from "./shared/people.ts";

interface Box<Content> {
  content: Content;
  label?: string;
}

type Result<Value, Failure = string> = { value: Value; failure: Failure | null };
type Tree<Leaf, Depth extends number = 1> = { leaf: Leaf; depth: Depth };
const person = described(
  "A person in the directory.",
  object(
    {
      name: string,
      email: { ...string, description: "Where to write.", format: "email" },
    },
    ["email"],
  ),
);

export const generics: Theme = theme("generics", [
  row(
    "an instance of one",
    function pack(box: Box<number>) {
      got(box);
    },
    {
      schema: object({ box: object({ content: number, label: string }, ["label"]) }),
      accepts: [[{ box: { content: 1 } }, [{ content: 1 }]]],
      refuses: [[{ box: { content: {} } }, "$.box.content"]],
    },
  ),
  row(
    "two instances of one",
    function swap(left: Box<string>, right: Box<boolean>) {
      got(left, right);
    },
    {
      schema: object({
        left: object({ content: string, label: string }, ["label"]),
        right: object({ content: boolean, label: string }, ["label"]),
      }),
      accepts: [
        [{ left: { content: "a" }, right: { content: true } }, [{ content: "a" }, { content: true }]],
      ],
      refuses: [[{ left: { content: "a" }, right: { content: "a" } }, "$.right.content"]],
    },
  ),
  row(
    "one in another",
    function wrap(boxes: Box<Box<string>[]>) {
      got(boxes);
    },
    {
      schema: object({
        boxes: object(
          { content: list(object({ content: string, label: string }, ["label"])), label: string },
          ["label"],
        ),
      }),
      accepts: [[{ boxes: { content: [{ content: "a" }] } }, [{ content: [{ content: "a" }] }]]],
      refuses: [[{ boxes: { content: [{}] } }, "$.boxes.content[0].content"]],
    },
  ),
  row(
    "with a default for a type parameter",
    function settle(outcome: Result<number>) {
      got(outcome);
    },
    {
      schema: object({ outcome: object({ value: number, failure: orNull(string) }) }),
      accepts: [[{ outcome: { value: 1, failure: null } }, [{ value: 1, failure: null }]]],
      refuses: [[{ outcome: { value: 1 } }, "$.outcome.failure"]],
    },
  ),
  row(
    "with a literal for a type parameter",
    function grow(tree: Tree<"oak" | "elm", 3>) {
      got(tree);
    },
    {
      schema: object({ tree: object({ leaf: oneOf("oak", "elm"), depth: { type: "number", const: 3 } }) }),
      accepts: [[{ tree: { leaf: "elm", depth: 3 } }, [{ leaf: "elm", depth: 3 }]]],
      refuses: [[{ tree: { leaf: "elm", depth: 1 } }, "$.tree.depth"]],
    },
  ),
  row(
    "declared in other files",
    function show(page: Page<Person>) {
      got(page);
    },
    {
      schema: object({
        page: object({ items: list(person), cursor: described("Where to go on.", orNull(string)) }),
      }),
      accepts: [
        [{ page: { items: [{ name: "Ada" }], cursor: null } }, [{ items: [{ name: "Ada" }], cursor: null }]],
      ],
      refuses: [
        [{ page: { items: [{ name: "Ada", email: "nowhere" }], cursor: null } }, "$.page.items[0].email"],
      ],
    },
  ),
  row(
    "that pass their parameter on, through several files",
    function post(letter: Envelope<Person>) {
      got(letter);
    },
    {
      schema: object({
        letter: object(
          {
            content: object({ first: person, second: person }),
            pages: object({ items: list(person), cursor: described("Where to go on.", orNull(string)) }),
          },
          ["pages"],
        ),
      }),
      accepts: [
        [
          { letter: { content: { first: { name: "a" }, second: { name: "b" } } } },
          [{ content: { first: { name: "a" }, second: { name: "b" } } }],
        ],
      ],
      refuses: [[{ letter: { content: { first: { name: "a" } } } }, "$.letter.content.second"]],
    },
  ),
  row(
    "a pair with two parameters",
    function order(of: Pair<string, number[]>) {
      got(of);
    },
    {
      schema: object({ of: object({ first: string, second: list(number) }) }),
      accepts: [[{ of: { first: "a", second: [1] } }, [{ first: "a", second: [1] }]]],
      refuses: [[{ of: { first: "a", second: ["b"] } }, "$.of.second[0]"]],
    },
  ),
  row(
    "an open type parameter stands for what it extends",
    function store<Item extends { id: string }>(item: Item) {
      got(item);
    },
    {
      schema: object({ item: object({ id: string }) }),
      accepts: [[{ item: { id: "a" } }, [{ id: "a" }]]],
      refuses: [[{ item: {} }, "$.item.id"]],
    },
  ),
  row(
    "a key of another type parameter's constraint",
    function read<Key extends "name" | "age">(key: Key, keys: Key[]) {
      got(key, keys);
    },
    {
      schema: object({ key: oneOf("name", "age"), keys: list(oneOf("name", "age")) }),
      accepts: [[{ key: "age", keys: ["name"] }, ["age", ["name"]]]],
      refuses: [[{ key: "size", keys: [] }, "$.key"]],
    },
  ),
  row(
    "a type parameter that extends nothing takes anything, with a warning",
    function echo<Value>(value: Value) {
      got(value);
    },
    {
      schema: object({ value: anything }),
      accepts: [[{ value: [1] }, [[1]]]],
      refuses: [[{}, "$.value"]],
      warns: [/Value/],
    },
  ),
  row(
    "built-in generics",
    function save(values: Readonly<Record<string, ReadonlyArray<number>>>) {
      got(values);
    },
    {
      schema: object({ values: record(list(number)) }),
      accepts: [[{ values: { a: [1] } }, [{ a: [1] }]]],
      refuses: [[{ values: { a: [true] } }, "$.values.a[0]"]],
    },
  ),
]);
