import { run } from "skein";
import { expect, test } from "vitest";
import { shopTeam } from "../../examples/triage/agent.ts";
import { Shop } from "../../examples/triage/shop.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

test("the README's transcript is a real one", () => expectTranscript("triage", shopTeam(new Shop())));

test("over the wire: the active agent names itself, and offers its own tools", async () => {
  const shop = new Shop();
  const provider = await startProvider([
    [{ tool: "transfer_to_refunds" }],
    [{ tool: "refundItem", arguments: { itemId: 2, reason: "it leaks" } }],
    "You get 80 euros back.",
  ]);
  const { text, usage } = await run(shopTeam(shop), "My jacket leaks", { model: provider.model });
  await provider.close();

  expect(text).toBe("You get 80 euros back.");
  expect(usage.totalTokens).toBe(45);
  expect(shop.orders.map(({ refunded }) => refunded)).toEqual([false, true, false]);
  expect(provider.requests.map(toolNames)).toEqual([
    ["transfer_to_sales", "transfer_to_refunds"],
    ["refundItem", "applyDiscount", "transfer_to_triage"],
    ["refundItem", "applyDiscount", "transfer_to_triage"],
  ]);
  const last = provider.requests[2];
  expect(last && told(last)).toEqual([
    ["system", "Refund the item. If the price is the reason, offer a discount first."],
    ["user", "My jacket leaks"],
    ["assistant", "transfer_to_refunds({})"],
    ["tool", expect.stringContaining("Refunds")],
    ["assistant", 'refundItem({"itemId":2,"reason":"it leaks"})'],
    ["tool", "Item 2 (Rain jacket) is refunded. Reason: it leaks."],
  ]);
  expect(last?.tools?.[0]).toEqual({
    type: "function",
    function: {
      name: "refundItem",
      description: "Refund an item that the customer bought and sends back.",
      parameters: {
        type: "object",
        properties: {
          itemId: { type: "integer", description: "Number of the item" },
          reason: { type: "string", description: "Why it is sent back", default: "not specified" },
        },
        required: ["itemId"],
        additionalProperties: false,
      },
    },
  });
});
