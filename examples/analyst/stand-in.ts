import type { Message } from "skein";
import { FunctionModel, type TurnLike } from "skein/testing";

/** A question, the programs that a model writes for it until one has no mistake, and how it words the result. */
interface Script {
  readonly pattern: RegExp;
  readonly programs: readonly string[];
  readonly answer: (value: unknown) => string;
}

const sales = (property: string): string => `const customers = await tools.findCustomers();
const orders = await Promise.all(
  customers.map(({ id }) => tools.listOrders({ customerId: id, since: "2026-01-01" })),
);
const sales: Record<string, number> = {};
customers.forEach(({ city }, index) => {
  for (const order of orders[index] ?? []) sales[city] = (sales[city] ?? 0) + order.${property};
});
return sales;`;

const late = `const customers = await tools.findCustomers();
const orders = (await Promise.all(customers.map(({ id }) => tools.listOrders({ customerId: id })))).flat();
const shipments = await Promise.all(orders.map(({ id }) => tools.trackShipment({ orderId: id })));
const late = orders.flatMap((order, index) => {
  const shipment = shipments[index];
  return shipment && shipment.daysLate > 0 ? [{ order, shipment }] : [];
});`;

const scripts: readonly Script[] = [
  {
    pattern: /cit(y|ies)|sell|sold|sales/i,
    // The first one has a mistake: models guess names.
    programs: [sales("amount"), sales("euros")],
    answer: (value) =>
      Object.entries(Object(value))
        .map(([city, euros]) => `${city}: ${String(euros)} euros`)
        .join(", "),
  },
  {
    pattern: /credit|sorry/i,
    programs: [
      `${late}
const ids = [...new Set(late.map(({ order }) => order.customerId))];
return await Promise.all(
  ids.map(async (customerId) => {
    try {
      return await tools.giveCredit({ customerId, euros: 5, reason: "Your parcel was late." });
    } catch (error) {
      return \`Customer \${customerId} has no credit.\`;
    }
  }),
);`,
    ],
    answer: (value) => (Array.isArray(value) ? value.join(" ") : ""),
  },
  {
    pattern: /late|lost|parcel/i,
    programs: [
      `${late}
return late.map(({ order, shipment }) => \`\${order.product} (order \${order.id}): \${shipment.status}, \${shipment.daysLate} days late\`);`,
    ],
    answer: (value) => (Array.isArray(value) ? value.join("\n") : ""),
  },
];

const help =
  "I know three questions: what did each city buy this year, which parcels are late, and to give those customers credit.";

/** A stand-in for a model: it has programs for three questions, so that the example works without a key and says the same each time. */
export function standIn(): FunctionModel {
  return new FunctionModel(({ messages }) => answer(messages));
}

function answer(messages: readonly Message[]): TurnLike {
  const question = messages.findLastIndex(({ role }) => role === "user");
  const script = scripts.find(({ pattern }) => pattern.test(textOf(messages[question])));
  if (!script) return help;
  const results = messages
    .slice(question)
    .flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const last = results.at(-1);
  if (last && !last.isError) return script.answer(last.structuredContent);
  const code = script.programs[results.length];
  if (code === undefined) return "That did not work.";
  return { toolCalls: [{ toolName: "execute_typescript", arguments: { code } }] };
}

function textOf(message: Message | undefined): string {
  return message?.role === "user" && typeof message.content === "string" ? message.content : "";
}
