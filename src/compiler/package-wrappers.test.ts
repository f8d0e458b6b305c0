import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCompiler, type Compiler } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

let compiler: Compiler;
let program: MadeUpProgram;

/** Types as the packages write them: all of these have the type of the function that they get. */
const lodash = `
  declare const _: _.LoDashStatic;
  declare namespace _ {
    interface LoDashStatic {
      flip<T extends (...args: any) => any>(func: T): T;
      debounce<T extends (...args: any) => any>(func: T, wait?: number): { (...args: Parameters<T>): ReturnType<T> | undefined; cancel(): void };
      memoize: { <T extends (...args: any) => any>(func: T): T & { cache: object }; Cache: object };
      partial<A, R extends unknown[], T>(func: (a: A, ...rest: R) => T, a: A): (...rest: R) => T;
      mapValues<T extends object>(record: T, change: (fn: any) => any): T;
    }
  }
  export = _;
`;
const throttle = `
  export default function pThrottle(options: object): <F extends (...args: readonly any[]) => unknown>(fn: F) => F;
  export declare function chain<F extends (...args: any[]) => any>(fn: F): { value(): F };
  export declare function wrapAll<F>(options: { readonly fn: F }): F;
`;

const own = `
  import type { ToolContext } from "skein";
  import _ from "lodash";
  type Target = { context: { role: string } };
  /** Removes. */
  export const remove = (target: Target, caller: ToolContext<{ role: string }>) => [target, caller];
  export const twice = (n: number) => n * 2;
  export function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R { return (...args) => fn(...args); }
  export const turned = <F extends (...args: any[]) => any>(fn: F): F => _.flip(fn);
  export const late = <F extends (...args: any[]) => any>(fn: F) => _.debounce(fn);
  export const flipped = _.flip(remove);
`;

beforeAll(async () => {
  program = await madeUpProgram({
    "node_modules/@types/lodash/index.d.ts": lodash,
    "node_modules/p-throttle/index.d.ts": throttle,
    "node_modules/p-throttle/package.json": '{"name":"p-throttle","types":"./index.d.ts"}',
    "own.ts": own,
  });
  compiler = await openCompiler({ cwd: program.folder });
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

let count = 0;

async function attached(expression: string): Promise<{ readonly kinds: unknown; readonly problems: string }> {
  const file = `wrapped-${(count += 1)}.ts`;
  await program.write({
    [file]: `import { Agent, type ToolContext } from "skein";
      import _ from "lodash";
      import pThrottle, { chain, wrapAll } from "p-throttle";
      import { flipped, late, logged, remove, turned, twice } from "./own.ts";
      declare const lodash: typeof _;
      new Agent({ name: "A", tools: ${expression} });`,
  });
  compiler.refresh();
  const { sites, problems } = compiler.useSites(program.path(file));
  const texts = JSON.stringify(sites.map(({ schemas }) => schemas));
  return {
    kinds: [...texts.matchAll(/kind\W+(\w+)/g)].map(([, kind]) => kind),
    problems: problems.join("\n"),
  };
}

describe("a function with a context is refused within a wrapper of a package that may pass it another argument", () => {
  test.each([
    "[_.flip(remove)]",
    "[flipped]",
    "[_.flip(logged(remove))]",
    "[logged(_.flip(remove))]",
    "[_.memoize(_.flip(remove))]",
    "[turned(remove)]",
    "[_.flip((target: object, caller: ToolContext) => [target, caller])]",
    "[_.partial(remove, { context: { role: 'admin' } })]",
    "[chain(remove).value()]",
    "[wrapAll({ fn: remove })]",
    "_.mapValues({ remove }, _.flip)",
  ])("%s", async (tools) => {
    const { kinds, problems } = await attached(tools);
    expect(problems).toMatch(
      /only the code of .* tells (?:at which place|where) it passes the ToolContext on/,
    );
    expect(kinds).toEqual([]);
  });

  test("the error names the wrapper, and the function to write", async () => {
    const { problems } = await attached("[_.flip(remove)]");
    expect(problems).toContain("only the code of _.flip tells");
    expect(problems).toContain("(city: string, caller: ToolContext) => wrapped(city, caller)");
  });
});

test.each([
  ["[_.debounce(remove, 5)]", ["property", "context"]],
  ["[_.memoize(remove)]", ["property", "context"]],
  ["[pThrottle({})(remove)]", ["property", "context"]],
  ["[logged(_.debounce(remove))]", ["property", "context"]],
  ["[late(remove)]", ["property", "context"]],
  ["[_.flip(twice)]", ["property"]],
  ["[chain(twice).value()]", ["property"]],
  [
    "[(target: object, caller: ToolContext) => flipped(target as never, caller as never)]",
    ["property", "context"],
  ],
])("%s is described: its places are known, or there is no context", async (tools, expected) => {
  expect(await attached(tools)).toEqual({ kinds: expected, problems: "" });
});
