import { expect, test } from "vitest";
import { compileSchema } from "../schema/compile-schema.ts";
import { assertTool } from "./assert-tool.ts";
import type { Tool } from "./types.ts";

const schema = compileSchema({ type: "object" });
const whole: Tool = { name: "pay", inputSchema: schema, annotations: {}, policy: {} };
const check = (changes: object) => () => assertTool({ ...whole, policy: {}, ...changes });

test.each<object>([
  {},
  { outputSchema: schema, execute: () => "" },
  { outputSchema: undefined, execute: undefined },
  { inputSchema: { jsonSchema: {}, validate: () => ({ value: 1 }) } },
])("a tool may have %o", (changes) => {
  expect(check(changes)).not.toThrow();
});

test.each<[string, unknown, string]>([
  ["name", "", 'a text, not ""'],
  ["name", 7, "a text, not 7"],
  ["inputSchema", undefined, "a Schema, such as compileSchema({ ... }), not undefined"],
  ["inputSchema", null, "a Schema"],
  ["inputSchema", { type: "object" }, "a Schema"],
  ["inputSchema", { jsonSchema: null, validate: () => 1 }, "a Schema"],
  ["inputSchema", { jsonSchema: {}, validate: 1 }, "a Schema"],
  ["outputSchema", null, "a Schema, not null"],
  ["outputSchema", { jsonSchema: {} }, "a Schema"],
  ["annotations", undefined, "an object, not undefined"],
  ["annotations", null, "an object, not null"],
  ["policy", "none", 'an object, not "none"'],
  ["execute", "run", 'a function, not "run"'],
])("its %s must not be %o", (member, value, words) => {
  expect(check({ [member]: value })).toThrow(
    expect.objectContaining({
      code: "invalid-tool",
      data: { member },
      message: expect.stringMatching(
        /^\w+ of the tool .* must be .*Write tool\(\{ name, description, input, execute \}\)/,
      ),
    }),
  );
  expect(check({ [member]: value })).toThrow(`must be ${words}`);
});

test("its schemas must not be nested without end, and its policy must make sense", () => {
  const endless: Record<string, unknown> = {};
  endless["not"] = endless;
  const deep = { jsonSchema: endless, validate: () => ({ value: 1 }) };
  expect(check({ inputSchema: deep })).toThrow("the input of the tool pay");
  expect(check({ outputSchema: deep })).toThrow("the output of the tool pay");
  expect(check({ policy: { timeout: 0 } })).toThrow("timeout of the policy of the tool pay must be");
});

test.each<[string, unknown]>([
  ["approval", true],
  ["approval", undefined],
  ["allow", () => false],
  ["requires", ["look"]],
  ["mask", true],
  ["timeout", 10],
])("%s beside its policy is an error, since it would do nothing", (name, value) => {
  const error = { code: "invalid-tool", data: { option: name } };
  expect(check({ [name]: value })).toThrow(expect.objectContaining(error));
  expect(check({ [name]: value })).toThrow(`Write { ...tool, policy: { ...tool.policy, ${name} } }`);
});

test("of a function with options only the policy is looked at", () => {
  const source = { fn: () => 1, name: undefined, options: {} };
  expect(() => assertTool({ ...source, policy: {} })).not.toThrow();
  expect(() => assertTool({ ...source, policy: { timeout: 0 } })).toThrow(
    "timeout of the policy of a tool must be",
  );
});
