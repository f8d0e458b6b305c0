import { Agent, tool, type ToolContext, triage } from "skein";
import { allowedDomains, guard, personalData } from "skein/guards";
import { type Channel, isBusy, Shop } from "./shop.ts";

/** Who is shopping; the model never sees it, and cannot choose another. */
export interface Customer {
  /** The first customer of the shop if nobody is named: this is a demonstration. */
  readonly userId?: number;
}

type Caller = ToolContext<Customer>;

const userOf = ({ userId = 1 }: Customer): number => userId;

/** The shop is paid from the wallet: no model, and no history, is to have the number of a card or an account. */
const noCards = guard(
  { input: personalData({ kinds: ["card", "iban"] }) },
  { name: "no-cards", message: "Please do not send the number of a card or an account. Your wallet pays." },
);

const isOfShop = allowedDomains(["shop.example"]);

/** Messages go out in the name of the shop: they have no links but its own, whatever a customer asks for. */
const ownLinks = guard(
  {
    tool({ call, text }) {
      const problem = call.toolName === "notifyCustomer" ? isOfShop({ text }) : undefined;
      return problem && { deny: `The message has ${problem}. Leave it out.` };
    },
  },
  { name: "own-links" },
);

/** Sales, Refunds and Notifications serve the customers of a shop; Triage finds out who can help. */
export function personalShopper(shop: Shop): Agent<Customer> {
  /**
   * List the products that the shop sells: numbers, names, prices in euros, how many are left.
   * @param word - Only those with this word in the name
   */
  const listProducts = (word?: string) => shop.products(word);

  /**
   * Order a product for the customer, paid from the wallet.
   * @param productId - Number of the product @integer
   * @param quantity - How many of it @integer @minimum 1
   */
  const orderProduct = (productId: number, quantity = 1, { context, idempotencyKey }: Caller) =>
    shop.buy(userOf(context), productId, quantity, idempotencyKey);

  /** List the orders of the customer: numbers, products, totals in euros, what was refunded. */
  const listOrders = ({ context }: Caller) => shop.orders(userOf(context));

  /**
   * Refund an order of the customer, who sends the goods back.
   * @param orderId - Number of the order @integer
   * @param reason - Why it is sent back
   */
  const refundOrder = (orderId: number, reason = "not specified", { context, idempotencyKey }: Caller) =>
    shop.refund(userOf(context), orderId, reason, idempotencyKey);

  /**
   * Notify the customer: send a message, such as a confirmation or a reminder.
   * @param message - What to say
   * @param channel - How to send it
   */
  const notifyCustomer = (message: string, channel: Channel = "email", { context, idempotencyKey }: Caller) =>
    shop.notify(userOf(context), channel, message, idempotencyKey);

  // Each attempt at a call has the same key, so that nothing is done twice.
  const retries = { times: 4, delay: 50, when: isBusy };

  const sales = new Agent<Customer>({
    name: "Sales",
    description: "Shows the products of the shop and takes orders.",
    instructions: "Find out which product the customer wants, and order it. Give the number of the order.",
    tools: [listProducts, listOrders, tool(orderProduct, { retries })],
    middleware: [noCards],
  });
  const refunds = new Agent<Customer>({
    name: "Refunds",
    description: "Gives the money back for what is broken or unwanted.",
    instructions:
      "Find the order that the customer means. If it is not clear which, ask. Refund it only if the customer asks for that.",
    tools: [listOrders, tool(refundOrder, { retries })],
    middleware: [noCards],
  });
  const notifications = new Agent<Customer>({
    name: "Notifications",
    description: "Sends the customer messages, by email or SMS: confirmations, reminders.",
    instructions: "Send what the customer wants to be told, by the way that the customer prefers.",
    tools: [tool(notifyCustomer, { retries })],
    middleware: [noCards, ownLinks],
  });
  return triage<Customer>([sales, refunds, notifications], {
    middleware: [noCards],
    instructions: ({ context }) => {
      const { name = "", euros = 0 } = shop.customer(userOf(context));
      return `You serve ${name}, whose wallet holds ${euros} euros. Find out what is wanted, and hand over to the agent that can help.`;
    },
  });
}

/** Without a file the shop is in memory, and opens afresh at each start. */
export const agent: Agent<Customer> = personalShopper(new Shop(process.env["SHOP_DATABASE"]));
