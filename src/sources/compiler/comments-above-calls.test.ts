import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCompiler, type Compiler, type FunctionDescription, type SchemaTree } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

const helpers = `
  export { schemaOf, tool } from "skein";
  export function logged<A extends unknown[], R>(fn: (...args: A) => R) { return (...args: A): R => fn(...args); }
  export const withPrefix = (prefix: string) => <A extends unknown[]>(fn: (...args: A) => string) => (...args: A) => prefix + fn(...args);
  export function define<F extends (...args: never[]) => unknown>(fn: F): F { return fn; }
  export function guarded<A extends unknown[], R>(fn: (...args: A) => R, onError: (error: Error) => void) { return (...args: A): R => fn(...args); }
  export function pipe<A, B, C>(first: (a: A) => B, second: (b: B) => C) { return (a: A): C => second(first(a)); }
  export function ask(words: string, fn: (...args: any[]) => unknown): Promise<string> { return Promise.resolve(words); }
`;
const imports = `import { ask, define, guarded, logged, pipe, schemaOf, tool, withPrefix } from "./helpers.ts";`;
const comment = "/** Search the shop. @param q - Words @minLength 2 */";
const q = { type: "string", description: "Words", minLength: 2 };
const documented = { description: "Search the shop.", inputSchema: { properties: { q } } };
const fn = "(q: string) => q";
const call = `tool(${fn}, { name: "x" })`;

const readBy: Readonly<Record<string, string>> = {
  "a constant": `${comment} const x = ${call};`,
  "an exported constant": `${comment} export const x = ${call};`,
  "a constant with an asynchronous function": `${comment} const x = tool(async ${fn}, { name: "x" });`,
  "a constant with a named function": `${comment} const x = tool(function search(q: string) { return q; });`,
  "a wrapped function": `${comment} const x = logged(${fn});`,
  "a function in several wrappers": `${comment} const x = tool(logged(define(${fn})), { name: "x" });`,
  "a function in a wrapper with options": `${comment} const x = withPrefix("a")(${fn});`,
  "a cast call": `${comment} const x = ${call} as ReturnType<typeof tool>;`,
  "a call with satisfies": `${comment} const x = (define(${fn}) satisfies (q: string) => string)!;`,
  "a property": `const x = { ${comment} x: ${call} };`,
  "a class field": `class Kit { ${comment} x = define(${fn}); }`,
  "a bound function": `class Kit { ${comment} x = function (q: string) { return q; }.bind(this); }`,
  "a static class field": `class Kit { ${comment} static x = ${call}; }`,
  "an assignment": `let x; ${comment} x = ${call};`,
  "a default export": `${comment} export default ${call};`,
  "an element of a list": `const x = [${comment} ${call}];`,
  "what a function returns": `function x() { ${comment} return ${call}; }`,
  "a function of any type beside another": `${comment} const x = guarded(${fn}, (error) => {});`,
  "a call that bundlers may drop": `${comment} const x = /** @__PURE__ */ ${call};`,
  "a function with another comment above the call": `/** Other. */ const x = tool(${comment} ${fn});`,
};
const unreadBy: Readonly<Record<string, string>> = {
  "what is awaited": `${comment} const x = await ask("a", ${fn});`,
  "one of several functions": `${comment} const x = pipe(${fn}, (text) => text.length);`,
};
const attachedBy: Readonly<Record<string, string>> = {
  "a tool": `${comment} const x = ${call};`,
  "a wrapper": `${comment} const x = logged(${fn}); schemaOf(x);`,
  "a function that is passed through": `${comment} const x = define(${fn}); schemaOf(x);`,
  "a function without a comment": `function plain(q: string) { return q; } ${comment} const x = logged(plain); schemaOf(x);`,
  "one of several functions": `${comment.replace("q -", "a -")} const x = pipe(${fn}, (text) => text.length); schemaOf(x);`,
};
const answer = `/** The answer. */ const x = await ask("a", ${fn});`;
const script = `const { define } = require("./helpers.ts");
  ${comment} module.exports = define(/** @type {(q: string) => string} */ ((q) => q));`;

const programs = [readBy, unreadBy, attachedBy].flatMap((cases) => Object.values(cases));
const texts = [...programs, answer];

let compiler: Compiler;
let program: MadeUpProgram;

beforeAll(async () => {
  const files = texts.map((text, index) => [`case-${index}.ts`, `${imports}\n${text}`] as const);
  program = await madeUpProgram({
    "helpers.ts": helpers,
    "script.cjs": script,
    ...Object.fromEntries(files),
  });
  compiler = await openCompiler({ cwd: program.folder });
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

function pathOf(text: string): string {
  return program.path(`case-${texts.indexOf(text)}.ts`);
}

/** The function with a parameter `q`, as running code finds it. */
function written(file: string): FunctionDescription | undefined {
  const names = ["", "search", "default", "x"];
  const all = names.flatMap((name) => compiler.functionsLike(file, { name, parameters: ["q"] }));
  return all[0]?.describe();
}

describe("a comment above a call speaks of the function that the call passes on", () => {
  test.each(Object.entries(readBy))("%s", (_, text) => {
    expect(written(pathOf(text))).toMatchObject(documented);
    expect(written(pathOf(text))).not.toHaveProperty("warnings");
  });

  test("what a script exports", () => {
    expect(written(program.path("script.cjs"))).toMatchObject(documented);
  });
});

test.each(Object.entries(unreadBy))("%s does not take the comment, with a warning", (_, text) => {
  const description = written(pathOf(text));
  expect(description).not.toHaveProperty("description");
  expect(description).toHaveProperty("warnings", [
    expect.stringMatching(/the comment above this call is not read.*case-\d+\.ts:2\)$/),
  ]);
});

test("a comment that says nothing of parameters is not missed", () => {
  const description = written(pathOf(answer));
  expect(description).not.toHaveProperty("description");
  expect(description).not.toHaveProperty("warnings");
});

test.each(Object.entries(attachedBy))("a build attaches the comment above a call: %s", (_, text) => {
  const { sites, problems } = compiler.useSites(pathOf(text));
  expect(problems).toEqual([]);
  const schema: SchemaTree | undefined = sites[0]?.schemas;
  const name = text.includes("@param a") ? "a" : "q";
  expect(typeof schema === "string" ? JSON.parse(schema) : schema).toMatchObject({
    description: "Search the shop.",
    inputSchema: { properties: { [name]: q } },
  });
});
