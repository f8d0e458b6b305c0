import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { type Agent, run, type RunState, type ToolResult } from "skein";
import { ScriptedModel } from "skein/testing";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { type Customer, personalShopper } from "./agent.ts";
import { Shop } from "./shop.ts";

const folder = mkdtempSync(join(tmpdir(), "shop-"));
let path: string;
let count = 0;
let shop: Shop;
let agent: Agent<Customer>;

beforeEach(() => {
  path = join(folder, `${++count}.db`);
  shop = new Shop(path);
  agent = personalShopper(shop);
  return () => shop[Symbol.dispose]();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Everything that the shop holds. */
function everything(of: Shop = shop) {
  const tables = ["users", "products", "orders", "payments", "refunds", "notifications", "done"];
  return tables.map((table) => of.rows(`SELECT * FROM ${table}`));
}

const call = (toolName: string, args: Readonly<Record<string, string | number>> = {}) => ({
  toolCalls: [{ toolName, arguments: args }],
});
const order = [call("transfer_to_sales"), call("orderProduct", { productId: 4, quantity: 2 }), "Done."];
const refund = [
  call("transfer_to_refunds"),
  call("refundOrder", { orderId: 1, reason: "It leaks" }),
  "Done.",
];
const notify = [call("transfer_to_notifications"), call("notifyCustomer", { message: "Ready" }), "Done."];

const resultsOf = ({ messages }: Pick<RunState, "messages">): readonly ToolResult[] =>
  messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));

const textsOf = (state: Pick<RunState, "messages">) =>
  resultsOf(state).map(({ content: [part] }) => (part?.type === "text" ? part.text : ""));

test("an order takes stock and money, and is written down with its payment", async () => {
  const model = new ScriptedModel(order);
  const result = await run(agent, "Two canvas bags, please", { model });
  model.assertComplete();
  expect(textsOf(result).at(-1)).toBe("Order 4: 2 x Canvas bag, 70.00 euros.");
  expect(shop.rows("SELECT stock FROM products WHERE id = 4")).toEqual([{ stock: 6 }]);
  expect(shop.rows("SELECT wallet FROM users WHERE id = 1")).toEqual([{ wallet: 23_000 }]);
  expect(shop.rows("SELECT * FROM orders WHERE id = 4")).toEqual([
    { id: 4, user_id: 1, product_id: 4, quantity: 2, total: 7_000 },
  ]);
  expect(shop.rows("SELECT * FROM payments WHERE order_id = 4")).toEqual([
    { id: 4, order_id: 4, amount: 7_000 },
  ]);
});

test("a refund gives money and stock back, once", async () => {
  const again = call("refundOrder", { orderId: 1 });
  const result = await run(agent, "Refund order 1", {
    model: new ScriptedModel([...refund.slice(0, 2), again, "Done."]),
  });
  expect(textsOf(result).slice(1)).toEqual([
    "Order 1 is refunded: 80.00 euros are back in the wallet.",
    "refundOrder failed: order 1 is refunded already",
  ]);
  expect(shop.rows("SELECT stock FROM products WHERE id = 2")).toEqual([{ stock: 6 }]);
  expect(shop.rows("SELECT wallet FROM users WHERE id = 1")).toEqual([{ wallet: 38_000 }]);
  expect(shop.rows("SELECT amount FROM payments WHERE order_id = 1")).toEqual([
    { amount: 8_000 },
    { amount: -8_000 },
  ]);
  expect(shop.rows("SELECT * FROM refunds")).toEqual([{ order_id: 1, reason: "It leaks" }]);
});

test("what a customer is to be told is noted down for that customer", async () => {
  await run(agent, "Tell me", { model: new ScriptedModel(notify), context: { userId: 3 } });
  expect(shop.rows("SELECT user_id, channel, message FROM notifications")).toEqual([
    { user_id: 3, channel: "email", message: "Ready" },
  ]);
});

test("the context says who is served: the model is told the name and cannot act for others", async () => {
  const model = new ScriptedModel([...refund.slice(0, 2), call("listOrders"), "Sorry."]);
  const result = await run(agent, "Refund order 1", { model, context: { userId: 2 } });
  expect(model.requests[0]?.instructions).toContain("You serve Ben Ruiz, whose wallet holds 40 euros.");
  expect(JSON.stringify(model.requests.map(({ tools }) => tools))).not.toMatch(/userId|idempotencyKey/);
  expect(textsOf(result)[1]).toBe("refundOrder failed: this customer has no order 1");
  expect(resultsOf(result)[2]?.structuredContent).toMatchObject([{ id: 3, product: "Wool scarf" }]);
});

test.each(["4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00"])(
  "the number %s reaches no model",
  async (number) => {
    const model = new ScriptedModel([]);
    const { state, ...result } = await run(agent, `Take it from ${number}`, { model });
    expect(result).toMatchObject({
      status: "blocked",
      blocked: { guard: "no-cards", stage: "input" },
      text: "Please do not send the number of a card or an account. Your wallet pays.",
    });
    expect(JSON.stringify(state)).not.toContain(number);
  },
);

test("a number that is sent after a handoff reaches no model, either", async () => {
  const model = new ScriptedModel([call("transfer_to_sales"), "Which one?"]);
  const greeted = await run(agent, "Hello", { model });
  const next = { role: "user" as const, content: "My card is 4111111111111111" };
  const result = await run(greeted.agent, [...greeted.state.messages, next], { model });
  expect(result).toMatchObject({ status: "blocked", agent: { name: "Sales" } });
  model.assertComplete();
});

test("a message has no links but the shop's: the model learns why, and writes another", async () => {
  const message = "Pay at https://shop.example.evil.com";
  const better = call("notifyCustomer", { message: "See https://www.shop.example/orders" });
  const model = new ScriptedModel([notify[0] ?? "", call("notifyCustomer", { message }), better, "Done."]);
  const result = await run(agent, "Tell me", { model });
  expect(textsOf(result)[1]).toBe("The message has a link to shop.example.evil.com. Leave it out.");
  expect(shop.rows("SELECT message FROM notifications")).toEqual([
    { message: "See https://www.shop.example/orders" },
  ]);
});

test("products are found by a word of their names", async () => {
  const model = new ScriptedModel([call("transfer_to_sales"), call("listProducts", { word: "hat" }), "One."]);
  const result = await run(agent, "A hat?", { model });
  expect(resultsOf(result)[1]?.structuredContent).toEqual([{ id: 5, name: "Felt hat", price: 45, stock: 1 }]);
});

test.each([
  [1, { productId: 3, quantity: 3 }, "only 2 of Hiking boots are left"],
  [1, { productId: 99 }, "there is no product 99"],
  [2, { productId: 2 }, "the wallet holds less than 80.00 euros"],
])("customer %i cannot order %o: %s", async (userId, args, reason) => {
  const before = everything();
  const model = new ScriptedModel([call("transfer_to_sales"), call("orderProduct", args), "Sorry."]);
  const result = await run(agent, "Order it", { model, context: { userId } });
  expect(textsOf(result).at(-1)).toBe(`orderProduct failed: ${reason}`);
  expect(everything()).toEqual(before);
});

describe("all or nothing", () => {
  /** What fails: a trigger of the database for each step, and the commit itself. */
  const steps = {
    order: [
      "UPDATE ON products",
      "UPDATE ON users",
      "INSERT ON orders",
      "INSERT ON payments",
      "INSERT ON done",
    ],
    refund: [
      "INSERT ON refunds",
      "INSERT ON payments",
      "UPDATE ON users",
      "UPDATE ON products",
      "INSERT ON done",
    ],
    notify: ["INSERT ON notifications", "INSERT ON done"],
  };
  const scripts = { order, refund, notify };
  const breaking = (step: string) =>
    `CREATE TRIGGER broken BEFORE ${step} BEGIN SELECT RAISE(ABORT, 'disk failed'); END`;
  const breakingCommit = `
    CREATE TABLE ghosts (user_id INTEGER REFERENCES users DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER broken AFTER INSERT ON done BEGIN INSERT INTO ghosts VALUES (99); END`;

  test.each(
    (["order", "refund", "notify"] as const).flatMap((deed) => [
      ...steps[deed].map((step) => [deed, step, breaking(step), "disk failed"] as const),
      [deed, "the commit", breakingCommit, "FOREIGN KEY constraint failed"] as const,
    ]),
  )(
    "%s: where %s fails, the shop stays as it was, and the next attempt succeeds",
    async (deed, _, sql, reason) => {
      using other = closing(new DatabaseSync(path));
      other.database.exec(sql);
      const before = everything();
      const [handoff = "", act = ""] = scripts[deed];
      const model = new ScriptedModel([
        handoff,
        act,
        () => {
          expect(everything()).toEqual(before);
          other.database.exec("DROP TRIGGER broken");
          return act;
        },
        "Done.",
      ]);
      const result = await run(agent, "Please", { model });
      expect(resultsOf(result).map(({ outcome }) => outcome)).toEqual(["success", "error", "success"]);
      expect(textsOf(result)[1]).toContain(reason);
      expect(shop.rows("SELECT count(*) AS count FROM done")).toEqual([{ count: 1 }]);
    },
  );
});

describe("once", () => {
  test("a call whose answer was lost is tried again, and does nothing twice", async () => {
    const buy = shop.buy.bind(shop);
    vi.spyOn(shop, "buy").mockImplementationOnce((...args) => {
      buy(...args);
      throw Object.assign(new Error("database is locked"), { errcode: 5 });
    });
    const result = await run(agent, "Two bags", { model: new ScriptedModel(order) });
    expect(shop.buy).toHaveBeenCalledTimes(2);
    expect(textsOf(result).at(-1)).toBe("Order 4: 2 x Canvas bag, 70.00 euros.");
    expect(shop.rows("SELECT count(*) AS count FROM orders")).toEqual([{ count: 4 }]);
  });

  test("a state that is resumed twice, as after a crash, orders once", async () => {
    const greeted = await run(agent, "Hello", {
      model: new ScriptedModel([call("transfer_to_sales"), "Which one?"]),
    });
    const history = [...greeted.state.messages, { role: "user" as const, content: "Two bags" }];
    const model = new ScriptedModel(order.slice(1));
    const { state } = await run(greeted.agent, history, { model, executeTools: false });
    const stored = JSON.stringify(state);
    for (const _ of [1, 2]) {
      const result = await run(agent, JSON.parse(stored), { model: new ScriptedModel(["Done."]) });
      expect(textsOf(result)).toEqual(["Order 4: 2 x Canvas bag, 70.00 euros."]);
    }
    expect(shop.rows("SELECT count(*) AS count FROM orders")).toEqual([{ count: 4 }]);
    expect(shop.rows("SELECT stock FROM products WHERE id = 4")).toEqual([{ stock: 6 }]);
  });

  test("a database that is busy is tried again until it is free", async () => {
    using other = closing(new DatabaseSync(path));
    other.database.exec("BEGIN IMMEDIATE");
    const buy = shop.buy.bind(shop);
    vi.spyOn(shop, "buy").mockImplementation((...args) => {
      if (vi.mocked(shop.buy).mock.calls.length === 2) other.database.exec("COMMIT");
      return buy(...args);
    });
    const result = await run(agent, "Two bags", { model: new ScriptedModel(order) });
    expect(shop.buy).toHaveBeenCalledTimes(2);
    expect(textsOf(result).at(-1)).toBe("Order 4: 2 x Canvas bag, 70.00 euros.");
  });
});

test.each([
  ["order", "orderProduct", order],
  ["refund", "refundOrder", refund],
  ["notification", "notifyCustomer", notify],
])(
  "stopped at any tool, the shop has the %s that the history tells of, or nothing of it",
  async (_, deed, script) => {
    let fresh = new Shop();
    const untouched = everything(fresh);
    const places = await stopAtEveryTool({
      open: () => {
        fresh = new Shop();
        return { agent: personalShopper(fresh), model: new ScriptedModel(script) };
      },
      check: (done) => {
        const receipts = fresh.rows("SELECT * FROM done").length;
        expect(receipts).toBe(done.includes(deed) ? 1 : 0);
        expect(everything(fresh).every((table, index) => isDeepStrictEqual(table, untouched[index]))).toBe(
          receipts === 0,
        );
      },
    });
    expect(places).toBe(4);
  },
);

function closing(database: DatabaseSync): Disposable & { readonly database: DatabaseSync } {
  return { database, [Symbol.dispose]: () => database.close() };
}
