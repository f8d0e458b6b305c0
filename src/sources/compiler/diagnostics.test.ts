import { expect, test } from "vitest";
import { SchemaNotFoundError } from "../../errors.ts";
import { describeFixture } from "./fixtures/describe-fixture.ts";

const described = await describeFixture("problems.ts");

/** The message of the error that stands in a function's place. */
function messageOf(name: string): string {
  const description = described.get(name);
  return description instanceof SchemaNotFoundError ? description.message : "";
}

test("every type that JSON cannot carry is named, with parameter, file and line", () => {
  const lines = messageOf("everything").split("\n");
  expect(lines[0]).toBe('The signature of "everything" cannot be expressed as a JSON Schema:');
  const problems = [
    ["pattern", "a value of type RegExp is not JSON: take a string", 17],
    ["callback", "a function is not JSON", 18],
    ["key", "a symbol is not JSON", 19],
    ["bytes", "a value of type Buffer<ArrayBufferLike> is not JSON: take a Uint8Array", 20],
    ["never", "no value has the type never", 21],
    ["later", "a value of type Promise<string> is not JSON: take the value itself", 22],
    [
      "money",
      'an instance of the class Money cannot be made from JSON, which has no "currency": take a plain object type',
      23,
    ],
    ["weak", "a value of type WeakMap<object, number> is not JSON: take a Map", 24],
    ["computed", "the enum Computed has computed values", 25],
    ["endless", "the type is nested deeper than 40 levels: it may have no end", 26],
    ["options.at", "a value of type Promise<Date> is not JSON: take the value itself", 27],
    ["options.list[]", "a function is not JSON", 27],
  ].map(
    ([path, text, line]) =>
      `  - parameter "${path}": ${text} (src/sources/compiler/fixtures/problems.ts:${line})`,
  );
  expect(lines.slice(1, -1)).toEqual([...problems.slice(0, 9), "  - and 3 more"]);
  const { data } = described.get("everything") as SchemaNotFoundError;
  expect(data["problems"]).toHaveLength(problems.length);
  expect(lines.at(-1)).toBe("Change these types, or give the schema yourself: tool(fn, { input: schema }).");
});

test("the error carries its problems as data", () => {
  expect(described.get("arrayPattern")).toMatchObject({
    code: "schema-not-found",
    data: {
      function: "arrayPattern",
      problems: [
        {
          parameter: "[a, b]",
          message: "a destructured parameter has no name: give it one with @param",
          file: expect.stringMatching(/problems\.ts$/),
          line: 40,
        },
      ],
    },
  });
});

test("a problem with one function leaves the others alone", () => {
  expect(described.get("fine")).toMatchObject({ name: "fine" });
});

test("two destructured parameters are a problem each", () => {
  expect(messageOf("twoPatterns")).toMatch(/parameter "\{ a \}".*\n.*parameter "\{ b \}"/);
});

test("an interface of the program's own that is called ToolContext is not injected", () => {
  expect(described.get("ownContext")).toMatchObject({
    parameters: [{ kind: "property", name: "context" }],
    inputSchema: { required: ["context"] },
  });
});

test("an error has at most ten lines of problems", () => {
  const lines = messageOf("tooMany").split("\n");
  expect(lines).toHaveLength(12);
  expect(lines.slice(1, 3)).toEqual([
    expect.stringContaining('parameter "options.a": a symbol is not JSON'),
    expect.stringContaining('parameter "options.b": a symbol is not JSON'),
  ]);
  expect(lines.at(-2)).toBe("  - and 2 more");
});
