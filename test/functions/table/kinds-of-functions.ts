import { tool } from "skein";
import { got, row, theme, type Theme } from "../row.ts";
import { described, list, number, object, oneOf, returned, string } from "../schemas.ts";
import { Greeter, Host } from "./shared/greeters.ts";

/** Greets. @param name - Whom */
function declaration(name: string): void {
  got(name);
}

/** Greets shortly. */
const arrow = (name: string): void => got(name);

/** Greets in time. */
const asyncArrow = async (name: string): Promise<void> => got(name);

/** Greets under a name of its own. */
const expression = function ownName(name: string): void {
  got(name);
};

/** Greets later. */
async function asynchronous(name: string): Promise<void> {
  await Promise.resolve();
  got(name);
}

/** Greets step by step. */
function* generator(name: string): Generator<string, void> {
  yield "begun";
  got(name);
}

/** Greets step by step, later. */
async function* asyncGenerator(name: string): AsyncGenerator<string, { greeted: string }> {
  yield "begun";
  got(name);
  return { greeted: name };
}

const bag = {
  /** Greets as a method. */
  method(name: string): void {
    got(name);
  },
  /** Greets as a property. */
  property: (name: string): void => got(name),
  async asyncMethod(name: string): Promise<void> {
    got(name);
  },
  "quoted-name"(name: string): void {
    got(name);
  },
  *steps(name: string): Generator<void> {
    yield got(name);
  },
};

/** Makes greeters. */
function greeterWith(word: string) {
  /** Greets with a word of its own. */
  return function greeter(name: string): void {
    got(word, name);
  };
}

const shortGreeterWith =
  (word: string) =>
  (who: string): void =>
    got(word, who);

/** Greets in full. @param greeting - The word @param first - Given name @param last - Family name */
function greetInFull(greeting: string, first: string, last = "Nobody"): void {
  got(greeting, first, last);
}

const host = new Host("Hello");
type Formatter = (text: string, style: "bold" | "plain") => void;
/** Formats. */
const typed: Formatter = (text, style) => got(text, style);
const satisfying = ((text: string, count = 1) => got(text, count)) satisfies (text: string) => void;

/** By text. @param key - The name */
function overloaded(key: string): void;
/** By number. */
function overloaded(key: number): void;
function overloaded(key: string | number): void {
  got(key);
}

function withProperties(name: string): void {
  got(name);
}
withProperties.version = "1";

function sameName(text: string): void {
  got("outer", text);
}

const inner = {
  sameName(count: number): void {
    got("inner", count);
  },
};

function withThis(this: { readonly word: string }, name: string): void {
  got(this.word, name);
}

function sumOf(...terms: number[]): void {
  got(terms);
}

const name = {
  schema: object({ name: string }),
  refuses: [
    [{}, "$.name"],
    [{ name: {} }, "$.name"],
  ],
} as const;
const takesAda = [[{ name: "Ada" }, ["Ada"]]] as const;
const helloAda = [[{ name: "Ada" }, ["Hello", "Ada"]]] as const;

export const functions: Theme = theme("kinds of functions", [
  row("a declaration", declaration, {
    schema: object({ name: described("Whom", string) }),
    description: "Greets.",
    accepts: takesAda,
    refuses: name.refuses,
  }),
  row("an arrow function", arrow, { ...name, description: "Greets shortly.", accepts: takesAda }),
  row("an async arrow function", asyncArrow, { ...name, description: "Greets in time.", accepts: takesAda }),
  row("an expression goes by its own name", expression, {
    ...name,
    name: "ownName",
    description: "Greets under a name of its own.",
    accepts: takesAda,
  }),
  row("an async function", asynchronous, { ...name, description: "Greets later.", accepts: takesAda }),
  row("a generator", generator, { ...name, description: "Greets step by step.", accepts: takesAda }),
  row("an async generator", asyncGenerator, {
    ...name,
    description: "Greets step by step, later.",
    output: returned({ greeted: string }),
    accepts: [[{ name: "Ada" }, ["Ada"], { greeted: "Ada" }]],
  }),
  row("a function with properties", withProperties, { ...name, accepts: takesAda }),
  row("one typed by an alias", typed, {
    description: "Formats.",
    schema: object({ text: string, style: oneOf("bold", "plain") }),
    accepts: [[{ text: "a", style: "bold" }, ["a", "bold"]]],
    refuses: [[{ text: "a", style: "thin" }, "$.style"]],
  }),
  row("one that satisfies a type", satisfying, {
    schema: object({ text: string, count: { ...number, default: 1 } }, ["count"]),
    accepts: [[{ text: "a" }, ["a", 1]]],
    refuses: [[{ count: 1 }, "$.text"]],
  }),
  row("of several overloads, the first, with a warning", overloaded, {
    description: "By text.",
    schema: object({ key: described("The name", string) }),
    accepts: [[{ key: "a" }, ["a"]]],
    refuses: [[{ key: {} }, "$.key"]],
    warns: [/overload/],
  }),
  row("one of two with the same name", sameName, {
    schema: object({ text: string }),
    accepts: [[{ text: "a" }, ["outer", "a"]]],
    refuses: [[{ count: 1 }, "$.text"]],
  }),
  row("the other of two with the same name", inner.sameName, {
    schema: object({ count: number }),
    accepts: [[{ count: 1 }, ["inner", 1]]],
    refuses: [[{ text: "a" }, "$.count"]],
  }),
]);

export const methods: Theme = theme("methods", [
  row("of an object", bag.method, { ...name, description: "Greets as a method.", accepts: takesAda }),
  row("an arrow function as a property", bag.property, {
    ...name,
    description: "Greets as a property.",
    accepts: takesAda,
  }),
  row("async", bag.asyncMethod, { ...name, accepts: takesAda }),
  row("with a quoted name", bag["quoted-name"], { ...name, accepts: takesAda }),
  row("that are generators", bag.steps, { ...name, accepts: takesAda }),
  row("static", Greeter.create, { ...name, description: "Greets without an instance.", accepts: takesAda }),
  row("of an instance, bound", host.greet.bind(host), {
    ...name,
    name: "greet",
    description: "Greets like a host.",
    accepts: [[{ name: "Ada" }, ["Hello!", "Ada"]]],
  }),
  row("in a field", host.field, { ...name, description: "Greets as a field.", accepts: helloAda }),
  row("with this, bound", withThis.bind({ word: "Hello" }), { ...name, name: "withThis", accepts: helloAda }),
]);

export const closures: Theme = theme("closures and bound functions", [
  row("from a factory", greeterWith("Hello"), {
    ...name,
    name: "greeter",
    description: "Greets with a word of its own.",
    accepts: helloAda,
  }),
  row("from a factory, with another word", greeterWith("Hi"), {
    ...name,
    name: "greeter",
    description: "Greets with a word of its own.",
    accepts: [[{ name: "Ada" }, ["Hi", "Ada"]]],
  }),
  row("without a name, from arrow functions", tool(shortGreeterWith("Hello"), { name: "greetShortly" }), {
    name: "greetShortly",
    schema: object({ who: string }),
    accepts: [[{ who: "Ada" }, ["Hello", "Ada"]]],
    refuses: [[{}, "$.who"]],
  }),
  row("the first argument given", greetInFull.bind(undefined, "Hello"), {
    name: "greetInFull",
    description: "Greets in full.",
    schema: object(
      {
        first: described("Given name", string),
        last: { ...string, description: "Family name", default: "Nobody" },
      },
      ["last"],
    ),
    accepts: [[{ first: "Ada" }, ["Hello", "Ada", "Nobody"]]],
    refuses: [[{ greeting: "Hi", first: "Ada" }, "$.greeting"]],
  }),
  row("two arguments given", greetInFull.bind(undefined, "Hello", "Ada"), {
    name: "greetInFull",
    description: "Greets in full.",
    schema: object({ last: { ...string, description: "Family name", default: "Nobody" } }, ["last"]),
    accepts: [
      [{}, ["Hello", "Ada", "Nobody"]],
      [{ last: "L" }, ["Hello", "Ada", "L"]],
    ],
    refuses: [[{ first: "Ada" }, "$.first"]],
  }),
  row("arguments given one after another", greetInFull.bind(undefined, "Hello").bind(undefined, "Ada"), {
    name: "greetInFull",
    description: "Greets in full.",
    schema: object({ last: { ...string, description: "Family name", default: "Nobody" } }, ["last"]),
    accepts: [[{ last: "L" }, ["Hello", "Ada", "L"]]],
    refuses: [[{ last: {} }, "$.last"]],
  }),
  row("every argument given", declaration.bind(undefined, "Ada"), {
    name: "declaration",
    description: "Greets.",
    schema: object({}),
    accepts: [[{}, ["Ada"]]],
    refuses: [[{ name: "Eve" }, "$.name"]],
  }),
  row("bound without an argument", arrow.bind(undefined), {
    ...name,
    name: "arrow",
    description: "Greets shortly.",
    accepts: takesAda,
  }),
  row(
    "from a function called at once",
    ((word: string) =>
      function instant(name: string) {
        got(word, name);
      })("Hello"),
    {
      ...name,
      name: "instant",
      accepts: helloAda,
    },
  ),
  row("the first of a rest given", sumOf.bind(undefined, 1), {
    name: "sumOf",
    schema: object({ terms: list(number) }, ["terms"]),
    accepts: [[{ terms: [2, 3] }, [[1, 2, 3]]]],
    refuses: [[{ terms: ["a"] }, "$.terms[0]"]],
  }),
]);
