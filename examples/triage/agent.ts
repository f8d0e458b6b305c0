import { Agent, triage } from "skein";
import { Shop } from "./shop.ts";

/** Triage finds out what a customer needs and hands over; Sales and Refunds see to it, or hand back. */
export function shopTeam(shop: Shop): Agent {
  /** List the items that the shop sells, with prices in euros. */
  function listItems() {
    return shop.items;
  }

  /**
   * Order an item for the customer.
   * @param itemId - Number of the item @integer
   * @param quantity - How many of it @integer @minimum 1
   */
  function orderItem(itemId: number, quantity = 1) {
    const { name, price } = shop.item(itemId);
    shop.orders.push({ itemId, quantity, refunded: false, discount: 0 });
    return `Ordered: ${quantity} x ${name}, ${price * quantity} euros.`;
  }

  /**
   * Refund an item that the customer bought and sends back.
   * @param itemId - Number of the item @integer
   * @param reason - Why it is sent back
   */
  function refundItem(itemId: number, reason = "not specified") {
    shop.paidOrder(itemId).refunded = true;
    return `Item ${itemId} (${shop.item(itemId).name}) is refunded. Reason: ${reason}.`;
  }

  /**
   * Give a discount on an item that the customer keeps instead of a refund.
   * @param itemId - Number of the item @integer
   * @param percent - How much is taken off the price, in percent @minimum 1 @maximum 50
   */
  function applyDiscount(itemId: number, percent = 10) {
    shop.paidOrder(itemId).discount = percent;
    return `${percent}% of the price of item ${itemId} (${shop.item(itemId).name}) is paid back.`;
  }

  const sales = new Agent({
    name: "Sales",
    description: "Shows the products of the shop and takes orders.",
    instructions: "Show the customer what there is, and take the order.",
    tools: [listItems, orderItem],
  });

  const refunds = new Agent({
    name: "Refunds",
    description: "Takes back items that are broken or unwanted: gives refunds and discounts.",
    instructions: "Refund the item. If the price is the reason, offer a discount first.",
    tools: [refundItem, applyDiscount],
  });

  return triage([sales, refunds]);
}

export const agent: Agent = shopTeam(new Shop());
