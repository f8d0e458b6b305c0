import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openUseSites, type UseSites } from "./test-use-sites.ts";

let useSites: UseSites;

/** Types as the packages write them: all of these have the type of the function that they get. */
const lodash = `
  declare const _: _.LoDashStatic;
  declare namespace _ {
    interface DebouncedFunc<T extends (...args: any) => any> { (...args: Parameters<T>): ReturnType<T> | undefined; cancel(): void }
    interface DebouncedFuncLeading<T extends (...args: any) => any> extends DebouncedFunc<T> { (...args: Parameters<T>): ReturnType<T> }
    interface TwoWays { (text: string): void; (count: number): void }
    interface LoDashStatic {
      throttle<T extends (...args: any) => any>(func: T, wait?: number): DebouncedFuncLeading<T>;
      either(func: (...args: any) => any): TwoWays;
      debounce<T extends (...args: any) => any>(func: T, wait: number | undefined, options: { leading: true }): DebouncedFuncLeading<T>;
      flip<T extends (...args: any) => any>(func: T): T;
      debounce<T extends (...args: any) => any>(func: T, wait?: number): { (...args: Parameters<T>): ReturnType<T> | undefined; cancel(): void };
      once<T extends (...args: any) => any>(func: T): T;
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
  export const cast = _.flip as <T>(fn: T) => T;
  export const applied = <F extends (...args: any[]) => any>(fn: F): F => _.flip.apply(undefined, [fn]) as F;
  export const through = <F extends (...args: any[]) => any>(wrap: (fn: F) => F, fn: F): F => wrap(fn);
  export declare function ambient<F>(fn: F): F;
  interface Wrapper { wrap<F>(fn: F): F }
  export declare const wrapper: Wrapper;
  export const written: Wrapper = { wrap: (fn) => fn };
  export function overloaded<F>(fn: F): F;
  export function overloaded<F>(fn: F, by?: number): F { return fn; }
  export class Limit { wrap<F extends (...args: any[]) => any>(fn: F): F { return fn; } }
`;
const ambient = `
  declare module "untyped-flip" { export function flip<F extends (...args: any[]) => any>(fn: F): F; }
  declare module "@lodash/flip" { const flip: <F>(fn: F) => F; export default flip; }
  declare module "p-debounce" { export default function pDebounce<F>(fn: F): F; }
`;

const refused: readonly string[] = [
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
  "[_.flip.call(undefined, remove) as typeof remove]",
  "[_.flip.apply(undefined, [remove]) as typeof remove]",
  "[Reflect.apply(_.flip, undefined, [remove]) as typeof remove]",
  "[_.memoize(_.flip.call(undefined, remove) as typeof remove)]",
  "[_.memoize(_.flip.apply(undefined, [remove]) as typeof remove)]",
  "[applied(remove)]",
  "[flip(remove)]",
  "[scopedFlip(remove)]",
  "[_.memoize(flip(remove))]",
  "[cast(remove)]",
  "[(_.flip as <T>(fn: T) => T)(remove)]",
  "[ambient(remove)]",
  "[wrapper.wrap(remove)]",
  "[through(_.flip, remove)]",
  "[logged(through(flip, remove))]",
  "[[remove].map(_.flip).at(0)!]",
  "[((wrap: <F>(fn: F) => F) => tool(wrap(remove)))(flip)]",
];
const severalWays = "[_.either(twice)]";
const withInput =
  "[tool(flip(remove), { input: { type: 'object', properties: { target: {}, caller: {} } } })]";
const described: readonly (readonly [tools: string, kinds: readonly string[]])[] = [
  ["[_.debounce(remove, 5)]", ["property", "context"]],
  ["[_.memoize(remove)]", ["property", "context"]],
  ["[pThrottle({})(remove)]", ["property", "context"]],
  ["[logged(_.debounce(remove))]", ["property", "context"]],
  ["[late(remove)]", ["property", "context"]],
  ["[_.memoize.call(undefined, remove) as typeof remove]", ["property", "context"]],
  ["[pDebounce(remove)]", ["property", "context"]],
  ["[written.wrap(remove)]", ["property", "context"]],
  ["[overloaded(remove)]", ["property", "context"]],
  ["[new Limit().wrap(remove)]", ["property", "context"]],
  ["[logged.call(undefined, remove) as typeof remove]", ["property", "context"]],
  ["[through(_.once, remove)]", ["property", "context"]],
  ["[through(logged, remove)]", ["property", "context"]],
  ["[Object.assign(remove, { cache: 1 })]", ["property", "context"]],
  ["[_.throttle(twice)]", ["property"]],
  ["[_.throttle(remove)]", ["property", "context"]],
  ["[_.debounce(twice, 5, { leading: true })]", ["property"]],
  ["[flip(twice)]", ["property"]],
  ["[_.flip(twice)]", ["property"]],
  ["[chain(twice).value()]", ["property"]],
  [
    "[(target: object, caller: ToolContext) => flipped(target as never, caller as never)]",
    ["property", "context"],
  ],
];
const all: readonly string[] = [...refused, ...described.map(([tools]) => tools), withInput, severalWays];

beforeAll(async () => {
  const files = {
    "node_modules/@types/lodash/index.d.ts": lodash,
    "node_modules/p-throttle/index.d.ts": throttle,
    "node_modules/p-throttle/package.json": '{"name":"p-throttle","types":"./index.d.ts"}',
    "own.ts": own,
    "ambient.d.ts": ambient,
  };
  useSites = await openUseSites(files, all, programOf);
});

afterAll(() => useSites.close());

function programOf(tools: string): string {
  return `import { Agent, tool, type ToolContext } from "skein";
      import _ from "lodash";
      import pThrottle, { chain, wrapAll } from "p-throttle";
      import { flip } from "untyped-flip";
      import scopedFlip from "@lodash/flip";
      import pDebounce from "p-debounce";
      import { ambient, applied, cast, flipped, late, Limit, logged, overloaded, remove, through, turned, twice, wrapper, written } from "./own.ts";
      declare const lodash: typeof _;
      new Agent({ name: "A", tools: ${tools} });`;
}

describe("a function with a context is refused within a wrapper of a package that may pass it another argument", () => {
  test.each(refused)("%s", (tools) => {
    const { kinds, problems } = useSites.describe(tools);
    expect(problems).toMatch(
      /only the code of .* shows (?:at which place|where) it passes the ToolContext on/,
    );
    expect(kinds).toEqual([]);
  });

  test("nor is it placed for a schema of its own", () => {
    expect(useSites.describe(withInput)).toEqual({
      kinds: [],
      problems: expect.stringContaining("its parameters are not known"),
    });
  });

  test("the error names the wrapper, and the function to write", () => {
    const { problems } = useSites.describe("[_.flip(remove)]");
    expect(problems).toContain("only the code of _.flip shows");
    expect(problems).toContain("(city: string, caller: ToolContext) => wrapped(city, caller)");
  });
});

test.each(described)("%s is described: its places are known, or there is no context", (tools, expected) => {
  expect(useSites.describe(tools)).toEqual({ kinds: expected, problems: "" });
});

test("a type with signatures that differ in what they take is refused", () => {
  expect(useSites.describe(severalWays)).toEqual({
    kinds: [],
    problems: expect.stringContaining("its type has 2 signatures"),
  });
});
