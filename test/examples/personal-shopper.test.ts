import { run } from "skein";
import { expect, test } from "vitest";
import { personalShopper } from "../../examples/personal-shopper/agent.ts";
import { Shop } from "../../examples/personal-shopper/shop.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

test("the README's transcript is a real one", () =>
  expectTranscript("personal-shopper", personalShopper(new Shop())));

test("over the wire: the customer appears by name only, and a failure in a form that can be corrected", async () => {
  const shop = new Shop();
  const provider = await startProvider([
    [{ tool: "transfer_to_sales" }],
    [{ tool: "orderProduct", arguments: { productId: 3, quantity: 5 } }],
    [{ tool: "orderProduct", arguments: { productId: 3, quantity: 2 } }],
    "There were only two left: they are yours.",
  ]);
  const context = { userId: 1 };
  const { text } = await run(personalShopper(shop), "Five boots", { model: provider.model, context });
  await provider.close();

  expect(text).toBe("There were only two left: they are yours.");
  expect(provider.requests.map(toolNames)).toEqual([
    ["transfer_to_sales", "transfer_to_refunds", "transfer_to_notifications"],
    ...Array.from({ length: 3 }, () => ["listProducts", "listOrders", "orderProduct", "transfer_to_triage"]),
  ]);
  const [first, , , last] = provider.requests.map(told);
  expect(first?.[0]?.[1]).toMatch(/^You serve Ada Park, whose wallet holds 300 euros\./);
  expect(last?.slice(2)).toEqual([
    ["assistant", "transfer_to_sales({})"],
    ["tool", expect.stringContaining("Sales")],
    ["assistant", 'orderProduct({"productId":3,"quantity":5})'],
    ["tool", "orderProduct failed: only 2 of Hiking boots are left"],
    ["assistant", 'orderProduct({"productId":3,"quantity":2})'],
    ["tool", "Order 4: 2 x Hiking boots, 240.00 euros."],
  ]);
  expect(provider.requests[1]?.tools?.[2]).toMatchObject({
    function: {
      description: "Order a product for the customer, paid from the wallet.",
      parameters: {
        properties: {
          productId: { type: "integer", description: "Number of the product" },
          quantity: { type: "integer", minimum: 1, default: 1 },
        },
        required: ["productId"],
        additionalProperties: false,
      },
    },
  });
  expect(shop.rows("SELECT stock FROM products WHERE id = 3")).toEqual([{ stock: 0 }]);
});
