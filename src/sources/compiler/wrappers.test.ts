import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCompiler, type Compiler, type FunctionSchema, type SchemaTree } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

let compiler: Compiler;
let program: MadeUpProgram;

const wrappers = `
  import type { ToolContext } from "skein";
  /**
   * Doubles a number.
   * @param n - What to double @minimum 1
   */
  export function twice(n: number) { return n * 2; }
  /** Adds. */
  export const add = (a: number, b = 2, context?: ToolContext) => a + b;
  /** Books a table. */
  export function book({ city, people = 2 }: { city: string; people?: number }) { return city + people; }
  export function withLog<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
    return (...args) => { console.log(args); return fn(...args); };
  }
  export const timed = <A extends readonly unknown[], R>(fn: (...args: A) => R) => function timer(...args: A) { return fn(...args); };
  export function memoize<F extends (...args: never[]) => unknown>(fn: F): F & { cache: Map<string, unknown> } {
    return Object.assign(fn, { cache: new Map<string, unknown>() });
  }
  export function same<F extends (...args: any[]) => unknown>(fn: F): F { return fn; }
  export function partial<First, Rest extends unknown[], R>(fn: (first: First, ...rest: Rest) => R, first: First): (...rest: Rest) => R {
    return (...rest) => fn(first, ...rest);
  }
  export function debounce<F extends (...args: any[]) => any>(fn: F, wait?: number): { (...args: Parameters<F>): ReturnType<F> | undefined; cancel(): void } {
    return Object.assign((...args: Parameters<F>) => fn(...args), { cancel() {} });
  }
  export declare function forget(fn: (...args: any[]) => any): (...args: any[]) => any;
  export declare function loosely(fn: Function): Function;
  export declare function curry<A, B, R>(fn: (a: A, b: B) => R): { (a: A): (b: B) => R; (a: A, b: B): R };
  export declare function flip<A, B, R>(fn: (a: A, b: B) => R): (b: B, a: A) => R;
  export declare function compose<A, B, C>(second: (b: B) => C, first: (a: A) => B): (a: A) => C;
  export function notify(done: () => void) {
    /** Sends a letter. */
    return function send(to: string) { done(); return to; };
  }
  export function choose(yes: boolean, one: (n: number) => number, other: (n: number) => number) { if (yes) return one; return other; }
  export class Repository<Item> {
    /** Stores an item. */
    store(item: Item) { return item; }
  }
  function logged(method: (this: unknown, ...args: any[]) => unknown, _: ClassMethodDecoratorContext) {
    return function (this: unknown, ...args: any[]) { return method.apply(this, args); };
  }
  export class Kit {
    /** Heats. */
    @logged heat(by: number) { return by; }
  }
  export const loud = withLog(twice);
  export declare const library: {
    bind(fn: (...args: any[]) => any, self: object | undefined, ...bound: unknown[]): (...args: any[]) => any;
    freeze(fn: (n: number) => number): (times: string) => string;
  };
  export { library as Object };
  /** Sends money. @param from - Who pays @param to - Who receives */
  export function send(from: string, to: string) { return from + to; }
  export const toFirst = (fn: (from: string, to: string) => string) => (to: string, from: string) => fn(from, to);
  export function payerLast<A, B, R>(fn: (payer: A, receiver: B) => R) { return (receiver: B, payer: A): R => fn(payer, receiver); }
  export function typedFirst(fn: typeof send): (to: string, from: string) => string { return (to, from) => fn(from, to); }
  export const byCents = (fn: typeof send) => (to: string, cents = "5") => fn(cents, to);
  export const undo: typeof send = (to, from) => from + to;
  export const undoFirst: typeof send = (to) => to;
  export const again: typeof send = (from, to) => from + to;
  export const lavish: typeof partly = (to, people = 1000) => to + people;
  /** Invites. @param to - Where */
  export function partly(to: string, people = 5) { return to + people; }
  export function second(first: typeof send, other: typeof send) { return other; }
  export function unsend(first: string, second: string) { return first + second; }
  export const archive: typeof send = unsend;
  export const mailer = (log: (level: string, message: string) => void) => (address: string, text: string) => log(address, text);
  export const later = <T>(work: (n: number) => T) => (date: number) => work(date);
  /** Pays. @param payer - Who pays @param amount - Who receives */
  export function pay(payer: string, amount: string) { return payer + amount; }
  export function audited<A extends unknown[], R>(log: (from: string, to: string) => string, fn: (...args: A) => R) { return (...args: A): R => (log("a", "b"), fn(...args)); }
  export function when<A extends unknown[], R>(check: (...args: A) => boolean, act: (...args: A) => R) { return (...args: A) => check(...args) ? act(...args) : undefined; }
  /** Whether it may. */
  export function may(account: string, owner: string) { return account !== owner; }
  /**
   * Orders.
   * @param item - What
   * @param amount - How many @minimum 1
   */
  export function order(item: string, amount: number) { return item + amount; }
  export const within = <A extends unknown[], R>(o: { fn: (...a: A) => R }) => (...a: A): R => o.fn(...a);
  export const first = <A extends unknown[], R>(list: ((...a: A) => R)[]) => (...a: A): R => list[0]!(...a);
  export const lazily = <A extends unknown[], R>(create: () => (...a: A) => R) => (...a: A): R => create()(...a);
  export const withItem = <A extends unknown[], R>(fn: (...a: A) => R) => (item: string, ...a: A): R => (console.log(item), fn(...a));
  /** Takes it back. @param amount - How many @maximum 5 */
  export function takeBack(item: string, amount: number) { return item + amount; }
  export const either = <A extends unknown[], R>(one: (...a: A) => R, other: (...a: A) => R) => (...a: A): R => yes ? one(...a) : other(...a);
  declare const yes: boolean;
  export class Runner<A extends unknown[], R> {
    constructor(private readonly fn: (...a: A) => R) {}
    run(...a: A): R { return this.fn(...a); }
  }
  export type Narrow = (n: 1 | 2) => number;
  export const narrow: Narrow = twice;
`;

beforeAll(async () => {
  program = await madeUpProgram({ "wrappers.ts": wrappers });
  compiler = await openCompiler({ cwd: program.folder });
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

let count = 0;

async function attached(expression: string): Promise<{
  readonly schema: unknown;
  readonly warnings: unknown;
  readonly problems: readonly string[];
}> {
  const file = `wrapped-${(count += 1)}.ts`;
  await program.write({
    [file]: `import { schemaOf, toolkit } from "skein";
      import { either, takeBack, first, lazily, order, Runner, within, withItem, add, again, archive, audited, book, byCents, choose, compose, curry, debounce, flip, forget, Kit, later, lavish, library, mailer, may, Object, loosely, loud, memoize, narrow, notify, partial, pay, payerLast, Repository, same, second, send, timed, toFirst, twice, typedFirst, undo, undoFirst, unsend, when, withLog } from "./wrappers.ts";
      declare const yes: boolean;
      ${expression.startsWith("toolkit") ? expression : `schemaOf(${expression})`};`,
  });
  compiler.refresh();
  const { sites, problems } = compiler.useSites(program.path(file));
  expect(sites.length).toBeLessThan(2);
  const tree = sites[0]?.schemas;
  const warnings: unknown = typeof tree === "string" ? JSON.parse(tree).warnings : undefined;
  return { schema: tree && parsed(tree), warnings, problems };
}

function parsed(tree: SchemaTree): unknown {
  if (typeof tree !== "string") {
    return Object.fromEntries(Object.entries(tree).map(([name, inner]) => [name, parsed(inner ?? "null")]));
  }
  const schema: FunctionSchema = JSON.parse(tree);
  const { name, description, inputSchema, parameters } = schema;
  return {
    name,
    description,
    properties: inputSchema["properties"],
    required: inputSchema["required"],
    kinds: parameters.map(({ kind }) => kind),
  };
}

const n = { type: "number", description: "What to double", minimum: 1 };
const doubled = {
  name: "twice",
  description: "Doubles a number.",
  properties: { n },
  required: ["n"],
  kinds: ["property"],
};
const added = {
  name: "add",
  description: "Adds.",
  properties: { a: { type: "number" }, b: { type: "number", default: 2 } },
  required: ["a"],
  kinds: ["property", "property", "context"],
};

const [from, to] = ["Who pays", "Who receives"].map((description) => ({ type: "string", description }));
const sends = "Sends money.";

test.each([
  ["toFirst(send)", sends, { to, from }],
  ["typedFirst(send)", sends, { to, from }],
  ["payerLast(send)", sends, { receiver: { type: "string" }, payer: { type: "string" } }],
  ["flip(send)", sends, { b: { type: "string" }, a: { type: "string" } }],
  ["byCents(send)", undefined, { to: { type: "string" }, cents: { type: "string", default: "5" } }],
  ["mailer(send)", undefined, { address: { type: "string" }, text: { type: "string" } }],
  ["later(twice)", undefined, { date: { type: "number" } }],
  ["audited(send, pay)", "Pays.", { payer: from, amount: to }],
  ["undo", undefined, { to: { type: "string" }, from: { type: "string" } }],
  ["undoFirst", undefined, { to: { type: "string" } }],
  ["again", sends, { from, to }],
  [
    "lavish",
    "Invites.",
    { to: { type: "string", description: "Where" }, people: { type: "number", default: 1000 } },
  ],
  ["second(send, unsend)", undefined, { first: { type: "string" }, second: { type: "string" } }],
  ["archive", undefined, { first: { type: "string" }, second: { type: "string" } }],
])(
  "%s keeps the names of its own parameters, which may be those of other places",
  async (expression, description, properties) => {
    const { schema, problems } = await attached(expression);
    expect(problems).toEqual([]);
    expect(schema).toMatchObject({ description, properties });
    expect(Object.keys(Object(schema).properties)).toEqual(Object.keys(properties));
  },
);

describe("what a wrapper returns is described by its type, in the words of the function that was wrapped", () => {
  test.each([
    ["withLog(twice)", doubled],
    ["timed(twice)", doubled],
    ["memoize(twice)", doubled],
    ["same(twice)", doubled],
    ["debounce(twice, 5)", doubled],
    ["withLog(timed(memoize(twice)))", doubled],
    ["loud", { ...doubled, name: "loud" }],
    ["withLog(add)", added],
    ["debounce(add)", added],
    [
      "withLog(book)",
      {
        name: "book",
        description: "Books a table.",
        properties: { city: { type: "string" }, people: { type: "number", default: 2 } },
        required: ["city"],
        kinds: ["object"],
      },
    ],
    [
      "withLog((n: number, context: import('skein').ToolContext) => n)",
      { name: "", properties: { n: { type: "number" } }, required: ["n"], kinds: ["property", "context"] },
    ],
    [
      "partial(add, 1)",
      {
        name: "add",
        description: "Adds.",
        properties: { b: { type: "number" } },
        kinds: ["property", "context"],
      },
    ],
    [
      "flip(twice as (n: number, times: string) => number)",
      {
        name: "twice",
        description: "Doubles a number.",
        properties: { b: { type: "string" }, a: { type: "number" } },
        required: ["b", "a"],
        kinds: ["property", "property"],
      },
    ],
    [
      "compose(twice, (text: string) => text.length)",
      { name: "", properties: { a: { type: "string" } }, required: ["a"], kinds: ["property"] },
    ],
    ["choose(yes, twice, twice)", doubled],
    [
      "notify(() => {})",
      {
        name: "send",
        description: "Sends a letter.",
        properties: { to: { type: "string" } },
        required: ["to"],
        kinds: ["property"],
      },
    ],
    [
      "Object.freeze(twice)",
      {
        name: "",
        properties: { times: { type: "string" } },
        required: ["times"],
        kinds: ["property"],
      },
    ],
    ["globalThis.Object.freeze(twice)", doubled],
    ["narrow", { ...doubled, properties: { n: { ...n, enum: [1, 2] } } }],
    ["twice as (n: 5) => number", { ...doubled, properties: { n: { ...n, const: 5 } } }],
    [
      "withLog(add).bind(null, 1)",
      {
        name: "add",
        description: "Adds.",
        properties: { b: { type: "number" } },
        kinds: ["property", "context"],
      },
    ],
  ])("%s", async (expression, expected) => {
    const { schema, problems } = await attached(expression);
    expect(problems).toEqual([]);
    expect(schema).toEqual({ description: undefined, required: undefined, ...expected });
  });
});

const amount = { type: "number", description: "How many", minimum: 1 };
const item = { type: "string", description: "What" };

test.each([
  ["withLog(order.bind(null, 'x'))", { amount }],
  ["withLog(withLog(order).bind(null, 'x'))", { amount }],
  ["withItem(order.bind(null, 'x'))", { item: { type: "string" }, amount }],
  ["within({ fn: order })", { item, amount }],
  ["within({ fn: order.bind(null, 'x') })", { amount }],
  ["within({ fn: withLog(order) })", { item, amount }],
  ["withLog(within({ fn: order }))", { item, amount }],
  ["first([order])", { item, amount }],
  ["lazily(() => order)", { item, amount }],
  ["lazily(() => withLog(order))", { item, amount }],
  ["new Runner(order).run", { item, amount }],
])("%s has the words and the constraints of the function that it gets", async (expression, properties) => {
  const { schema, problems } = await attached(expression);
  expect(problems).toEqual([]);
  expect(schema).toMatchObject({ description: "Orders.", properties });
  expect(Object(schema).properties).toEqual(properties);
});

test.each(["first([order, takeBack])", "either(order, takeBack)"])(
  "%s has a warning, since nothing shows whose constraints count",
  async (expression) => {
    const { schema, warnings } = await attached(expression);
    expect(schema).toMatchObject({ properties: { item: { type: "string" }, amount: { type: "number" } } });
    expect(warnings).toEqual([
      expect.stringContaining("the constraints in the comment of order, takeBack are left out"),
    ]);
  },
);

test("a method is described by the type of its instance, decorated or not", async () => {
  expect((await attached("toolkit(new Repository<'book' | 'film'>())")).schema).toMatchObject({
    store: { description: "Stores an item.", properties: { item: { enum: ["book", "film"] } } },
  });
  expect((await attached("toolkit(new Kit())")).schema).toMatchObject({
    heat: { description: "Heats.", properties: { by: { type: "number" } } },
  });
  expect((await attached("new Kit().heat")).schema).toMatchObject({ properties: { by: { type: "number" } } });
});

test.each([
  ["forget(twice)", "says nothing of its parameters"],
  ["library.bind(twice, undefined, 1)", "says nothing of its parameters"],
  ["twice as (...args: unknown[]) => number", "says nothing of its parameters"],
  ["curry((a: number, b: number) => a + b)", "its type has 2 signatures"],
  ["when(may, pay)", "its type does not say which takes its arguments: may or pay"],
])("%s is refused: its type does not tell what it takes", async (expression, reason) => {
  const { schema, problems } = await attached(expression);
  expect(schema).toBeUndefined();
  expect(problems).toEqual([expect.stringContaining(reason)]);
});
