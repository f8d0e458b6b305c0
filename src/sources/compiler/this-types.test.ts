import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, type Compiler } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

let compiler: Compiler;
let program: MadeUpProgram;

beforeAll(async () => {
  program = await madeUpProgram({
    "functions.ts": `
      export function written(this: { step: number }, a: string) { return a + this.step; }
      export function nothing(this: void, a: string) { return a; }
      export function whatever(this: unknown, a: string) { return a; }
      export function loose(this: any, a: string) { return a; }
      export function maybe(this: { step: number } | undefined, a: string) { return a; }
      export function none(a: string) { return a; }
      export function anyone<T>(this: T, a: string) { return a; }
      export function someone<T extends { step: number }>(this: T, a: string) { return a + this.step; }
      export function noone<T extends { step: number } | undefined>(this: T, a: string) { return a + this?.step; }
    `,
    "script.js": `
      /** @this {{ step: number }}
       * @param {string} a */
      export function inScript(a) { return a + this.step; }
      /** @this {{ step: number }}
       * @param {string} a */
      export const arrow = (a) => a;
    `,
    "app.ts": `
      import { tool } from "skein";
      import { anyone, written } from "./functions.ts";
      class Shop {
        step = 1;
        own(this: this, a: string) { return a + this.step; }
      }
      function onCounter<R>(fn: (this: { step: number }, a: string) => R): (a: string) => R {
        return (a) => fn.call({ step: 1 }, a);
      }
      function same<F extends (...args: never[]) => unknown>(fn: F): F { return fn; }
      const erased: (a: string) => string = written;
      export const one = tool(onCounter(written));
      export const two = tool(same(written));
      export const three = tool(erased);
      export const four = tool(written, { input: { type: "object" } });
      export const five = tool(new Shop().own);
      export const six = tool(anyone);
    `,
  });
  compiler = await openCompiler({ cwd: program.folder });
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

const step = "{ step: number; }";

test("a schema says what a function needs this to be", () => {
  const found = ["functions.ts", "script.js"].flatMap((file) => [...compiler.exports(program.path(file))]);
  const types = found.map(([name, description]) => [
    name,
    description instanceof Error ? description.message : description.thisType,
  ]);
  expect(Object.fromEntries(types)).toEqual({
    written: step,
    nothing: undefined,
    whatever: undefined,
    loose: undefined,
    maybe: undefined,
    none: undefined,
    anyone: undefined,
    someone: step,
    noone: undefined,
    inScript: step,
    arrow: undefined,
  });
});

test("of what a wrapper returns, its own type says it; a type that hides it changes nothing", () => {
  const { sites, problems } = compiler.useSites(program.path("app.ts"));
  expect(problems).toEqual([]);
  const types = sites.map(({ schemas }) => typeof schemas === "string" && JSON.parse(schemas).thisType);
  expect(types).toEqual([undefined, step, step, step, "Shop", undefined]);
});
