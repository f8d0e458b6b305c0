import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

const own = `
  import type { ToolContext } from "skein";
  export function refund(context: ToolContext<{ user: string }>, name: string) { return [context.context.user, name]; }
  export function twice(n: number) { return n * 2; }
  export function applied(fn: (...args: any[]) => unknown, ...args: any[]) { return fn(...args); }
  export const telephone = { /** Calls. */ call(number: string) { return number; } };
  export class Telephone { call(number: string) { return number; } }
  export const once = <F extends (...args: any[]) => any>(fn: F): F => fn;
`;

const refused = [
  "[refund.call]",
  "[refund.call.bind(refund, undefined)]",
  "[refund.apply.bind(refund, undefined) as (args: string[]) => unknown]",
  "[refund.bind.bind(refund) as (by: string) => unknown]",
  "{ call: refund.call }",
  "[tool(refund.call.bind(refund, undefined), { timeout: 5 })]",
  "[tool(refund.call.bind(refund, undefined), { input: { type: 'object', properties: { args: { type: 'array' } } } })]",
  "[Function.prototype.call.bind(refund) as (self: string, c: { a: string }, name: string) => string]",
  "[Function.prototype.apply.bind(refund, null) as (args: unknown[]) => string]",
  "[Reflect.apply]",
  "[Reflect.apply.bind(null, refund, null) as (args: unknown[]) => string]",
  "[Reflect.apply.bind(null, refund, null)]",
  "[once(refund.call.bind(refund, undefined))]",
  "[once(Reflect.apply) as (a: string) => string]",
  "[setTimeout.bind(null, refund, 0)]",
  "[applied.bind(null, refund)]",
  "[twice.call.bind(twice)]",
];

const described: readonly (readonly [tools: string, kinds: readonly string[]])[] = [
  ["[twice.bind(null)]", ["property"]],
  ["[refund.bind(null)]", ["context", "property"]],
  ["[telephone.call]", ["property"]],
  ["[telephone.call.bind(telephone)]", ["property"]],
  ["[new Telephone().call.bind(new Telephone())]", ["property"]],
];

let sites: UseSites;

beforeAll(async () => {
  sites = await openUseSites(
    { "own.ts": own },
    [...refused, ...described.map(([tools]) => tools)],
    (tools) => `import { Agent, tool } from "skein";
import { applied, once, refund, telephone, Telephone, twice } from "./own.ts";
export const agent = new Agent({ name: "A", tools: ${tools} });
void [tool, applied, once, refund, telephone, Telephone, twice];`,
  );
});

afterAll(() => sites.close());

describe("functions that call others with what they get", () => {
  test.for(refused)("%s is not a tool", (tools) => {
    const { kinds, problems } = sites.describe(tools);
    expect(kinds).toEqual([]);
    expect(problems).toMatch(
      /calls another function with all that it gets|is bound to it|parameters are not known/,
    );
  });

  test.for(described)("%s is a tool", ([tools, kinds]) => {
    expect(sites.describe(tools)).toEqual({ kinds, problems: "" });
  });
});
