import { Agent } from "../agent/agent.ts";
import { tool } from "../tool/define.ts";

/** A small shop whose orders can be refunded. */
export interface Shop {
  readonly refunded: number[];
}

/** Triage, which hands over to Sales and Refunds, and the shop that they change. */
export function shopTeam(): { readonly triage: Agent; readonly shop: Shop } {
  const shop: Shop = { refunded: [] };
  const order = { type: "object", properties: { order: { type: "integer" } }, required: ["order"] };
  const none = { type: "object", properties: {} };
  const sales: Agent = new Agent({
    name: "Sales",
    tools: [
      tool({ name: "listItems", input: none, execute: () => ["scarf", "boots"] }),
      tool({ name: "lookUp", input: order, execute: () => "25 euros" }),
    ],
    handoffs: () => [triage],
  });
  const refunds: Agent = new Agent({
    name: "Refunds",
    tools: [
      tool<{ order: number }>({
        name: "refund",
        input: order,
        execute: ({ order }) => {
          shop.refunded.push(order);
          return `Order ${order} is refunded.`;
        },
      }),
    ],
    handoffs: () => [triage],
  });
  const triage: Agent = new Agent({ name: "Triage", handoffs: [sales, refunds] });
  return { triage, shop };
}
