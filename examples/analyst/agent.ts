import { Agent, type Model, tool, type ToolContext } from "skein";
import { codeMode } from "skein/code";
import { openapi } from "skein/openapi";
import { serveCarrier } from "./carrier.ts";
import { Shop } from "./shop.ts";

/** An agent that answers questions about a shop by programs, which call the shop's functions and the carrier's API. */
export function analyst(shop: Shop, carrierUrl: string, model?: Model): Agent {
  /**
   * Find customers.
   * @param city - Where they live; without it, all customers
   */
  const findCustomers = (city?: string) => shop.customers(city);

  /**
   * List the orders of a customer, the oldest first.
   * @param since - A date such as 2026-01-01; earlier orders are left out
   */
  const listOrders = (customerId: number, since?: string) => shop.orders(customerId, since);

  /**
   * Give a customer credit.
   * @param euros - How much @minimum 1 @maximum 50
   * @param reason - As the customer reads it @maxLength 200
   */
  function giveCredit(customerId: number, euros: number, reason: string, { idempotencyKey }: ToolContext) {
    shop.credit(customerId, euros, reason, idempotencyKey);
    return `Customer ${customerId} has ${euros} euros more.`;
  }

  const carrier = openapi(new URL("carrier.json", import.meta.url), {
    baseUrl: carrierUrl,
    // Programs know the types of its answers.
    validateResponses: true,
  });
  return new Agent({
    name: "Analyst",
    instructions:
      "You answer questions about a shop. Compute in a program, return only what the answer needs, and answer in a sentence or a short list.",
    ...(model && { model }),
    tools: [codeMode([findCustomers, listOrders, tool(giveCredit, { approval: true }), carrier])],
  });
}

/** With `ANALYST_DATABASE` the shop is in a file. */
export const agent: Agent = analyst(new Shop(process.env["ANALYST_DATABASE"]), (await serveCarrier()).url);
