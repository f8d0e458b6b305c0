import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, type Compiler, type FunctionSchema } from "./index.ts";
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
    `,
    "script.js": `
      /** @this {{ step: number }}
       * @param {string} a */
      export function inScript(a) { return a + this.step; }
    `,
    "app.ts": `
      import { tool } from "skein";
      import { written } from "./functions.ts";
      function onCounter<R>(fn: (this: { step: number }, a: string) => R): (a: string) => R {
        return (a) => fn.call({ step: 1 }, a);
      }
      function same<F extends (...args: never[]) => unknown>(fn: F): F { return fn; }
      const erased: (a: string) => string = written;
      export const one = tool(onCounter(written));
      export const two = tool(same(written));
      export const three = tool(erased);
      export const four = tool(written, { input: { type: "object" } });
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
    inScript: step,
  });
});

test("of what a wrapper returns, its own type says it; a type that hides it changes nothing", () => {
  const { sites, problems } = compiler.useSites(program.path("app.ts"));
  expect(problems).toEqual([]);
  const schemas = sites.map(({ schemas }): FunctionSchema => JSON.parse(String(schemas)));
  expect(schemas.map(({ thisType }) => thisType)).toEqual([undefined, step, step, step]);
});
