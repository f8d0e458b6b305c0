/** What toolkits make of classes whose JavaScript does not tell which methods are public. */
import { symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, type Project } from "./test-process.ts";

/** The package as it is built: what it looks schemas up with is one copy then. */
const root = fileURLToPath(new URL("../../..", import.meta.url));

const stock = `
  export class Base { inherited() { return "i"; } internalOfBase() { return "x"; } }
  export class Stock extends Base {
    wipe = () => "wiped";
    count(sku) { return sku; }
    size() { return "2"; }
    drop() { return "dropped"; }
    guarded() { return "g"; }
    stripped() { return "s"; }
  }
  export const makeStock = () => new Stock();
`;

const declarations = `
  declare class Base { inherited(): string; }
  export declare class Stock extends Base {
    private wipe;
    /** Count items. */
    count(sku: string): string;
    /** The size. */
    size(): string;
    private drop;
    protected guarded(): string;
  }
  export declare function makeStock(): Stock;
`;

const shop = `
  export class Shop {
    /** Nothing tells of it. */
    bare() { return "b"; }
    /** Says that it is public. @public */
    open() { return "o"; }
    /** @type {() => string} @public */
    field = () => "f";
    /** @public @param {string} id */
    find(id) { return id; }
    /** Has types, as comments of TypeScript may have as well. @returns {string} */
    typed() { return "t"; }
    /** @param {string} id */
    typedToo(id) { return id; }
    /** @private */
    secret() { return "s"; }
    /** @protected @returns {string} */
    guarded() { return "g"; }
    fieldOfMore = () => "m";
    /** Lacks a type, too. */
    untyped(id) { return id; }
  }
`;

/** Prints the names of a toolkit's tools, or its error. */
const print = `
  const scope = { context: {}, agent: undefined, messages: [] };
  export async function show(kit) {
    const tools = await kit.tools(scope).catch((error) => error.message);
    return typeof tools === "string" ? tools : tools.map(({ name, description }) => name + ": " + description).toSorted();
  }
`;

const files: Readonly<Record<string, string>> = {
  "node_modules/kit/package.json": '{ "type": "module", "exports": "./index.js" }',
  "node_modules/kit/index.js": stock,
  "node_modules/kit/index.d.ts": declarations,
  "print.js": print,
  "print.d.ts": "export declare function show(kit: unknown): Promise<unknown>;",
  "shop.js": shop,
  "typescript.ts": `
    /** Wipe. */
    export const wiped = (): string => "w";
    export class Safe {
      private drop = (): string => "d";
      private wipe = wiped;
      private injected: () => string;
      constructor(injected: () => string) { this.injected = injected; }
      /** Count. */
      count(): string { return this.injected() + this.drop() + this.wipe(); }
    }
  `,
  "called.js": `
    import { makeStock, Stock } from "kit";
    import { toolkit } from "skein";
    import { show } from "./print.js";
    export const called = [await show(toolkit(new Stock())), await show(toolkit(makeStock()))];
  `,
  "called.d.ts": "export declare const called: unknown[];",
  "main.ts": `
    import { makeStock, Stock } from "kit";
    import { schemaOf, toolkit } from "skein";
    import { called } from "./called.js";
    import { show } from "./print.js";
    import { Shop } from "./shop.js";
    import { Safe, wiped } from "./typescript.ts";
    const anySafe: any = new Safe(wiped);
    class Mine extends Stock { /** Mine. */ own(): string { return "o"; } }
    const unseen: object = JSON.parse("true") ? new Stock() : {};
    console.log(JSON.stringify({
      declared: await show(toolkit(new Stock())),
      made: await show(toolkit(makeStock())),
      unseen: await show(toolkit(unseen)),
      called,
      derived: await show(toolkit(new Mine())),
      written: await show(toolkit(new Shop())),
      chosen: await show(toolkit(new Shop(), { methods: { bare: {}, fieldOfMore: false, typed: false, typedToo: {}, untyped: false } })),
      safe: await show(toolkit(new Safe(wiped))),
      anySafe: await show(toolkit(anySafe)),
      wiped: (await schemaOf(wiped)).name,
      object: await show(toolkit({ ping: () => "pong" })),
    }));
  `,
};

let project: Project;
let shown: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  project = makeProject(files);
  symlinkSync(root, project.path("node_modules/skein"), "junction");
  shown = Object(await project.run({ SKEIN_CACHE: "off" }));
});

afterAll(() => project.remove());

const listed = ["count: Count items.", "inherited: undefined", "size: The size."];

describe("what the declaration of a class has as private, or not at all, is not a tool", () => {
  test.each(["declared", "made"])("%s, called in TypeScript", (title) => {
    expect(shown[title]).toEqual(listed);
  });

  test("called in JavaScript", () => {
    expect(shown["called"]).toEqual([listed, listed]);
  });

  test("refuses a property of an instance whose class cannot be determined: no declaration names it", () => {
    expect(shown["unseen"]).toMatch(
      /of Stock are public:\n {2}- wipe \(node_modules\/kit\/index\.js:4\)\nIf/,
    );
  });

  test("of a class that extends it", () => {
    expect(shown["derived"]).toEqual([...listed.slice(0, 2), "own: Mine.", listed[2]]);
  });
});

test("refuses a method of JavaScript with any types, with its place and all remedies", () => {
  const message = String(shown["written"]);
  expect(message).toMatch(/^Cannot determine whether these methods of Shop are public:\n/);
  expect(message).toMatch(/ {2}- bare \(shop\.js:4\)/);
  expect(message).toMatch(/ {2}- fieldOfMore \(shop\.js:19\)/);
  expect(message).toMatch(/ {2}- typed \(shop\.js:12\)\n {2}- typedToo \(shop\.js:14\)\n/);
  expect(message).toMatch(/ {2}- untyped \(shop\.js:21\)/);
  expect(message).toMatch(
    /write @public in the comment of each method that is one.*run "skein attach DIR".*Or name the method/s,
  );
  expect(message).not.toMatch(/- (?:open|field|find|secret|guarded)\b/);
});

test("a method that the program names is a tool, and so are those that say that they are public", () => {
  expect(shown["chosen"]).toEqual([
    "bare: Nothing tells of it.",
    "field: undefined",
    "find: undefined",
    "open: Says that it is public.",
    "typedToo: undefined",
  ]);
});

test("private properties that hold functions are not tools", () => {
  expect(shown["safe"]).toEqual(["count: Count."]);
});

test("private properties that hold functions which are tools elsewhere are not tools of an instance of any type", () => {
  expect(shown["anySafe"]).toMatch(
    /^Cannot determine whether these methods of Safe are public:\n {2}- wipe\n {2}- injected\nIf/,
  );
  expect(shown["wiped"]).toBe("wiped");
});

test("the functions of a plain object have nothing to hide", () => {
  expect(shown["object"]).toEqual(["ping: undefined"]);
});

test("the cache of one start says the same at the next", async () => {
  const first = await project.run();
  expect(first).toEqual(shown);
  expect(await project.run()).toEqual(shown);
});
