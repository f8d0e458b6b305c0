import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

let useSites: UseSites;

const own = `
  import type { ToolContext } from "skein";
  type C = { user: string };
  type Loose = (city: string, ctx: any) => string;
  export function whoami(city: string, ctx: ToolContext<C>) { return city + ctx.context.user; }
  export function perhaps(city: string, ctx?: ToolContext<C>) { return city + ctx?.context.user; }
  export function within(city: string, options: { ctx: ToolContext<C> }) { return city + options.ctx.context.user; }
  export function spread(...all: [city: string, ctx: ToolContext<C>]) { return all[0] + all[1].context.user; }
  export const holder: { m(city: string, ctx: object): string } = {
    m(city: string, ctx: ToolContext<C>) { return city + ctx.context.user; },
  };
  export const annotated: Loose = (city, ctx: ToolContext<C>) => city + ctx.context.user;
  export const copied: Loose = whoami;
  export class Base { m(city: string, ctx: object): string { return city + String(ctx); } }
  export class Kit extends Base { override m(city: string, ctx: ToolContext<C>): string { return city + ctx.context.user; } }
  export class Same extends Base { override m(city: string, ctx: object): string { return city + "!" + String(ctx); } }
  export const kit: Base = new Kit();
  export const same: Base = new Same();
  export function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R { return (...args) => fn(...args); }
  export const loggedLoosely: Loose = logged(whoami);
  export function asAdmin(fn: typeof whoami): (city: string) => string {
    return (city) => fn(city, { context: { user: "admin" } } as ToolContext<C>);
  }
  export function over(city: string, who: any): string;
  export function over(city: string, ctx: ToolContext<C>): string { return city + ctx.context.user; }
  export function overAll(city: string, ctx: ToolContext<C>): string;
  export function overAll(city: number, ctx: ToolContext<C>): string;
  export function overAll(city: unknown, ctx: ToolContext<C>): string { return String(city) + ctx.context.user; }
  export function overKept(city: string, ctx: ToolContext<C>): string;
  export function overKept(...all: unknown[]): string { return String(all); }
`;
const script = `
  /** @typedef {import("skein").ToolContext<{ user: string }>} Context */
  /** @type {(city: string, ctx: any) => string} */
  export const inScript = (city, /** @type {Context} */ ctx) => city + ctx.context.user;
  /**
   * @overload
   * @param {string} city
   * @param {any} who
   * @returns {string}
   */
  /**
   * @param {string} city
   * @param {Context} ctx
   * @returns {string}
   */
  export function overInScript(city, ctx) { return city + ctx.context.user; }
`;

const refused: readonly string[] = [
  "[holder.m]",
  "{ m: holder.m }",
  "[annotated]",
  "[copied]",
  "[whoami as (city: string, ctx: any) => string]",
  "[(whoami as (city: string, ctx: any) => string) as (city: string, ctx: object) => string]",
  "[whoami as never as (city: string) => string]",
  "[perhaps as (city: string) => string]",
  "[within as (city: string, options: any) => string]",
  "[spread as (city: string, ctx: any) => string]",
  "[loggedLoosely]",
  "[logged(whoami) as (city: string, ctx: any) => string]",
  "[logged(annotated)]",
  "[logged(whoami as (city: string, ctx: any) => string)]",
  "[tool(whoami as (city: string, ctx: any) => string)]",
  "[toolkit(kit)]",
  "[toolkit(new Kit() as { m(city: string, ctx: object): string })]",
  "[toolkit(holder)]",
  "[inScript]",
];
const withInput =
  "[tool(annotated, { input: { type: 'object', properties: { city: { type: 'string' }, ctx: {} } } })]";
const overloaded: readonly string[] = ["[over]", "[overInScript]"];
const described: readonly (readonly [tools: string, kinds: readonly string[]])[] = [
  ["[whoami]", ["property", "context"]],
  ["[whoami as (city: 'Rome', ctx: ToolContext<C>) => string]", ["property", "context"]],
  ["[perhaps as (city: string, ctx: ToolContext<C>) => string]", ["property", "context"]],
  ["[spread as (city: string, ctx: ToolContext<C>) => string]", ["property", "context"]],
  ["[asAdmin(whoami)]", ["property"]],
  ["[(city: string) => whoami(city, {} as never)]", ["property"]],
  ["[logged(whoami)]", ["property", "context"]],
  ["[whoami.bind(null, 'Rome')]", ["context"]],
  ["[(whoami as (city: string, ctx: any) => string).bind(null, 'Rome')]", ["context"]],
  ["{ ...({ whoami } as Record<string, (city: string, ctx: any) => string>) }", ["property", "context"]],
  ["[overAll]", ["property", "context"]],
  ["[overKept]", ["property", "context"]],
  ["[toolkit(same)]", ["property", "property"]],
  ["[toolkit(new Kit())]", ["property", "context"]],
];
const all: readonly string[] = [...refused, ...overloaded, ...described.map(([tools]) => tools), withInput];

beforeAll(async () => {
  const files = {
    "own.ts": own,
    "script.js": script,
  };
  useSites = await openUseSites(files, all, programOf);
});

afterAll(() => useSites.close());

function programOf(tools: string): string {
  return `import { Agent, tool, toolkit, type ToolContext } from "skein";
      import { annotated, asAdmin, copied, holder, kit, Kit, logged, loggedLoosely, over, overAll, overKept, perhaps, same, spread, whoami, within } from "./own.ts";
      import { inScript, overInScript } from "./script.js";
      type C = { user: string };
      new Agent<C>({ name: "A", tools: ${tools} });`;
}

describe("a function that takes a context is refused where the type by which it is used hides it", () => {
  test.each(refused)("%s", (tools) => {
    const { kinds, problems } = useSites.describe(tools);
    expect(problems).toMatch(/it takes a ToolContext, which the type of the expression does not have there/);
    expect(kinds).toEqual([]);
  });

  test("the error names the function, the parameter, and what to do", () => {
    const { problems } = useSites.describe("[holder.m]");
    expect(problems).toContain('The signature of "m" is used by a type without its ToolContext');
    expect(problems).toContain('parameter "ctx": it takes a ToolContext');
    expect(problems).toContain("own.ts:10");
    expect(problems).toContain("Declare the type with the context");
    expect(problems).not.toContain("tool(fn, { input");
  });

  test("a schema of its own does not help: nothing shows which argument is the context", () => {
    const { kinds, problems } = useSites.describe(withInput);
    expect(kinds).toEqual([]);
    expect(problems).toContain("its parameters are not known");
  });

  test.each(overloaded)("%s: an overload hides it", (tools) => {
    const { kinds, problems } = useSites.describe(tools);
    expect(problems).toContain("its code takes a ToolContext where this overload has none");
    expect(kinds).toEqual([]);
  });
});

test.each(described)(
  "%s is described: its type has the context, or another function takes it away",
  (tools, expected) => {
    expect(useSites.describe(tools)).toEqual({ kinds: expected, problems: "" });
  },
);
