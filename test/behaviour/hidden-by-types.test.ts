/* oxlint-disable typescript/no-explicit-any -- programs write it */
import { expect, test } from "vitest";
import { schemaOf, type ToolContext } from "skein";

type Hidden = (city: string, who: any) => unknown;
type Move = (from: string, to: string) => unknown;

const real = (city: string, who: ToolContext<{ user: string }>) => `${city} for ${who.context.user}`;
const swapped = (to: string, from: string) => `${from} to ${to}`;
const hidden: Record<string, Hidden> = { go: real };
const hiddenMap = new Map<string, Hidden>([["go", real]]);
const moves: Record<string, Move> = { go: swapped };
const typedMove: Move = (to, from) => `${from} to ${to}`;

interface Port {
  pay(from: string, to: string): unknown;
}
const port: Port = { pay: (to: string, from: string) => `${from} to ${to}` };

interface Bank {
  send(from: string, to: string): unknown;
  close(account: string, who: any): unknown;
}
class MyBank implements Bank {
  send(to: string, from: string) {
    return `${from} to ${to}`;
  }
  close(account: string, who: ToolContext<{ user: string }>) {
    return `${account} of ${who.context.user}`;
  }
}
const bank: Bank = new MyBank();

class Retrier<Args extends unknown[], Result> {
  readonly run: (...args: Args) => Result;
  constructor(fn: (...args: Args) => Result) {
    this.run = (...args) => fn(...args);
  }
}

function wrapAll<T extends object>(target: T): T {
  const entries = ["send", "close"].map((key) => {
    const method: unknown = Reflect.get(target, key);
    return [key, (...args: unknown[]): unknown => typeof method === "function" && method.apply(target, args)];
  });
  return Object.fromEntries(entries);
}

function traced<T extends object>(target: T): T {
  return new Proxy(target, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key);
      return typeof value === "function" ? (...args: unknown[]): unknown => value.apply(of, args) : value;
    },
  });
}

function audited<Args extends unknown[], Result>({ fn }: { fn: (...args: Args) => Result }) {
  return (...args: Args): Result => fn(...args);
}

function lazily<Args extends unknown[], Result>(get: () => (...args: Args) => Result) {
  return (...args: Args): Result => get()(...args);
}

async function connected<Args extends unknown[], Result>(fn: (...args: Args) => Result) {
  return (...args: Args): Result => fn(...args);
}

function logged<Args extends unknown[], Result>(fn: (...args: Args) => Result) {
  return (...args: Args): Result => fn(...args);
}

function define(fn: Move) {
  return fn;
}

test.each([
  ["an entry of a record", () => schemaOf(logged(hidden["go"]!))],
  ["a value of a map", () => schemaOf(logged(hiddenMap.get("go")!))],
  ["written type arguments", () => schemaOf(logged<[city: string, who: any], unknown>(real))],
])("a wrapper whose type may hide a context is refused: %s", async (_, schema) => {
  await expect(schema()).rejects.toThrow(/any, which may hide a ToolContext|takes a ToolContext/);
});

test.each([
  ["a typed object's method", () => schemaOf(logged(port.pay))],
  ["a typed constant", () => schemaOf(logged(typedMove))],
  ["an entry of a record", () => schemaOf(logged(moves["go"]!))],
])("a wrapper whose type may name arguments otherwise than the code is refused: %s", async (_, schema) => {
  await expect(schema()).rejects.toThrow(/other names in its code than in its type|known by a type alone/);
});

test.each([
  ["a property that a constructor sets", () => schemaOf(new Retrier(bank.close).run)],
  ["an object that is given", () => schemaOf(audited({ fn: bank.close }))],
  ["a callback that returns it", () => schemaOf(lazily(() => bank.close))],
  ["a promise", async () => schemaOf(await connected(bank.close))],
  ["an object made of another", () => schemaOf(wrapAll(bank).close)],
  ["a proxy", () => schemaOf(traced(bank).close)],
])("an interface's method that takes a context is refused within %s", async (_, schema) => {
  await expect(schema()).rejects.toThrow(/ToolContext/);
});

test.each([
  ["a property that a constructor sets", () => schemaOf(new Retrier(bank.send).run)],
  ["an object that is given", () => schemaOf(audited({ fn: bank.send }))],
  ["a callback that returns it", () => schemaOf(lazily(() => bank.send))],
  ["a promise", async () => schemaOf(await connected(bank.send))],
  ["an object made of another", () => schemaOf(wrapAll(bank).send)],
  ["a proxy", () => schemaOf(traced(bank).send)],
])("an interface's method with other names in its code is refused within %s", async (_, schema) => {
  await expect(schema()).rejects.toThrow(/type|names|"from"/);
});

test("a helper that returns what it gets has the names of the function", async () => {
  const { inputSchema } = await schemaOf(define(swapped));
  expect(Object.keys(inputSchema.properties ?? {})).toEqual(["to", "from"]);
});
