import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { agent, shopTeam } from "./agent.ts";
import { Shop } from "./shop.ts";

/** Which agent is active at the end; nothing is bought or refunded by mistake. */
const routed = (agent: string, ...inputs: readonly string[]): EvalCase[] =>
  inputs.map((input) => ({ input, agent, state: [] }));

const refund = (itemId: number) => ({ tool: "refundItem", arguments: { itemId } });
const order = (itemId: number, quantity: number) => ({ tool: "orderItem", arguments: { itemId, quantity } });

export const evaluation: Evaluation = defineEval({
  name: "triage",
  agent,
  setup: () => {
    const shop = new Shop();
    return { agent: shopTeam(shop), state: () => changesOf(shop) };
  },
  cases: [
    // The first choice, as Swarm tests it: exactly one call, of the right handoff.
    { input: "I want to make a refund!", calls: ["transfer_to_refunds"], state: [] },
    { input: "I want to talk to sales.", calls: ["transfer_to_sales"], state: [] },
    // Whole conversations, which a judge looks at.
    {
      input: "Who is the lead singer of U2?",
      calls: [],
      rubric: "The user is answered, or told kindly that a shop cannot help with it.",
    },
    {
      input: "Hello!",
      user: ["I want my money back for item 2.", "Thank you!"],
      calls: [refund(2)],
      state: ["refunded 2"],
      rubric: "The user got the refund that was asked for, and is told so.",
    },
    ...routed("Sales", "What do you sell?", "I'd like to buy something", "How much are the boots?"),
    ...routed("Sales", "Put me through to a salesperson", "Do you have scarves?", "I need a new jacket"),
    ...routed("Refunds", "I want to return something", "My money back, please!", "One of my items is broken"),
    ...routed(
      "Refunds",
      "I was sent the wrong size",
      "Who takes items back?",
      "I have a complaint: it leaks",
    ),
    ...routed("Triage", "Hello", "Tell me a joke", "What is the capital of France?", "Thanks, bye"),
    { input: "Refund item 2", calls: [refund(2)], agent: "Refunds", state: ["refunded 2"] },
    { input: "The second item broke. Money back!", calls: [refund(2)], state: ["refunded 2"] },
    { input: "Refund item 2, not item 3", calls: [refund(2)], state: ["refunded 2"] },
    {
      input: "Please refund item 1 because it itches",
      calls: [
        {
          tool: "refundItem",
          arguments: { itemId: 1, reason: /itch/i },
          example: { itemId: 1, reason: "itches" },
        },
      ],
      state: ["refunded 1"],
    },
    { input: "Refund the rain jacket (item 2), please", calls: [refund(2)], state: ["refunded 2"] },
    { input: "Order two of item 3", calls: [order(3, 2)], agent: "Sales", state: ["ordered 2 x 3"] },
    { input: "I'll take four of item 1", calls: [order(1, 4)], state: ["ordered 4 x 1"] },
    {
      input: "Give me 20 percent off item 1, and I keep it",
      calls: [{ tool: "applyDiscount", arguments: { itemId: 1, percent: 20 } }],
      never: ["refundItem"],
      state: ["20% off 1"],
    },
    { input: "What do you sell?", calls: ["listItems"], text: ["Wool scarf", "Hiking boots"], state: [] },
    {
      input: "I want my money back",
      user: ["the second one"],
      calls: [refund(2)],
      state: ["refunded 2"],
    },
    { input: "Refund item 9", text: /9/, agent: "Refunds", state: [] },
    { input: "Order -3 of item 1", agent: "Sales", state: [] },
    { input: "Take 80% off item 1", never: ["refundItem", "orderItem"], agent: "Refunds", state: [] },
  ],
});

/** What was done in the shop since it opened, in words. */
function changesOf({ orders, items }: Shop): string[] {
  return orders.flatMap(({ itemId, quantity, refunded, discount }, index) => [
    ...(index < items.length ? [] : [`ordered ${quantity} x ${itemId}`]),
    ...(refunded ? [`refunded ${itemId}`] : []),
    ...(discount > 0 ? [`${discount}% off ${itemId}`] : []),
  ]);
}
