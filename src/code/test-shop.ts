import { tool, type Tool } from "skein";

/** The names of the tools of the shop that were called, in order. */
export const shopCalls: string[] = [];

const userSchema = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" }, city: { type: ["string", "null"] } },
  required: ["id", "name", "city"],
  additionalProperties: false,
} as const;

const orderSchema = {
  type: "object",
  properties: {
    id: { type: "integer" },
    total: { type: "number" },
    state: { enum: ["paid", "open"] },
    note: { type: "string" },
  },
  required: ["id", "total", "state"],
  additionalProperties: false,
} as const;

const filterSchema = {
  type: "object",
  properties: {
    states: { type: "array", items: { enum: ["paid", "open"] } },
    since: { type: "string" },
  },
} as const;

/** A tool of the shop that returns the same value each time. */
export function shopTool(name: string, input: object, output: object | undefined, value: unknown): Tool {
  return tool({
    name,
    input: { type: "object", ...input },
    ...(output && { output: { ...output } }),
    execute: () => {
      shopCalls.push(name);
      return value;
    },
  });
}

const ada = { id: 1, name: "Ada", city: null };
const bob = { id: 2, name: "Bob", city: "Oslo" };

/** Tools whose results are lists, objects, values that may be null, and one without a type. */
export const shopTools: readonly Tool[] = [
  shopTool(
    "findUsers",
    { properties: { city: { type: "string" }, limit: { type: "integer" } }, required: ["city"] },
    { type: "array", items: userSchema },
    [ada, bob],
  ),
  shopTool(
    "getUser",
    { properties: { id: { type: "integer" } }, required: ["id"] },
    { anyOf: [userSchema, { type: "null" }] },
    ada,
  ),
  shopTool(
    "listOrders",
    { properties: { userId: { type: "integer" }, filter: filterSchema }, required: ["userId"] },
    {
      type: "object",
      properties: { orders: { type: "array", items: orderSchema }, next: { type: ["string", "null"] } },
      required: ["orders", "next"],
      additionalProperties: false,
    },
    {
      orders: [
        { id: 7, total: 120.5, state: "paid" },
        { id: 8, total: 20, state: "open", note: "late" },
      ],
      next: null,
    },
  ),
  shopTool(
    "setState",
    {
      properties: { id: { type: "integer" }, state: { enum: ["open", "closed"] } },
      required: ["id", "state"],
    },
    { type: "boolean" },
    true,
  ),
  shopTool("count-all", { properties: {} }, { type: "integer" }, 3),
  shopTool("lookUp", { properties: { word: { type: "string" } }, required: ["word"] }, undefined, {
    items: ["a"],
  }),
];
