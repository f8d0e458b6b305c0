import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { agent, personalShopper } from "./agent.ts";
import { Shop } from "./shop.ts";

/** Which agent is active at the end; the shop stays as it is. Looking things up on the way is up to the model. */
const routed = (agent: string, ...inputs: readonly string[]): EvalCase[] =>
  inputs.map((input) => ({ input, agent, state: [] }));

const order = (productId: number, quantity?: number) => ({
  tool: "orderProduct",
  arguments: { productId, ...(quantity !== undefined && { quantity }) },
});
const refund = (orderId: number) => ({ tool: "refundOrder", arguments: { orderId } });
const notify = (message: RegExp, channel: "email" | "sms") => ({
  tool: "notifyCustomer",
  arguments: { message, channel },
  example: { message: message.source, channel },
});

export const evaluation: Evaluation = defineEval({
  name: "personal-shopper",
  agent,
  setup: () => {
    const shop = new Shop();
    return {
      agent: personalShopper(shop),
      state: () => changesOf(shop),
      close: () => shop[Symbol.dispose](),
    };
  },
  cases: [
    ...routed("Sales", "I'd like to buy something", "Do you have hats?", "What do the boots cost?"),
    ...routed("Refunds", "My jacket is broken, I want to return it", "Can I get my money back?"),
    ...routed("Notifications", "Can you send me a reminder?", "Do you also send messages by SMS?"),
    ...routed("Triage", "Hello", "Tell me a joke", "Thanks, bye"),
    {
      input: "What do you sell?",
      calls: { include: ["listProducts"] },
      text: ["Rain jacket", "Felt hat"],
      state: [],
    },
    {
      input: "Order two of product 4",
      calls: { include: [order(4, 2)] },
      agent: "Sales",
      state: ["ada bought 2 x Canvas bag for 7000", "payment 7000"],
    },
    {
      input: "Buy product 5 for me",
      calls: { include: [order(5)] },
      state: ["ada bought 1 x Felt hat for 4500", "payment 4500"],
    },
    {
      input: "I'll take three scarves",
      calls: { include: [order(1, 3)] },
      state: ["ada bought 3 x Wool scarf for 7500", "payment 7500"],
    },
    {
      name: "what is sold out cannot be bought",
      input: "Buy product 6",
      agent: "Sales",
      state: [],
      text: /left|sold out|not available|out of stock|unavailable/i,
    },
    {
      name: "more than there is cannot be bought",
      input: "Order five of product 3",
      agent: "Sales",
      state: [],
      text: /2|two/i,
    },
    {
      name: "more than the wallet holds cannot be bought",
      input: "Order product 2",
      context: { userId: 2 },
      agent: "Sales",
      state: [],
      text: /wallet|money|funds|balance|euros/i,
    },
    {
      name: "the context says who buys",
      input: "Order product 1",
      context: { userId: 2 },
      calls: { include: [order(1)] },
      state: ["ben bought 1 x Wool scarf for 2500", "payment 2500"],
    },
    { input: "Order product 99", never: ["refundOrder"], agent: "Sales", state: [] },
    { input: "Order -2 of product 1", never: ["refundOrder"], agent: "Sales", state: [] },
    {
      input: "What have I ordered so far?",
      calls: { include: ["listOrders"] },
      text: ["Rain jacket", "Canvas bag"],
      state: [],
    },
    {
      input: "Refund order 1, please",
      calls: { include: [refund(1)] },
      agent: "Refunds",
      state: ["payment -8000", "order 1 refunded"],
    },
    {
      input: "I want my money back for order 2 because the bags are torn",
      calls: {
        include: [
          {
            tool: "refundOrder",
            arguments: { orderId: 2, reason: /torn/i },
            example: { orderId: 2, reason: "The bags are torn" },
          },
        ],
      },
      state: ["payment -7000", "order 2 refunded"],
    },
    {
      name: "the order is found by what was bought",
      input: "The rain jacket leaks. Take it back and refund me, please.",
      calls: { include: [refund(1)] },
      state: ["payment -8000", "order 1 refunded"],
    },
    {
      name: "what is missing is asked for",
      input: "I want a refund",
      user: ["Order 2"],
      calls: { include: [refund(2)] },
      state: ["payment -7000", "order 2 refunded"],
    },
    {
      name: "others' orders are not refunded",
      input: "Refund order 3",
      agent: "Refunds",
      state: [],
    },
    {
      name: "an order is refunded once",
      input: "Refund order 1",
      user: ["Refund order 1 once more"],
      calls: { include: [refund(1)] },
      state: ["payment -8000", "order 1 refunded"],
    },
    {
      input: "Send me an email saying that the scarf is on its way",
      calls: { include: [notify(/scarf is on its way/i, "email")] },
      agent: "Notifications",
      state: ["ada gets an email"],
    },
    {
      input: "Send an SMS reminder: pick up the boots",
      calls: { include: [notify(/boots/i, "sms")] },
      state: ["ada gets an sms"],
    },
    {
      name: "one after the other, each by the agent that can",
      input: "Order product 1",
      user: ["Refund order 2", "Send me an email saying all is well"],
      calls: { include: [order(1), refund(2), notify(/all is well/i, "email")] },
      state: [
        "ada bought 1 x Wool scarf for 2500",
        "payment 2500",
        "payment -7000",
        "order 2 refunded",
        "ada gets an email",
      ],
    },
    {
      input: "I do not want a refund. What did I order?",
      never: ["refundOrder"],
      calls: { include: ["listOrders"] },
      state: [],
    },
  ],
});

/** What was done in the shop since it opened, in words. */
function changesOf(shop: Shop): string[] {
  const words = [
    `SELECT lower(substr(users.name, 1, 3)) || ' bought ' || quantity || ' x ' || products.name || ' for ' || total AS done
     FROM orders JOIN users ON users.id = user_id JOIN products ON products.id = product_id WHERE orders.id > 3 ORDER BY orders.id`,
    "SELECT 'payment ' || amount AS done FROM payments WHERE id > 3 ORDER BY id",
    "SELECT 'order ' || order_id || ' refunded' AS done FROM refunds ORDER BY order_id",
    `SELECT lower(substr(name, 1, 3)) || ' gets an ' || channel AS done
     FROM notifications JOIN users ON users.id = user_id ORDER BY notifications.id`,
  ];
  return words.flatMap((query) => shop.rows(query).map(({ done }) => String(done)));
}
