/** What comments of JavaScript say of parameters, and what errors say of comments. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, SchemaNotFoundError, type Compiler, type FunctionDescription } from "./index.ts";
import { parseDocComment } from "./doc-comments.ts";

const file = fileURLToPath(new URL("fixtures/script.js", import.meta.url));
let compiler: Compiler;

beforeAll(async () => {
  compiler = await openCompiler();
});

afterAll(() => compiler.close());

function describeNamed(name: string): FunctionDescription | undefined {
  return compiler.functionsLike(file, { name })[0]?.describe();
}

/** The message of a function's first problem, with the parameter. */
function problemOf(name: string): string | undefined {
  const description = describeNamed(name);
  const message = description instanceof SchemaNotFoundError ? description.message : "";
  return /^ {2}- (.*) \(.*script\.js:\d+\)$/m.exec(message)?.[1];
}

test("a default in brackets is one for the model, and the text after it the description", () => {
  expect(describeNamed("defaults")).toMatchObject({
    inputSchema: {
      properties: {
        q: { type: "string", description: "Query" },
        tags: { type: "array", description: "Tags", items: { type: "string" }, default: [] },
        bare: { type: "array", items: { type: "string" }, default: [] },
        limit: { type: "number", description: "Most results", default: 10 },
        order: { type: "string", description: "The order", default: "a]b" },
        way: { type: "string", enum: ["asc", "desc"], default: "asc" },
        headers: { type: "object", description: "Headers", default: { a: "b" } },
      },
    },
  });
});

test("a default in brackets is none that the function applies, and the one in the code counts more", () => {
  const description = describeNamed("defaults");
  expect(description).toMatchObject({ inputSchema: { properties: { code: { default: 7 } } } });
  const plans = description instanceof SchemaNotFoundError ? [] : (description?.parameters ?? []);
  expect(plans.filter((plan) => "default" in plan)).toEqual([
    { kind: "property", name: "code", default: { value: 7 } },
  ]);
});

test("a default in brackets that is not a value of its type is left out, with a warning", () => {
  const description = describeNamed("defaults");
  expect(description).toMatchObject({
    inputSchema: {
      properties: {
        since: { type: "string", description: "When", format: "date-time" },
        most: { type: "number", description: "Most" },
        none: { type: "number", description: "None" },
      },
    },
    warnings: [
      expect.stringMatching(/^parameter "since": @default needs a value of its type, not "new Date\(\)"/),
      expect.stringMatching(/^parameter "most": @default needs a value of its type, not "Infinity"/),
    ],
  });
  const properties = description instanceof SchemaNotFoundError ? {} : description?.inputSchema["properties"];
  for (const name of ["since", "most", "none"]) expect(properties).not.toHaveProperty([name, "default"]);
});

test.each([
  ["[name] - Text", "Text", []],
  ["[ name = 'a b' ] Text", "Text", [{ name: "default", text: "'a b'", isOfBrackets: true }]],
  ["[name=it's] Text", "Text", [{ name: "default", text: "it's", isOfBrackets: true }]],
  ["[name=(1] Text", "Text", [{ name: "default", text: "(1", isOfBrackets: true }]],
  ["[name=] Text", "Text", []],
  [
    "[name=1] Text. @default 2",
    "Text.",
    [
      { name: "default", text: "1", isOfBrackets: true },
      { name: "default", text: "2" },
    ],
  ],
])("@param %s", (text, description, tags) => {
  expect(parseDocComment(`/** @param {string} ${text} */`).parameters.get("name")).toEqual({
    description,
    tags,
  });
});

/** Formatters would give each comment a line of its own. */
const dense = `
export class Kit { /** @param {string} a */ one(a) { return a; }
  /** @param {string} a */
  two(a) { return a; }
}
export const record = { /** @param {string} a */ three(a) { return a; }, /** @param {string} a */ four: (a) => a };
export const five = /** @param {string} a */ (a) => a;
`;

function describeDense(name: string): FunctionDescription | undefined {
  return compiler.functionsInText(dense, { name })[0]?.describe();
}

test.each(["one", "three", "four"])(
  "the types of %s are in a comment on the line of other code, which is not read: the error explains it",
  (name) => {
    expect(describeDense(name)).toMatchObject({
      message: expect.stringMatching(
        /parameter "a": it has no type, since TypeScript does not read a comment that starts on the line of other code: start it on a line of its own \(/,
      ),
    });
  },
);

test.each(["two", "five"])("the comment of %s is read", (name) => {
  expect(describeDense(name)).toMatchObject({ inputSchema: { properties: { a: { type: "string" } } } });
});

test.each([
  [
    "object",
    /^parameter "filter": a value of type Object is not JSON: write its properties, @param \{string\} filter\.property, or \{object\} or \{Record<string, unknown>\} for any$/,
  ],
  ["question", /^parameter "ctx": its type in the comment is empty: write one, such as \{string\}$/],
  ["nothing", /^parameter "ctx": its type in the comment is empty: write one, such as \{string\}$/],
  [
    "buffer",
    /^parameter "bytes": the type Buffer cannot be resolved: take a Uint8Array, of which a Buffer is one$/,
  ],
  [
    "timer",
    /^parameter "timer": the type NodeJS\.Timeout cannot be resolved: it is one of Node's: .*"types": \["node"\]/,
  ],
  ["field", /^parameter "ctx": a symbol is not JSON$/],
])("the error for %s names the remedy for JavaScript", (name, message) => {
  expect(problemOf(name)).toMatch(message);
});

test("tags on a property of a typedef speak of it, and end neither the typedef nor the properties of a parameter", () => {
  expect(describeNamed("typedef")).toMatchObject({
    inputSchema: {
      properties: {
        order: {
          properties: {
            item: { type: "string", description: "Item name", minLength: 2 },
            amount: { type: "number", description: "How many", default: 1, minimum: 1 },
            to: { type: "object", properties: { street: { type: "string" } } },
            late: { type: "boolean", description: "Whether it may be late" },
          },
          required: ["item", "to", "late"],
        },
      },
    },
  });
  const amount = { type: "number", description: "How many", minimum: 1 };
  expect(describeNamed("dotted")).toMatchObject({
    inputSchema: {
      properties: {
        options: {
          properties: {
            city: { type: "string", description: "City", minLength: 2 },
            items: { type: "array", description: "What", minItems: 1, items: { properties: { amount } } },
            days: { type: "number", description: "Days", maximum: 3 },
          },
          required: ["city", "items"],
        },
      },
    },
    outputSchema: { type: "string" },
  });
});

test("the text of a function has its comments as they are written", () => {
  const text = `function outer() {
  /** @param {object} o @param {number} o.n - N @minimum 1 */
  return (o) => o;
}`;
  expect(compiler.functionsInText(text, { name: "outer" })[0]?.text).toBe(text);
});

test("@arg and @argument are @param", () => {
  expect(describeNamed("synonyms")).toMatchObject({
    inputSchema: {
      properties: {
        amount: { type: "number", description: "How much", minimum: 1 },
        to: { type: "string", description: "To whom" },
      },
    },
  });
});
