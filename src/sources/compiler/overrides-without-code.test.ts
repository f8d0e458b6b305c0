import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

let useSites: UseSites;

const own = `
  export interface Port { pay(from: string, to: string): string }
  export class Crossed implements Port { pay(to: string, from: string) { return from + to; } }
  export const port: Port = new Crossed();
  export const ports: Port[] = [port];
  export abstract class Bank { abstract pay(from: string, to: string): string }
  export class Rich extends Bank { pay(to: string, from: string) { return from + to; } }
  export class Richer extends Rich {}
  export const bank: Bank = new Richer();
  export const banks = new Map<string, Bank>();
  export const openBank = (): Bank => new Rich();
  export const object: Port = { pay: (to, from) => from + to };

  export interface Mover { move(from: string, to: string): string }
  const move = (to: string, from: string) => from + to;
  export const movers: Mover[] = [{ move }];
  export interface Sender { send: (from: string, to: string) => string }
  export class Mail { send = (to: string, from: string) => from + to; }
  export declare const sender: Sender;
  export interface Caller { call: (from: string, to: string) => string }
  export class Phone implements Caller { call; constructor() { this.call = move; } }
  export declare const caller: Caller;
  export interface Turner { turn(from: string, to: string): string }
  export class Apart implements Turner { turn(...[to, from]: [string, string]) { return from + to; } }
  export declare const turner: Turner;

  export interface Clock { tell(zone: string, format?: string, options?: { utc: boolean }): string }
  export class Real implements Clock { tell(zone: string, format = "short", { utc } = { utc: true }) { return zone + format + String(utc); } }
  export class Fake implements Clock { tell() { return "noon"; } }
  export class Lazy implements Clock { tell(_zone: string, _: string) { return "noon"; } }
  export class Passing implements Clock { tell(...parts: unknown[]) { return String(parts); } }
  export class Longer implements Clock { tell(zone: string, format?: string, options?: { utc: boolean }, more?: number) { return zone + String(format) + String(options) + String(more); } }
  export class Tower { tell(hours: number) { return String(hours); } }
  export declare const clock: Clock;
  export abstract class Task { abstract work(name: string): string }
  export class Own extends Task { work(name: string, hard = false) { return name + String(hard); } }
  export declare const task: Task;
  export const straight: Port = { pay: (from, to) => from + to };
`;

const refused: readonly (readonly [tools: string, other: string])[] = [
  ["[toolkit(port)]", "Crossed.pay"],
  ["[port.pay]", "Crossed.pay"],
  ["[port.pay.bind(port)]", "Crossed.pay"],
  ["[logged(port.pay)]", "Crossed.pay"],
  ["[toolkit(ports[0]!)]", "Crossed.pay"],
  ["[toolkit(bank)]", "Rich.pay"],
  ["[bank.pay]", "Rich.pay"],
  ["[toolkit(banks.get('a')!)]", "Crossed.pay"],
  ["[toolkit(openBank())]", "Rich.pay"],
  ["[toolkit(object)]", "pay"],
  ["[toolkit(movers[0]!)]", "move"],
  ["[toolkit(sender)]", "Mail.send"],
  ["[toolkit(caller)]", "move"],
  ["[toolkit(turner)]", "Apart.turn"],
];

const described: readonly (readonly [tools: string, kinds: readonly string[]])[] = [
  ["[toolkit(new Crossed())]", ["property", "property"]],
  ["[toolkit(new Richer())]", ["property", "property"]],
  ["[object.pay]", ["property", "property"]],
  ["[toolkit(straight)]", ["property", "property"]],
  ["[toolkit(clock)]", ["property", "property", "property"]],
  ["[clock.tell]", ["property", "property", "property"]],
  ["[toolkit(task)]", ["property"]],
];

beforeAll(async () => {
  const all = [...refused, ...described].map(([tools]) => tools);
  useSites = await openUseSites({ "own.ts": own }, all, programOf);
});

afterAll(() => useSites.close());

function programOf(tools: string): string {
  const values = [...own.matchAll(/export (?:declare )?(?:class|const) (\w+)/g)].map(([, name]) => name);
  return `import { Agent, toolkit } from "skein";
    import { ${values.join(", ")} } from "./own.ts";
    function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R { return (...args) => fn(...args); }
    new Agent({ name: "A", tools: ${tools} });`;
}

describe("a method without code is refused where one with other names may run", () => {
  test.each(refused)("%s", (tools, other) => {
    const { kinds, problems } = useSites.describe(tools);
    expect(problems).toContain(`in ${other}, its place is that of "from" in the description (`);
    expect(kinds).toEqual([]);
  });

  test("the error names the place and what to write", () => {
    const { problems } = useSites.describe("[toolkit(port)]");
    expect(problems).toContain('The signature of "pay" is that of Port, and another method may run');
    expect(problems).toMatch(/parameter "to": in Crossed\.pay, its place is that of "from".*own\.ts:3\)/);
    expect(problems).toContain("Pass the object by its own type, such as toolkit(new Mine())");
    expect(useSites.describe("[toolkit(turner)]").problems).toContain('parameter "[]": in Apart.turn');
  });
});

test.each(described)("%s is described: what may run has the same names", (tools, kinds) => {
  expect(useSites.describe(tools)).toEqual({ kinds, problems: "" });
});
