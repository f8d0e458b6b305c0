import { expect, test } from "vitest";
import { SchemaNotFoundError } from "../errors.ts";
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
  expect(lines.slice(1, -1)).toEqual(
    [
      ["when", "a Date is not JSON: take a string with @format date-time", 8],
      ["callback", "a function is not JSON", 9],
      ["key", "a symbol is not JSON", 10],
      ["big", "a bigint is not JSON: take a number or a string", 11],
      ["never", "no value has the type never", 12],
      ["later", "a value of type Promise<string> is not JSON", 13],
      ["money", "an instance of the class Money cannot be made from JSON: take a plain object type", 14],
      ["map", "a value of type Map<string, number> is not JSON", 15],
      ["pattern", "the pattern `user-${string}` has no schema: take a string with @pattern", 16],
      ["computed", "the enum Computed has computed values", 17],
      ["options.at", "a Date is not JSON: take a string with @format date-time", 18],
      ["options.list[]", "a function is not JSON", 18],
    ].map(
      ([path, text, line]) => `  - parameter "${path}": ${text} (src/compiler/fixtures/problems.ts:${line})`,
    ),
  );
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
          message: "a destructured parameter must be the only one, and an object",
          file: expect.stringMatching(/problems\.ts$/),
          line: 31,
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
