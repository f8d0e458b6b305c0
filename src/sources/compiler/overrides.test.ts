import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

let useSites: UseSites;

const own = `
  import { toolkit, tool, Agent, type ToolContext } from "skein";
  type C = ToolContext<{ user: string }>;
  export interface Plugin { run(name: string, extra: object): string }
  export class Mine implements Plugin { run(name: string, ctx: C) { return name + ctx.context.user; } }
  export const plugins: Plugin[] = [new Mine()];
  export const byName: Record<string, Plugin> = { mine: new Mine() };
  export class Holder { constructor(readonly plugin: Plugin) {} }
  export const holder = new Holder(new Mine());
  export function makePlugin(): Plugin { return plugins[0]!; }
  export interface Step { step(name: string, extra: object): string }
  export const makeStep = (): Step => ({ step(name: string, ctx: C) { return name + ctx.context.user; } });
  export declare const someStep: Step;
  export abstract class Task { abstract work(name: string, extra: object): string }
  export class MyTask extends Task { work = (name: string, ctx: C): string => name + ctx.context.user; }
  export function makeTask(): Task { return new MyTask(); }
  export interface Store<Item> { save(item: Item, extra: object): string }
  export class Shelf<Item> implements Store<Item> { save(item: Item, ctx: C) { return String(item) + ctx.context.user; } }
  export declare const store: Store<string>;
  function greet(name: string, ctx: C) { return name + ctx.context.user; }
  export interface Greeter { hail(name: string, extra: any): string }
  export const greeters: Greeter[] = [{ hail: greet }];

  export class Bank { pay(to: string, amount?: number) { return to + String(amount); } }
  export class Rich extends Bank { override pay(to: string, amount = 5000) { return to + String(amount); } }
  export function makeBank(): Bank { return new Rich(); }
  export const bank: Bank = new Rich();
  export class Mover { move(from: string, to: string) { return from + to; } }
  export class Backwards extends Mover { override move(to: string, from: string) { return to + from; } }
  export declare const mover: Mover;

  export class Patched { patch(name: string, extra: any): string { return name + String(extra); } }
  Patched.prototype.patch = greet;
  export class Instance { call(name: string, extra: any): string { return name + String(extra); } }
  export const instance = new Instance();
  instance["call"] = greet;
  export class Injected { handle: (name: string, extra: any) => string; constructor() { this.handle = greet; } }
  export class Given { look: (name: string) => string; constructor(look: (name: string) => string) { this.look = look; } }

  export class Calculator { add(a: number, b = 1) { return a + b; } twice = (a: number) => 2 * a; bound(a: number) { return a; } constructor() { this.bound = this.bound.bind(this); } }
  export interface Clock { tell(zone: string, format?: string): string }
  export class RealClock implements Clock { tell(zone: string, format = "short") { return zone + format; } }
  export class FakeClock implements Clock { tell() { return "noon"; } }
  export class NamedClock implements Clock { tell(area: string) { return area; } }
  export function makeClock(): Clock { return new RealClock(); }
  export class Cat { feed(what: string, grams = 10) { return what + String(grams); } }
  export class Kitten extends Cat { override feed(_what: string, grams = 10) { return String(grams); } }
  export declare const cat: Cat;
  export class Radio { tune(to: string, ctx: C) { return to + ctx.context.user; } }
  export interface Tunable { tune(to: number, loud: string): string }
  export declare const tunable: Tunable;
  export class Exact { go(to: string) { return to; } }
  export class ExactSub extends Exact { override go(to: string, speed = 9, ctx?: C) { return to + String(speed) + String(ctx); } }
  export const exact = new Exact();
  export const makeExact = () => new Exact();
  export interface Caller { ring(name: string, ctx: C): string }
  export class MyCaller implements Caller { ring(name: string, ctx: C) { return name + ctx.context.user; } }
  export declare const caller: Caller;
  export class Door { open(how: string) { return how; } }
  export class Window { open(how: number) { return String(how); } }
  export const pane = new Window();
  pane.open = greet as never;
  export const door = new Door();
  export class Oven { heat(by: number) { return by; } }
  const heat = Oven.prototype.heat;
  Oven.prototype.heat = function (this: Oven, ...args: [number]) { return heat.apply(this, args); };
  door.open = (how: string) => how + "!";
`;

const refused: readonly (readonly [tools: string, member: string])[] = [
  ["[toolkit(plugins[0]!)]", "run"],
  ["[toolkit(byName['mine']!)]", "run"],
  ["[toolkit(holder.plugin)]", "run"],
  ["[toolkit(makePlugin())]", "run"],
  ["[makePlugin().run]", "run"],
  ["{ run: holder.plugin.run }", "run"],
  ["[logged(holder.plugin.run)]", "run"],
  ["[holder.plugin.run.bind(holder.plugin)]", "run"],
  ["((p: Plugin) => [toolkit(p)])(new Mine())", "run"],
  ["((p: any) => [toolkit(p as Plugin)])(new Mine())", "run"],
  ["[toolkit(someStep)]", "step"],
  ["[toolkit(makeTask())]", "work"],
  ["[toolkit(store)]", "save"],
  ["[toolkit(greeters[0]!)]", "hail"],
  ["[toolkit(makeBank())]", "pay"],
  ["[toolkit(bank)]", "pay"],
  ["[bank.pay]", "pay"],
  ["[toolkit(mover)]", "move"],
  ["[toolkit(new Patched())]", "patch"],
  ["[toolkit(instance)]", "call"],
  ["[instance.call]", "call"],
  ["[toolkit(new Injected())]", "handle"],
];

const described: readonly (readonly [tools: string, kinds: readonly string[]])[] = [
  ["[toolkit(new Mine())]", ["property", "context"]],
  ["[toolkit(new Rich())]", ["property", "property"]],
  ["[toolkit(new Calculator())]", ["property", "property", "property", "property"]],
  ["[new Calculator().add]", ["property", "property"]],
  ["[toolkit(makeClock())]", ["property", "property"]],
  ["[makeClock().tell]", ["property", "property"]],
  ["[toolkit(cat)]", ["property", "property"]],
  ["[toolkit(tunable)]", ["property", "property"]],
  ["[toolkit(exact)]", ["property"]],
  ["[toolkit(makeExact())]", ["property"]],
  ["[makeExact().go]", ["property"]],
  ["[toolkit(caller)]", ["property", "context"]],
  ["[toolkit(door)]", ["property"]],
  ["[toolkit(new Oven())]", ["property"]],
  ["[toolkit(new Given((name) => name))]", ["property"]],
];

const all = [...refused, ...described].map(([tools]) => tools);

beforeAll(async () => {
  useSites = await openUseSites({ "own.ts": own }, all, programOf);
});

afterAll(() => useSites.close());

function programOf(tools: string): string {
  const names = [
    ...own.matchAll(/export (?:declare )?(?:abstract )?(?:class|const|function|interface) (\w+)/g),
  ];
  return `import { Agent, toolkit } from "skein";
    import { ${names.map(([, name]) => (/interface/.test(own.split(` ${name}`)[0]?.slice(-9) ?? "") ? `type ${name}` : name)).join(", ")} } from "./own.ts";
    function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R { return (...args) => fn(...args); }
    new Agent<{ user: string }>({ name: "A", tools: ${tools} });`;
}

describe("a method that may be another one when the program runs is refused", () => {
  test.each(refused)("%s", (tools, member) => {
    const { kinds, problems } = useSites.describe(tools);
    expect(problems).toContain(`The signature of "${member}" is `);
    expect(problems).toContain("and another method may run");
    expect(kinds).toEqual([]);
  });

  test("the error names the type, the member that may run, and what to do", () => {
    const { problems } = useSites.describe("[toolkit(makePlugin())]");
    expect(problems).toContain('The signature of "run" is that of Plugin');
    expect(problems).toMatch(/parameter "ctx": Mine\.run takes a ToolContext.*own\.ts:5\)/);
    expect(problems).toContain("such as toolkit(new Mine())");
  });

  test("the error names what is assigned, and where", () => {
    const { problems } = useSites.describe("[toolkit(instance)]");
    expect(problems).toMatch(/call is assigned, and greet takes a ToolContext.*own\.ts:36\)/);
    expect(problems).toContain("Pass a function of your own instead of call");
  });
});

test.each(described)("%s is described: what may run takes the same", (tools, kinds) => {
  expect(useSites.describe(tools)).toEqual({ kinds, problems: "" });
});
