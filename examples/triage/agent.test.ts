import { type Agent, run, type RunResult } from "skein";
import { offline } from "skein/offline";
import { ScriptedModel } from "skein/testing";
import { beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { shopTeam } from "./agent.ts";
import { Shop } from "./shop.ts";

/** Ways to ask for a refund of item 2. */
const paraphrases = [
  "I want a refund for item 2",
  "give me my money back for the second item",
  "item 2 is broken, refund please",
  "I'd like to return item #2",
  "Please refund item two.",
  "can you reimburse me for item no. 2?",
  "The second item I bought doesn't work and I want my money back",
  "refund #2",
  "hey, I bought item 2 last week, and it fell apart. I'd like a refund.",
  "Item number 2 arrived damaged. Could I get refunded?",
  "I am not happy with item 2 and want to send it back",
  "REFUND ITEM 2 NOW!!!",
  "i need to get a refnd for item 2",
  "My kid hates item 2. How do I get my money back?",
  "Could you take back the 2nd item and give me the money I paid?",
  "cancel my purchase of item 2 and pay me back",
  "Hello! I ordered item 2 three weeks ago but I don't need it any more - a refund would be great.",
  "return: item 2, reason: wrong size",
  "I changed my mind about item 2, I'd like to get reimbursed",
  "Regarding item 2: it's the wrong colour, so I want to give it back and get my cash back.",
  "I'm returning item 2 because it is too small",
  "there's something wrong with item two, I demand my money back",
  "Would it be possible to have item 2 refunded?",
  "I never got item 2. Refund me.",
  "Item two turned out to be faulty; refund it, please",
  "I would like my money for item 2 returned",
  "please process a refund on the second item",
  "Take item 2 back, I don't like it",
  "number 2 is the wrong size, money back please",
  "can i get a refund for the 2nd thing i ordered",
  "I bought three things and item 2 is rubbish. Refund!",
  "we'd like to send back item #2 for a refund",
  "Refund item 2, not item 3.",
  "so I've had item 2 for 3 days and it already broke, reimburse me",
  "My order of item 2 was a mistake, please refund it",
  "What do I have to do to return item 2?",
  "Could you please issue a refund for item number two",
  "hi there, item 2 isn't what I expected. Money back?",
  "I paid 80 euros for item 2 and it leaks. I'd like that refunded.",
  "undo my purchase of item two",
  "I want to return the second one",
  "hello can you help me with a return? it's item 2",
];

let shop: Shop;
let agent: Agent;
beforeEach(open);

function open(): void {
  shop = new Shop();
  agent = shopTeam(shop);
}

function say(...messages: string[]): Promise<RunResult> {
  const [first = "", ...others] = messages;
  return others.reduce(
    async (earlier, content) => {
      const { agent, state } = await earlier;
      const input = [...state.messages, { role: "user" as const, content }];
      return run(agent, input, { model: offline() });
    },
    run(agent, first, { model: offline() }),
  );
}

function refundedItems(): number[] {
  return shop.orders.filter(({ refunded }) => refunded).map(({ itemId }) => itemId);
}

test("item 2, and nothing else, is refunded whatever the words: at least 16 in 20", async () => {
  const missed: string[] = [];
  for (const text of paraphrases) {
    open();
    const { status } = await say(text);
    expect(status).toBe("completed");
    expect([[2], []], text).toContainEqual(refundedItems());
    expect(shop.orders, text).toHaveLength(3);
    if (refundedItems().length === 0) missed.push(text);
  }
  expect(paraphrases.length).toBeGreaterThanOrEqual(20);
  expect(missed.length / paraphrases.length, missed.join("; ")).toBeLessThanOrEqual(4 / 20);
});

test("every tool does in the shop what it says", async () => {
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "transfer_to_sales" }] },
    {
      toolCalls: [
        { toolName: "listItems" },
        { toolName: "orderItem", arguments: { itemId: 3, quantity: 2 } },
      ],
    },
    { toolCalls: [{ toolName: "transfer_to_triage" }] },
    { toolCalls: [{ toolName: "transfer_to_refunds" }] },
    {
      toolCalls: [
        { toolName: "refundItem", arguments: { itemId: 3 } },
        { toolName: "applyDiscount", arguments: { itemId: 1, percent: 20 } },
        { toolName: "refundItem", arguments: { itemId: 4 } },
      ],
    },
    "Done.",
  ]);
  const { agent: last, text } = await run(agent, "Two boots; one pair back; the scarf was dear", { model });
  expect([last.name, text]).toEqual(["Refunds", "Done."]);
  expect(shop.orders).toEqual([
    { itemId: 1, quantity: 1, refunded: false, discount: 20 },
    { itemId: 2, quantity: 1, refunded: false, discount: 0 },
    { itemId: 3, quantity: 1, refunded: false, discount: 0 },
    { itemId: 3, quantity: 2, refunded: true, discount: 0 },
  ]);
  expect(JSON.stringify(model.requests[5]?.messages.at(-1))).toContain("there is no order of item 4");
  model.assertComplete();
});

test("stopped at any tool, the shop has what was told as done, and nothing else", async () => {
  const stops = await stopAtEveryTool({
    open: () => {
      open();
      const refund = { toolName: "refundItem", arguments: { itemId: 2 } };
      const order = { toolName: "orderItem", arguments: { itemId: 1 } };
      const model = new ScriptedModel([
        { toolCalls: [{ toolName: "transfer_to_refunds" }] },
        { toolCalls: [refund] },
        { toolCalls: [{ toolName: "transfer_to_triage" }] },
        { toolCalls: [{ toolName: "transfer_to_sales" }] },
        { toolCalls: [order] },
        "Done.",
      ]);
      return { agent, model };
    },
    check: (done) => {
      expect(refundedItems()).toEqual(done.includes("refundItem") ? [2] : []);
      expect(shop.orders).toHaveLength(done.includes("orderItem") ? 4 : 3);
    },
  });
  expect(stops).toBe(10);
});

test("Triage hands over to Refunds, whose tool is called once", async () => {
  const { messages, agent: last, text } = await say("I want a refund for item 2");
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  expect(calls.map(({ toolName }) => toolName)).toEqual(["transfer_to_refunds", "refundItem"]);
  expect(last.name).toBe("Refunds");
  expect(text).toMatch(/^Item 2 \(Rain jacket\) is refunded\. Reason: not specified\./);
});

test("what is missing is asked for, and the next message taken as the answer", async () => {
  const { text } = await say("I want my money back", "the second one");
  expect(text).toMatch(/^Item 2 \(Rain jacket\) is refunded/);
  expect(refundedItems()).toEqual([2]);
});

test("a reason is passed on", async () => {
  expect((await say("Please refund item 2 because it is too small")).text).toMatch(
    /Reason: it is too small\./,
  );
});

test("other wishes refund nothing", async () => {
  expect((await say("What do you sell?")).text).toContain("Hiking boots");
  await say("I'd like to buy two of item 3");
  expect(shop.orders.at(-1)).toMatchObject({ itemId: 3, quantity: 2 });
  await say("give me 20 percent off item 1");
  expect(shop.orders[0]).toMatchObject({ itemId: 1, discount: 20 });
  await say("tell me a joke");
  expect(refundedItems()).toEqual([]);
});

test("who cannot help hands back to Triage", async () => {
  const { agent: last } = await say("I want to order item 3", "no, item 2 is broken, refund it please");
  expect(last.name).toBe("Refunds");
  expect(refundedItems()).toEqual([2]);
});

test("a wish for something else does not answer the question of what to order", async () => {
  const { agent: last } = await say("I want to buy something", "refund item 2");
  expect(last.name).toBe("Refunds");
  expect(refundedItems()).toEqual([2]);
  expect(shop.orders.every(({ refunded, itemId }) => refunded === (itemId === 2))).toBe(true);
});

test("a refund that is impossible is told, not claimed", async () => {
  const { text } = await say("refund item 2", "refund item 2 again");
  expect(text).toMatch(/^That did not work: .*there is no order of item 2 that could be refunded/);
});

test.each([
  ["buy -3 of item 1", "expected a number of at least 1, received -3"],
  ["buy 1.5 of item 1", "expected an integer, received 1.5"],
  ["order 0 of item 2", "expected a number of at least 1, received 0"],
  ["give me 80% off item 1", "expected a number of at most 50, received 80"],
])("%s: what makes no sense is refused, and the shop stays as it was", async (request, words) => {
  const before = structuredClone(shop.orders);
  expect((await say(request)).text).toContain(words);
  expect(shop.orders).toEqual(before);
});

test("an item that is told by its name is asked for by its number", async () => {
  const { text, agent: last } = await say("refund the rain jacket");
  expect(last.name).toBe("Refunds");
  expect(text).toMatch(/^For "refund item" I need the item id/);
  expect((await say("refund the rain jacket", "item 2")).text).toMatch(/^Item 2 \(Rain jacket\) is refunded/);
});
