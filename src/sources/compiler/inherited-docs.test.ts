/** What a function takes over from the comments of types and of members that it implements. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, type Compiler, type FunctionDescription } from "./index.ts";

const file = fileURLToPath(new URL("fixtures/inherited.ts", import.meta.url));
let compiler: Compiler;

beforeAll(async () => {
  compiler = await openCompiler();
});

afterAll(() => compiler.close());

function describeNamed(name: string): readonly FunctionDescription[] {
  return compiler.functionsLike(file, { name }).map((each) => each.describe());
}

const what = { type: "string", description: "What", minLength: 2 };
const amount = { type: "number", description: "How many", minimum: 1 };

test("the comments of the expected type speak of the parameters, where a function has no words of its own", () => {
  const [typed] = describeNamed("typed");
  expect(typed).toMatchObject({ inputSchema: { properties: { what, amount } } });
  expect(typed).not.toHaveProperty("description");
  const [own] = describeNamed("ownWords");
  expect(own).toMatchObject({
    inputSchema: { properties: { what, amount: { type: "number", description: "Own words." } } },
  });
});

test("a constraint of a parameter that the function calls otherwise is left out with a warning", () => {
  expect(describeNamed("renamedArgument")).toMatchObject([
    {
      inputSchema: { properties: { what, count: { type: "number" } } },
      warnings: [expect.stringContaining('@minimum of "amount", as its type calls it, is left out')],
    },
  ]);
});

test("a method has the comment of the one that it implements or overrides, but for who may call it", () => {
  const to = { type: "string", description: "To whom", minLength: 3 };
  const described = describeNamed("send");
  expect(described).toMatchObject([
    { description: "Sends.", inputSchema: { properties: { to } } },
    { description: "Sends.", inputSchema: { properties: { to } } },
    { description: "Sends it loudly.", inputSchema: { properties: { to: { type: "string" } } } },
    { inputSchema: { properties: { to } } },
  ]);
  for (const each of described) expect(each).not.toHaveProperty("hidden");
  expect(described[2]).not.toHaveProperty("inputSchema.properties.to.description");
});

test("properties that hold functions have it, too", () => {
  const sum = { type: "number", description: "How much", minimum: 1 };
  expect(describeNamed("pay")).toMatchObject([
    { description: "Pays.", inputSchema: { properties: { sum } } },
    { inputSchema: { properties: { bill: { description: "The bill", properties: { sum } } } } },
  ]);
});
