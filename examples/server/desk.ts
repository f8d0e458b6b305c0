import { Agent, tool, triage, type ToolContext } from "skein";

/** Who a run is for: the server sets it by `authorize`, no client can. */
export interface Caller {
  readonly customer: string;
}

interface Order {
  readonly order: number;
  readonly item: string;
  readonly euros: number;
}

const orders: readonly Order[] = [
  { order: 7, item: "tent", euros: 80 },
  { order: 8, item: "sleeping bag", euros: 55 },
];

const catalogue: readonly string[] = [
  "Alder: a tent for two, 2.1 kg, 80 euros",
  "Birch: a tent for two, 1.4 kg, 190 euros",
  "Cedar: a tent for four, 4.6 kg, 240 euros",
];

/** The desk of a shop: it finds out who can help, asks for research by itself, and hands over to two colleagues. */
export function shopDesk(): Agent<Caller> {
  const payments = new Map<string, string>();

  /** List the orders of the customer. */
  function listOrders({ context }: ToolContext<Caller>) {
    const lines = orders.map(({ order, item, euros }) => `order ${order} (${item}, ${euros} euros)`);
    return `${context.customer} has ${lines.join(" and ")}.`;
  }

  /**
   * Find out where a parcel is.
   * @param order - The number of the order
   */
  function trackParcel(order: number) {
    if (!orders.some((each) => each.order === order)) throw new Error(`Order ${order} was not found.`);
    return `The parcel of order ${order} is at the depot, and comes tomorrow.`;
  }

  /**
   * Pay money back for an order.
   * @param order - The number of the order
   * @param euros - How much @minimum 1
   */
  function refund(order: number, euros: number, { context, idempotencyKey }: ToolContext<Caller>) {
    // A call that a crash has interrupted is made again with the same key: money is paid once.
    const paid =
      payments.get(idempotencyKey) ?? `${euros} euros of order ${order} are paid to ${context.customer}.`;
    payments.set(idempotencyKey, paid);
    return paid;
  }

  /**
   * Search the catalogue.
   * @param query - What for
   */
  function searchCatalogue(query: string) {
    const words = query.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    return catalogue.filter((line) => words.some((word) => line.toLowerCase().includes(word)));
  }

  const refunds = new Agent({
    name: "Refunds",
    description: "Pays money back.",
    instructions: "Pay back what the customer asks for: the whole price unless they say otherwise.",
    tools: [tool(refund, { approval: true })],
  });
  const parcels = new Agent({
    name: "Parcels",
    description: "Knows the customer's orders, and where their parcels are.",
    tools: [listOrders, trackParcel],
  });
  const research = new Agent({
    name: "Research",
    description: "Compares what the shop sells.",
    instructions: "Search the catalogue, then say in two sentences what fits best.",
    tools: [searchCatalogue],
  });
  return triage<Caller>([refunds, parcels], {
    name: "Desk",
    instructions:
      "Find out what the customer needs. Leave comparisons to research, all else to your colleagues.",
    tools: [research.asTool()],
  });
}
