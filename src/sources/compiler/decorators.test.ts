import { afterAll, beforeAll, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

const decorators = [
  "(_f: unknown, c: ClassMethodDecoratorContext) => { c.addInitializer(() => {}); }",
  "(_f, c: ClassMethodDecoratorContext) => { c.addInitializer(() => {}); }",
  "function (_f: unknown, _c: unknown) {}",
  "make('x')",
  "all['one']",
  "true ? (_f: unknown, _c: unknown) => {} : () => {}",
  "1, (_f: unknown, _c: unknown) => {}",
  "plain satisfies unknown",
  "plain as any",
  "((x) => x)((_f: unknown, _c: unknown) => {})",
  "new (class { at = (_f: unknown, _c: unknown) => {}; })().at",
];
const uses = decorators.flatMap((decorator) => [
  `class Unrelated { @(${decorator}) method(name: string) { return name; } }`,
  `@(${decorator}) class Unrelated { method(name: string) { return name; } }`,
  `class Kit { @(${decorator}) method(name: string) { return name; } } toolkit(new Kit());`,
]);
let sites: UseSites;

beforeAll(async () => {
  sites = await openUseSites(
    {},
    uses,
    (text) => `import { tool, toolkit } from "skein";
const plain = (_f: unknown, _c: unknown) => {};
const make = (_name: string) => plain;
const all = { one: plain };
export function weather(city: string) { return city; }
${text}
export const tools = [tool(weather)];`,
  );
});

afterAll(() => sites.close());

test.for(uses)("a decorator that is an expression is passed over: %s", (use) => {
  const { kinds, problems } = sites.describe(use);
  expect(problems).toBe("");
  // The second one is the parameter of the method.
  expect(kinds).toEqual(use.includes("toolkit") ? ["property", "property"] : ["property"]);
});
