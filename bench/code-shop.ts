import { tool, type Tool } from "skein";

const people = 8;

const user = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" }, city: { type: "string" } },
  required: ["id", "name", "city"],
} as const;

const order = {
  type: "object",
  properties: { id: { type: "integer" }, total: { type: "number" }, state: { enum: ["paid", "open"] } },
  required: ["id", "total", "state"],
} as const;

/** The tools of a task in the scripted bench of code mode, all with types of their results. */
const used: readonly Tool[] = [
  tool({
    name: "find_users",
    description: "Finds users by the city they live in.",
    input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    output: { type: "array", items: user },
    execute: () => Array.from({ length: people }, (_, id) => ({ id, name: `User ${id}`, city: "Oslo" })),
  }),
  tool({
    name: "list_orders",
    description: "Lists the orders of a user, the newest first.",
    input: { type: "object", properties: { user_id: { type: "integer" } }, required: ["user_id"] },
    output: { type: "array", items: order },
    execute: ({ user_id: id }: { user_id: number }) =>
      Array.from({ length: 5 }, (_, index) => ({ id: 10 * id + index, total: 30 * index, state: "paid" })),
  }),
  tool({
    name: "get_order",
    description: "Returns an order with its lines.",
    input: { type: "object", properties: { order_id: { type: "integer" } }, required: ["order_id"] },
    output: order,
    execute: ({ order_id: id }: { order_id: number }) => ({ id, total: 120, state: "paid" }),
  }),
];

const verbs = [
  "list",
  "create",
  "update",
  "archive",
  "export",
  "approve",
  "assign",
  "merge",
  "find",
  "count",
];
const things = "invoice customer branch ticket parcel refund calendar contract sensor recipe".split(" ");

/** The tools that the task needs, among others: `count` in all. */
export function shopTools(count: number): readonly Tool[] {
  const others = Array.from({ length: count - used.length }, (_, index) => otherTool(index));
  return [...others, ...used];
}

function otherTool(index: number): Tool {
  const [verb = "", thing = ""] = [verbs[index % 10], things[Math.floor(index / 10) % 10]];
  const key = `${thing}_id`;
  return tool({
    name: `${verb}_${thing}_${index}`,
    description: `Lets a clerk ${verb} the ${thing} of department ${index}, with all that belongs to it.`,
    input: {
      type: "object",
      properties: {
        [key]: { type: "string", description: `The ${thing} in question.` },
        limit: { type: "integer", description: "The most that are returned." },
      },
      required: [key],
    },
    output: { type: "object", properties: { id: { type: "string" }, done: { type: "boolean" } } },
    execute: () => ({ id: "1", done: true }),
  });
}

/** The largest order of each user in Oslo that is above 100, as a model would ask for it call by call, as many at once as it can. */
export const plainTurns: readonly (readonly (readonly [name: string, input: object])[])[] = [
  [["find_users", { city: "Oslo" }]],
  Array.from({ length: people }, (_, id) => ["list_orders", { user_id: id }] as const),
  Array.from({ length: people }, (_, id) => ["get_order", { order_id: 10 * id + 4 }] as const),
];

/** The same as a program. */
export const program = `const users = await tools.find_users({ city: "Oslo" });
const orders = await Promise.all(users.map((user) => tools.list_orders({ user_id: user.id })));
const large = orders.flatMap((list) => list.filter((order) => order.total > 100).slice(0, 1));
const whole = await Promise.all(large.map((order) => tools.get_order({ order_id: order.id })));
return whole.map(({ id, total }) => ({ id, total }));`;

/** What a model looks for first, where it has no declarations in front of it. */
export const search = `return await Promise.all(["users of a city", "orders of a user", "an order"].map((words) => tools.search(words, 3)));`;
