import { expect, test } from "vitest";
import { tool, type JsonSchema } from "skein";
import { resolveTools } from "../tool/register-tools.ts";
import { loadProgramCheck } from "./check-program.ts";
import { declared, declareTools } from "./declarations.ts";
import { shapeOf } from "./shape.ts";

const user = {
  type: "object",
  properties: { id: { type: "integer" }, friends: { type: "array", items: { $ref: "#/$defs/User" } } },
  required: ["id"],
} as const;

const define = (name: string, input: JsonSchema, output?: JsonSchema, description?: string) =>
  tool({
    name,
    input,
    ...(output && { output }),
    ...(description !== undefined && { description }),
    execute: () => 1,
  });

interface Order {
  id: number;
  /** In cents. */
  total: number;
  state: "open" | "paid";
  note?: string;
  lines: Order[];
}

/**
 * List the orders of a user.
 * @param userId - Whose orders
 * @param limit - How many
 */
function listOrders(userId: number, limit = 10, state?: Order["state"]): Promise<Order[]> {
  return Promise.resolve([{ id: userId, total: limit, state: state ?? "open", lines: [] }]);
}

test("a plain function is declared with its comments, parameters and results", async () => {
  const { tools } = await resolveTools([listOrders]);
  expect(declareTools(tools.map(declared)).text).toBe(`type Order = {
  id: number;
  /** In cents. */
  total: number;
  state: "open" | "paid";
  note?: string;
  lines: Order[];
};
declare const tools: {
  /** List the orders of a user. */
  listOrders(input: {
    /** Whose orders */
    userId: number;
    /**
     * How many
     * @default 10
     */
    limit?: number;
    state?: "open" | "paid";
  }): Promise<Order[]>;
};
`);
});

test("schemas of any kind are types that TypeScript reads", () => {
  const cases: readonly (readonly [schema: JsonSchema, type: string])[] = [
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "string", nullable: true }, "string | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: { a: 1 } }, '{"a":1}'],
    [{ type: "array", items: { type: ["string", "integer"] } }, "(string | number)[]"],
    [{ type: "array" }, "unknown[]"],
    [
      { type: "array", prefixItems: [{ type: "string" }, { enum: [1, 2] }], minItems: 1 },
      "[string, (1 | 2)?]",
    ],
    [{ type: "object" }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    [{ type: "object", additionalProperties: false }, "{}"],
    [
      {
        type: "object",
        properties: { "a b": { type: "integer" } },
        additionalProperties: { type: "boolean" },
      },
      '{ "a b"?: number; [key: string]: unknown }',
    ],
    [
      {
        allOf: [
          { type: "object", properties: { a: true } },
          { anyOf: [{ type: "string" }, { type: "number" }] },
        ],
      },
      "{ a?: unknown } & (string | number)",
    ],
    [{ properties: { a: false } }, "{ a?: never }"],
    [
      { type: "object", properties: { a: { type: "string" }, b: { $ref: "#/properties/a" } } },
      "{ a?: string; b?: unknown }",
    ],
    [{}, "unknown"],
    [{ not: {} }, "unknown"],
  ];
  for (const [schema, type] of cases) {
    const { text } = declareTools([declared(define("work", { type: "object", properties: {} }, schema))]);
    expect(text).toBe(`declare const tools: {\n  work(input?: {}): Promise<${type}>;\n};\n`);
  }
});

test("a definition of one meaning is one type, and others of its name have names of their own", () => {
  const input = { type: "object", properties: {} } as const;
  const of = (definition: JsonSchema): JsonSchema => ({ $ref: "#/$defs/User", $defs: { User: definition } });
  const declarations = declareTools(
    [
      define("find", input, of(user)),
      define("again", input, of(user)),
      define("get-other", input, of({ ...user, required: [] })),
      define("tree", input, { type: "object", properties: { next: { $ref: "#" } } }),
      define("when", input, { $ref: "#/definitions/Date", definitions: { Date: { type: "string" } } }),
    ].map(declared),
  );
  expect(declarations.text).toBe(`type User = { id: number; friends?: User[] };
type GetOtherUser = { id?: number; friends?: GetOtherUser[] };
type TreeOutput = { next?: TreeOutput };
type WhenDate = string;
declare const tools: {
  find(input?: {}): Promise<User>;
  again(input?: {}): Promise<User>;
  "get-other"(input?: {}): Promise<GetOtherUser>;
  tree(input?: {}): Promise<{ next?: TreeOutput }>;
  when(input?: {}): Promise<WhenDate>;
};
`);
  expect(declarations.of("again")).toBe(
    "type User = { id: number; friends?: User[] };\ntools.again(input?: {}): Promise<User>;",
  );
  expect(declarations.of("none")).toBeUndefined();
});

test.each(["Console", "JSON", "BigInt", "Missing", "Iterator", "ErrorConstructor"])(
  "a definition that is called %s is not the global type of that name",
  async (name) => {
    const schema = {
      $ref: `#/$defs/${name}`,
      $defs: { [name]: { type: "object", properties: { price: { type: "number" } }, required: ["price"] } },
    };
    const find = define("find", { type: "object" }, schema);
    expect(declareTools([declared(find)]).text).toContain(`type Find${name} = `);
    const check = await loadProgramCheck();
    const program = "const { price } = await tools.find({}); return price.toFixed(2);";
    expect(await check?.(program, declareTools([declared(find)]))).toEqual([]);
  },
);

test("what a description says does not end the comment, and requirements are in it", () => {
  const tools = [
    define(
      "a",
      { type: "object", properties: { n: { type: "number", description: "ends */ here" } } },
      undefined,
      "One.\n\nTwo */.",
    ),
    {
      ...define("b", { type: "object" }),
      policy: { requires: ["a"] },
      annotations: { deprecated: "Use a." },
    },
    { ...define("c", { type: "object" }, { type: "string" }), policy: { mask: true } },
  ];
  expect(declareTools(tools.map(declared)).text).toBe(`declare const tools: {
  /**
   * One.
   *
   * Two *\\/.
   */
  a(input?: {
    /** ends *\\/ here */
    n?: number;
  }): Promise<unknown>;
  /**
   * Requires: a first.
   * @deprecated Use a.
   */
  b(input?: Record<string, unknown>): Promise<unknown>;
  c(input?: Record<string, unknown>): Promise<unknown>;
};
`);
});

test("the same tools are the same text", () => {
  const input = { type: "object", properties: { user: { $ref: "#/$defs/User" } }, $defs: { User: user } };
  const tools = () => [define("find", input, undefined, "Find."), define("b", { type: "object" })];
  expect(declareTools(tools().map(declared)).text).toBe(declareTools(tools().map(declared)).text);
});

test("the shape of a value is short, whatever the value", () => {
  expect(
    shapeOf({
      items: [
        { id: 1, name: "a" },
        { id: 2, name: "b" },
      ],
      next: null,
    }),
  ).toBe("{ items: { id: number; name: string }[]; next: null }");
  expect(shapeOf([1, "a"])).toBe("(number | string)[]");
  expect(shapeOf([])).toBe("unknown[]");
  expect(shapeOf({ a: { b: { c: { d: { e: 1 } } } } })).toBe("{ a: { b: { c: { d: object } } } }");
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`property-${index}`, index]));
  expect(shapeOf(wide).length).toBeLessThanOrEqual(501);
});
