import { mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, reflection, type Project } from "./test-process.ts";

const esm = (main: string): string => JSON.stringify({ type: "module", exports: main });

/** Small packages, by the ways in which packages are made. */
const packages: Readonly<Record<string, string>> = {
  "plain/package.json": esm("./index.js"),
  "plain/index.js": `
    export { add } from "./add.js";
    export const m = (e, t) => e - t;
    export default function (n) { return n; }
    export class Kit { double(n) { return 2 * n; } put(value) { return value; } secret(key) { return key; } }
    export const nested = { half: (n) => n / 2 };
  `,
  "plain/add.js": "export function add(a, b) { return a + b; }",
  "plain/index.d.ts": `
    /** Adds. @param a - The first. */
    export declare function add(a: number, b?: number): number;
    export declare const m: (left: number, right: number) => number;
    export default function twice(n: number): number;
    export declare class Kit<T> { double(n: number): number; put(value: T): void; private secret; }
    export declare const nested: { half(whole: number): number };
  `,
  "common/package.json": JSON.stringify({ main: "main.js", types: "types.d.ts" }),
  "common/main.js": `
    module.exports = function (text) { return text; };
    module.exports.upper = (text) => text.toUpperCase();
    Object.defineProperty(module.exports, "broken", { enumerable: true, get() { throw new Error("a getter ran"); } });
  `,
  "common/types.d.ts": `
    declare function common(text: string): string;
    declare namespace common { function upper(loud: string): string; }
    export = common;
  `,
  "dual/package.json": JSON.stringify({
    exports: {
      import: { types: "./types.d.mts", default: "./index.mjs" },
      require: { types: "./types.d.cts", default: "./index.cjs" },
    },
  }),
  "dual/index.mjs": "export const pick = (value) => value;",
  "dual/types.d.mts": "export declare const pick: (imported: string) => string;",
  "dual/index.cjs": "exports.pick = (value) => value;",
  "dual/types.d.cts": "export declare const pick: (required: string) => string;",
  "versions/package.json": JSON.stringify({ main: "index.js", typesVersions: { "*": { "*": ["new/*"] } } }),
  "versions/index.js": "exports.version = (x) => x;",
  "versions/new/index.d.ts": "export declare function version(major: number): number;",
  "apart/package.json": JSON.stringify({ main: "index.js" }),
  "apart/index.js": "exports.apart = (x) => x;",
  "@types/apart/package.json": JSON.stringify({ types: "index.d.ts" }),
  "@types/apart/index.d.ts": "export declare function apart(typed: boolean): boolean;",
  "untyped/package.json": esm("./index.js"),
  "untyped/index.js": "export const bare = (x) => x;",
  "loose/package.json": esm("./index.js"),
  "loose/index.js": "export const loose = (x) => x; export const hidden = (x) => x;",
  "loose/index.d.ts": "export declare function loose(x): void;",
  "several/package.json": esm("./index.js"),
  "several/index.js": "export const when = (date, wanted) => wanted; export const sign = (symbol) => symbol;",
  "several/index.d.ts": `
    export declare function when(date: Date, wanted: "day"): string;
    export declare function when(date: Date, wanted: "hour", zone: string): string;
    export declare function sign(symbol: symbol): void;
  `,
  "never/package.json": JSON.stringify({
    exports: { ".": "./index.js", "./other": "./other.js" },
    type: "module",
  }),
  "never/index.js": "const inner = (x) => x; export const inners = () => [inner];",
  "never/other.js": "console.log('loaded'); export { inner } from './index.js';",
  "never/index.d.ts": "export declare function inners(): ((x: string) => string)[];",
};

const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(packages).map(([name, text]) => [`node_modules/${name}`, text])),
  "workspace/package.json": JSON.stringify({ name: "workspace", type: "module", exports: "./lib/index.js" }),
  "workspace/lib/index.js": "export function shared(a) { return a; }",
  "workspace/lib/index.d.ts": "export declare function shared(among: string[]): string[];",
  "own.js": "export function own(a) { return a; }",
  "own.d.ts": "export declare function own(mine: string): string;",
  "listed.ts": 'import * as plain from "plain";\nexport const list: Function[] = [plain.add];\n',
  "main.ts": `
    import { createRequire } from "node:module";
    import { apart } from "apart";
    import common from "common";
    import { sign, when } from "several";
    import { pick } from "dual";
    import { hidden, loose } from "loose";
    import { inners } from "never";
    import twice, { Kit, m, nested } from "plain";
    import { bare } from "untyped";
    import { version } from "versions";
    import { shared } from "workspace";
    import { list } from "./listed.ts";
    import { own } from "./own.js";
    import { describeFunctions } from ${JSON.stringify(reflection)};

    const required = createRequire(import.meta.url)("dual");
    const functions = {
      add: list[0], m, twice, double: Kit.prototype.double, put: Kit.prototype.put, secret: Kit.prototype.secret, half: nested.half, common,
      upper: common.upper, imported: pick, required: required.pick, version, apart, bare, loose, hidden, when, sign,
      inner: inners()[0], shared, own,
    };
    const calledAt = new Error();
    const values = Object.values(functions);
    const found = await describeFunctions(values, values.map(() => ({ calledAt, path: [0] })));
    const shown = Object.keys(functions).map((title, index) => {
      const each = found[index];
      if (each instanceof Error) return [title, (each.data.hidden ? "hidden: " : "") + each.message];
      const { properties, required: names = [] } = each.inputSchema;
      const parameters = Object.entries(properties).map(([name, { type }]) => name + (names.includes(name) ? ": " : "?: ") + type);
      return [title, each.name + "(" + parameters.join(", ") + ")"];
    });
    console.log(JSON.stringify(Object.fromEntries(shown)));
  `,
};

let project: Project;
let shown: Readonly<Record<string, string>>;

beforeAll(async () => {
  project = makeProject(files);
  mkdirSync(dirname(project.path("node_modules/workspace")), { recursive: true });
  symlinkSync(project.path("workspace"), project.path("node_modules/workspace"), "junction");
  shown = Object(await project.run({ SKEIN_CACHE: "off" }));
});

afterAll(() => project.remove());

describe("a function of JavaScript without types has those that its package declares", () => {
  test.each([
    ["add", "of another file's import", "add(a: number, b?: number)"],
    ["m", "minified, under the name of the export", "m(left: number, right: number)"],
    ["twice", "a default without a name", "twice(n: number)"],
    ["double", "a method of a class", "double(n: number)"],
    ["half", "a member of an export", "half(whole: number)"],
    ["common", "what CommonJS exports as a whole", "common(text: string)"],
    ["upper", "a member of that, beside a getter that throws", "upper(loud: string)"],
    ["imported", "of a package made twice, the module", "pick(imported: string)"],
    ["required", "of a package made twice, CommonJS", "pick(required: string)"],
    ["version", "by typesVersions", "version(major: number)"],
    ["apart", "by a package of its types", "apart(typed: boolean)"],
    ["when", "the first of its overloads", "when(date: string, wanted: string)"],
    ["shared", "a package of the workspace", "shared(among: array)"],
    ["own", "a file of the program, with declarations beside it", "own(mine: string)"],
  ])("%s: %s", (title, _what, expected) => {
    expect(shown[title]).toBe(expected);
  });
});

describe("nothing is guessed of a function that no declaration describes", () => {
  test.each([
    ["bare", /The package "untyped" comes without types: npm i -D @types\/untyped/],
    ["loose", /The types of the package "loose" do not show/],
    ["hidden", /The types of the package "loose" do not show/],
    ["inner", /parameter "x": it has no type/],
    // What its class leaves open.
    ["put", /The types of the package "plain" do not show/],
    // A toolkit leaves it out.
    ["secret", /^hidden: [^]*it is private, so its declaration has no types/],
  ])("%s", (title, expected) => {
    expect(shown[title]).toMatch(expected);
  });
});

test("a declared type that JSON lacks is refused with the place of the declaration", () => {
  expect(shown["sign"]).toMatch(
    /The signature of "sign" cannot be expressed.*\n.*parameter "symbol".*several\/index\.d\.ts/,
  );
});

test("a module that waits for the answer itself is not waited for, and one that is not loaded is not loaded", async () => {
  const waiting = makeProject({
    "main.js": `
      import { describeFunctions } from ${JSON.stringify(reflection)};
      export const late = (x) => x;
      const [found] = await describeFunctions([late], [{ calledAt: new Error(), path: [0] }]);
      console.log(JSON.stringify([found.message, globalThis.isOtherLoaded === true]));
    `,
    "main.d.ts": "export declare const late: (x: string) => string;",
    "main.ts": 'await import("./main.js");\nif (Math.random() > 2) await import("./other.js");\n',
    "other.js": "globalThis.isOtherLoaded = true;",
  });
  try {
    expect(await waiting.run({ SKEIN_CACHE: "off" })).toEqual([expect.stringMatching(/has no type/), false]);
  } finally {
    waiting.remove();
  }
});

test("a second start finds declarations in the cache, and a change of them is seen", async () => {
  const cached = makeProject({
    "node_modules/plain/package.json": esm("./index.js"),
    "node_modules/plain/index.js": "export const add = (a) => a;",
    "node_modules/plain/index.d.ts": "export declare const add: (first: number) => number;",
    "main.ts": `
      import { subscribe } from "node:diagnostics_channel";
      import * as plain from "plain";
      import { describeFunctions } from ${JSON.stringify(reflection)};
      let processes = 0;
      subscribe("child_process", () => (processes += 1));
      const [found] = await describeFunctions([plain.add], [{ calledAt: new Error(), path: [0] }]);
      console.log(JSON.stringify([Object.keys(found.inputSchema.properties), processes]));
    `,
  });
  try {
    expect(await cached.run()).toEqual([["first"], 1]);
    expect(await cached.run()).toEqual([["first"], 0]);
    cached.write("node_modules/plain/index.d.ts", "export declare const add: (changed: number) => number;");
    expect(await cached.run()).toEqual([["changed"], 1]);
  } finally {
    cached.remove();
  }
});
