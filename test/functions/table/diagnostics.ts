import { tool } from "skein";
import { inexpressible, theme, withoutSchema, type Theme } from "../row.ts";

class Account {
  balance = 0;
  deposit(amount: number): void {
    this.balance += amount;
  }
}

class Vault {
  readonly #code: string = "";
  open(): string {
    return this.#code;
  }
}

class Guarded {
  private readonly secret: string = "";
  reveal(): string {
    return this.secret;
  }
}

interface Listener {
  topic: string;
  notify: (text: string) => void;
}

const key = Symbol("key");
type Grow<Value> = { value: Value; more: Grow<Value[]> };

declare enum Computed {
  Some,
}

export const diagnostics: Theme = theme("what no schema can express", [
  inexpressible(
    "a function",
    function each(items: string[], visit: (item: string) => void) {
      items.forEach(visit);
    },
    ["visit", /function/, "visit: (item: string) => void"],
  ),
  inexpressible(
    "a function as a property",
    function listen(to: Listener) {
      return to;
    },
    ["to.notify", /function/, "notify: (text: string) => void"],
  ),
  inexpressible(
    "functions in a list",
    function all(tasks: (() => Promise<void>)[]) {
      return tasks;
    },
    ["tasks[]", /function/, "tasks:"],
  ),
  inexpressible(
    "a constructor",
    function make(kind: new () => Account) {
      return kind;
    },
    ["kind", /function|constructor/, "kind: new"],
  ),
  inexpressible(
    "a symbol",
    function name(of: symbol) {
      return of;
    },
    ["of", /symbol/, "of: symbol"],
  ),
  inexpressible(
    "one symbol",
    function exact(of: typeof key) {
      return of;
    },
    ["of", /symbol/, "of: typeof key"],
  ),
  inexpressible(
    "a property whose key is a symbol",
    function keyed(value: { [key]: string }) {
      return value;
    },
    ["value", /symbol/, "value: {"],
  ),
  inexpressible(
    "an index signature of symbols",
    function indexed(value: { [name: symbol]: string }) {
      return value;
    },
    ["value", /symbol|index/, "value: {"],
  ),
  inexpressible(
    "never",
    function impossible(value: never) {
      return value;
    },
    ["value", /never/, "value: never"],
  ),
  inexpressible(
    "an intersection that nothing fits",
    function neither(value: string & number) {
      return value;
    },
    ["value", /never/, "value: string & number"],
  ),
  inexpressible(
    "a promise",
    function wait(value: Promise<string>) {
      return value;
    },
    ["value", /Promise/, "value: Promise"],
  ),
  inexpressible(
    "a class with methods",
    function pay(from: Account) {
      return from;
    },
    ["from", /Account|function|method/, "from: Account"],
  ),
  inexpressible(
    "a class with private fields",
    function open(vault: Vault) {
      return vault;
    },
    ["vault", /Vault|private/, "vault: Vault"],
  ),
  inexpressible(
    "a class with fields declared private",
    function guard(it: Guarded) {
      return it;
    },
    ["it", /Guarded|private/, "it: Guarded"],
  ),
  inexpressible(
    "objects of the platform",
    function read(signal: AbortSignal, pattern: RegExp, cache: WeakMap<object, string>) {
      return [signal, pattern, cache];
    },
    ["signal", /AbortSignal/, "signal: AbortSignal"],
    ["pattern", /RegExp/, "pattern: RegExp"],
    ["cache", /WeakMap/, "cache: WeakMap"],
  ),
  inexpressible(
    "several at once, each at its place",
    function many(fine: string, call: () => void, deep: { list: { at: symbol }[] }) {
      return [fine, call, deep];
    },
    ["call", /function/, "call: () => void"],
    ["deep.list[].at", /symbol/, "deep: {"],
  ),
  inexpressible(
    "in every alternative of a union",
    function either(value: symbol | (() => string)) {
      return value;
    },
    ["value", /symbol/, "value: symbol |"],
    ["value", /function/, "value: symbol |"],
  ),
  inexpressible(
    "two destructured parameters without names",
    function two({ a }: { a: string }, { b }: { b: string }) {
      return [a, b];
    },
    ["{ a }", /destructured/, "{ a }"],
    ["{ b }", /destructured/, "{ b }"],
  ),
  inexpressible(
    "a destructured array without a name",
    function first([head]: string[]) {
      return head;
    },
    ["[head]", /destructured/, "[head]"],
  ),
  inexpressible(
    "a destructured union",
    function branch({ kind }: { kind: "a"; a: string } | { kind: "b"; b: string }) {
      return kind;
    },
    ["{ kind }", /destructured/, "{ kind }"],
  ),
  inexpressible(
    "a type that grows without end",
    function grow(value: Grow<string>) {
      return value;
    },
    ["value", /deep|end|recurs/i, "value: Grow"],
  ),
  inexpressible(
    "an enum whose values are not known",
    function computed(value: Computed) {
      return value;
    },
    ["value", /enum/, "value: Computed"],
  ),
]);

// oxlint-disable-next-line no-new-func -- what the row is about
const evaluated = new Function("city", "return city") as (city: string) => string;
// oxlint-disable-next-line no-eval -- what the row is about
const viaEval = (0, eval)("(city) => city") as (city: string) => string;

export const sourceless: Theme = theme("functions without a source", [
  withoutSchema("built-in ones", Math.max, /"max".*built in/s),
  withoutSchema("bound built-in ones", Math.max.bind(null, 1), /built in/),
  withoutSchema("new Function", evaluated, /no file/),
  withoutSchema("eval", tool(viaEval, { name: "viaEval" }), /no file/),
  withoutSchema("a class", Account as unknown as () => void, /"Account".*class/s),
  withoutSchema(
    "renamed while it runs",
    Object.defineProperty((city: string) => city, "name", { value: "elsewhere" }),
    /"elsewhere"/,
  ),
  withoutSchema("a method of a built-in object", [].concat, /"concat".*built in/s),
]);
