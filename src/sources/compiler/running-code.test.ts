import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextMembers } from "./context-members.ts";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

let useSites: UseSites;

const own = `
  import type { ToolContext } from "skein";
  export type Hidden = (city: string, who: any) => unknown;
  export type Move = (from: string, to: string) => unknown;
  export function real(city: string, who: ToolContext<{ user: string }>) { return city + who.context.user; }
  export const swapped = (to: string, from: string) => from + to;
  export const straight = (from: string, to: string) => from + to;
  export function logged<Args extends unknown[], Result>(fn: (...args: Args) => Result) {
    return (...args: Args): Result => fn(...args);
  }
  export function loggedAs<F extends (...args: never[]) => unknown>(fn: F): F { return ((...args: never[]) => fn(...args)) as F; }
  export function loggedOf<Args extends unknown[], Result>({ fn }: { fn: (...args: Args) => Result }) {
    return (...args: Args): Result => fn(...args);
  }
  export function loggedMove(fn: Move): Move { return (...args) => fn(...args); }
  export function makeHidden(fn: Hidden) { return logged(fn); }
  export function makeMove(fn: Move) { return logged(fn); }
  export function makeOther(notify: () => void) { notify(); return logged(moves["go"]!); }
  export function defineHidden(fn: Hidden) { return fn; }
  export const defineMove = (fn: Move) => fn;
  export const same = <T,>(value: T): T => value;
  export class Registry { static hidden(fn: Hidden): Hidden { return fn; } static all: Move[] = []; move(fn: Move): Move { Registry.all.push(fn); return fn; } }
  export const registry = new Registry();
  export const defined = { go: defineHidden(real) };
  export const hiddens: Record<string, Hidden> = { go: real };
  export const hiddenMap = new Map<string, Hidden>([["go", real]]);
  export const hiddenList: Hidden[] = [real];
  export const moves: Record<string, Move> = { go: swapped };
  export const moveList: Move[] = [swapped];
  export const typedMove: Move = (to, from) => from + to;
  export const typedStraight: Move = (from, to) => from + to;
  export const typedHidden: Hidden = real;
  export let changing: Move = straight; changing = swapped;
  export class HiddenField { go: Hidden; constructor(go: Hidden) { this.go = go; } }
  export class MoveField { go: Move; constructor(go: Move) { this.go = go; } }
  export class MoveParameter { constructor(public send: Move) {} }
  export class TypedField { turn: Move = (to, from) => from + to; }
  export class OneField { one: (city: string) => unknown; constructor(one: (city: string) => unknown) { this.one = one; } }
  export const hiddenField = new HiddenField(real);
  export const moveField = new MoveField(swapped);
  export const moveParameter = new MoveParameter(swapped);
  export const typedField = new TypedField();
  export const oneField = new OneField((city) => city);
  export interface Port { pay(from: string, to: string): unknown }
  export const port: Port = { pay(to: string, from: string) { return from + to; } };
  export const portOf = (): Port => ({ pay: (to, from) => from + to });
  export interface Straight { lend(from: string, to: string): unknown }
  export const lender: Straight = { lend: (from, to) => from + to };
  export const lenders: Straight[] = [lender];
  export interface Factory { make(): Move }
  export declare const factory: Factory;
  export const ones: Record<string, (city: string) => string> = { one: (city) => city };
  export const cities: ((city: string) => string)[] = [(city) => city];
  export const frozen: Readonly<{ go: Move }> = Object.freeze({ go: straight });
  export interface Bank { send(from: string, to: string): string; close(account: string, who: any): string }
  class MyBank implements Bank {
    send(to: string, from: string) { return from + to; }
    close(account: string, who: ToolContext<{ user: string }>) { return account + who.context.user; }
  }
  export const bank: Bank = new MyBank();
  export class Retrier<A extends unknown[], R> {
    readonly run: (...args: A) => R;
    constructor(fn: (...args: A) => R) { this.run = (...args) => fn(...args); }
    static of<A extends unknown[], R>(fn: (...args: A) => R) { return new Retrier(fn); }
  }
  export const closer = new Retrier(bank.close);
  export function audited<A extends unknown[], R>({ fn }: { fn: (...args: A) => R; label?: string }) { return (...args: A): R => fn(...args); }
  export function auditedDeep<A extends unknown[], R>({ of: { these: [fn] } }: { of: { these: ((...args: A) => R)[] } }) { return (...args: A): R => fn!(...args); }
  export function withFallback<A extends unknown[], R>(fn: (...args: A) => R, o: { fallback?: (...args: A) => R }) { return (...args: A): R => (o.fallback ?? fn)(...args); }
  export function listed<A extends unknown[], R>([fn]: readonly ((...args: A) => R)[]) { return (...args: A): R => fn!(...args); }
  export function lazily<A extends unknown[], R>(get: () => (...args: A) => R) { return (...args: A): R => get()(...args); }
  export function lazilyOf<A extends unknown[], R>(get: () => { fn: (...args: A) => R }) { return (...args: A): R => get().fn(...args); }
  export async function connected<A extends unknown[], R>(fn: (...args: A) => R) { return (...args: A): R => fn(...args); }
  export const connectedClose = await connected(bank.close);
  export const connectedSend = await connected(bank.send);
  export const connectedStraight = await connected(straight);
  export const connectedReal = await connected(real);
  export function use<T>(build: (wrap: typeof logged) => T): T { return build(logged); }
  export function pipe<A, B>(value: A, then: (value: A) => B): B { return then(value); }
  export const bankFallback = { fallback: bank.close };
  export const bankMethods = { fn: bank.close };
  export const auditedMove = ({ fn }: { fn: Move }): Move => (...args) => fn(...args);
`;

/** Refused wherever programs run. */
const hiddenEverywhere = [
  "logged(hiddens['go']!)",
  "logged(hiddenMap.get('go')!)",
  "logged(hiddenList[0]!)",
  "logged<[city: string, who: any], unknown>(real)",
  "logged(real as Hidden)",
  "logged(typedHidden)",
  "logged(hiddenField.go)",
  "logged(logged(hiddens['go']!))",
  "loggedAs<Hidden>(real)",
  "loggedOf({ fn: hiddens['go']! })",
  "loggedOf<[city: string, who: any], unknown>({ fn: real })",
  "makeHidden(real)",
  "defineHidden(real)",
  "defineHidden((city: string, who: ToolContext) => city + who.toolCallId)",
  "Registry.hidden(real)",
  "same<Hidden>(real)",
  "defined.go",
  "hiddenField.go",
  "new Retrier(bank.close).run",
  "Retrier.of(bank.close).run",
  "closer.run",
  "audited({ fn: bank.close })",
  "audited({ ...bankMethods })",
  "audited(bankMethods)",
  "auditedDeep({ of: { these: [bank.close] } })",
  "withFallback((account: string, who: any) => account + who, { fallback: bank.close })",
  "withFallback((account: string, who: any) => account + who, bankFallback)",
  "listed([bank.close])",
  "lazily(() => bank.close)",
  "lazilyOf(() => ({ fn: bank.close }))",
  "connectedClose",
  "use((wrap) => wrap(bank.close))",
  "pipe(logged, (wrap) => wrap(bank.close))",
  "pipe(bank.close, (fn) => logged(fn))",
] as const;

const swappedEverywhere = [
  "logged(port.pay)",
  "logged(portOf().pay)",
  "logged(moves['go']!)",
  "logged(moveList[0]!)",
  "logged(typedMove)",
  "logged(changing)",
  "logged(typedField.turn)",
  "logged(moveField.go)",
  "logged(moveParameter.send)",
  "logged<[from: string, to: string], unknown>(swapped)",
  "logged(logged<[from: string, to: string], unknown>(swapped))",
  "loggedAs(typedMove)",
  "loggedAs<Move>(swapped)",
  "loggedOf({ fn: moves['go']! })",
  "loggedOf({ fn: typedMove })",
  "loggedMove(swapped)",
  "makeMove(swapped)",
  "logged(defineMove(swapped))",
  "makeOther(() => {})",
  "moveField.go",
  "moveParameter.send",
  "factory.make()",
  "new Retrier(bank.send).run",
  "audited({ fn: bank.send })",
  "withFallback((from: string, to: string) => from + to, { fallback: bank.send })",
  "withFallback(straight, { fallback: swapped as Move })",
  "listed([straight, bank.send])",
  "lazily(() => bank.send)",
  "connectedSend",
  "use((wrap) => wrap(bank.send))",
  "pipe(logged, (wrap) => wrap(bank.send))",
  "auditedMove({ fn(to, from) { return from + to; } })",
  "auditedMove({ fn: swapped })",
] as const;

const ofMember = (name: string): string =>
  `logged(({} as Record<string, (who: { ${name}?: string }) => unknown>)["go"]!)`;

const described: readonly (readonly [tools: string, names: readonly string[]])[] = [
  ["defineMove(swapped)", ["to", "from"]],
  ["defineMove((to, from) => from + to)", ["to", "from"]],
  ["same<Move>(swapped)", ["to", "from"]],
  ["same(typedMove)", ["to", "from"]],
  ["registry.move(swapped)", ["to", "from"]],
  ["typedMove", ["to", "from"]],
  ["typedField.turn", ["to", "from"]],
  ["port.pay", ["to", "from"]],
  ["frozen.go", ["from", "to"]],
  ["logged(frozen.go)", ["from", "to"]],
  ["logged(straight)", ["from", "to"]],
  ["logged(swapped)", ["to", "from"]],
  ["logged(typedStraight)", ["from", "to"]],
  ["logged(same(swapped))", ["to", "from"]],
  ["logged(lenders[0]!.lend)", ["from", "to"]],
  ["logged(lender.lend)", ["from", "to"]],
  ["loggedOf({ fn: straight })", ["from", "to"]],
  ["loggedMove(straight)", ["from", "to"]],
  ["makeMove(straight)", ["from", "to"]],
  ["logged(ones['one']!)", ["city"]],
  ["logged(cities[0]!)", ["city"]],
  ["oneField.one", ["city"]],
  ["logged(real)", ["city"]],
  ["new Retrier(straight).run", ["from", "to"]],
  ["new Retrier(real).run", ["city"]],
  ["audited({ fn: straight })", ["from", "to"]],
  ["audited({ fn: real, label: 'real' })", ["city"]],
  ["audited({ fn(from: string, to: string) { return from + to; } })", ["from", "to"]],
  ["auditedMove({ fn(from, to) { return from + to; } })", ["from", "to"]],
  ["auditedDeep({ of: { these: [straight] } })", ["from", "to"]],
  ["withFallback(straight, { fallback: (from, to) => to + from })", ["from", "to"]],
  ["withFallback(straight, {})", ["from", "to"]],
  ["listed([straight])", ["from", "to"]],
  ["lazily(() => straight)", ["from", "to"]],
  ["lazilyOf(() => ({ fn: straight }))", ["from", "to"]],
  ["connectedStraight", ["from", "to"]],
  ["connectedReal", ["city"]],
  ["use((wrap) => wrap(straight))", ["from", "to"]],
  ["pipe(logged, (wrap) => wrap(straight))", ["from", "to"]],
  ["logged((from: string, to: string) => moves['go']!(from, to))", ["from", "to"]],
];

beforeAll(async () => {
  const members = [...contextMembers, "city"].map(ofMember);
  const all = [...members, ...hiddenEverywhere, ...swappedEverywhere, ...described.map(([tools]) => tools)];
  useSites = await openUseSites({ "own.ts": own }, all, programOf);
});

afterAll(() => useSites.close());

function programOf(tools: string): string {
  const values = [...own.matchAll(/export (?:declare )?(?:class|const|let|function) (\w+)/g)].map(
    ([, name]) => name,
  );
  return `import { Agent, type ToolContext } from "skein";
    import { ${values.join(", ")}, type Hidden, type Move } from "./own.ts";
    new Agent({ name: "A", tools: { go: ${tools} } });`;
}

describe("a function whose context its type hides is refused", () => {
  test.each(hiddenEverywhere)("%s", (tools) => {
    const { kinds, problems } = useSites.describe(tools);
    expect(problems).toMatch(/ToolContext|any/);
    expect(kinds).toEqual([]);
  });
});

test.each(contextMembers)("what has nothing but %s may be a context", (name) => {
  expect(useSites.describe(ofMember(name)).problems).toMatch(/is known by a type alone/);
  expect(useSites.describe(ofMember("city")).problems).toBe("");
});

describe("a function that may name its parameters otherwise than its type is refused", () => {
  test.each(swappedEverywhere)("%s", (tools) => {
    const { kinds, problems } = useSites.describe(tools);
    expect(problems).not.toBe("");
    expect(kinds).toEqual([]);
  });
});

test.each(described)("%s has the names of the code that runs", (tools, names) => {
  expect(useSites.describe(tools).problems).toBe("");
  expect(useSites.names(tools)).toEqual(names);
});
