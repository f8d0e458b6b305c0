import { describe, expect, test } from "vitest";
import type { ToolSpec } from "../../model/types.ts";
import { answer, callsFor, resultMessage, says, weather } from "./test-tools.ts";

describe("a message that is not an answer", () => {
  const pattern = "^T\\d{3}$";
  const bags: readonly ToolSpec[] = [
    {
      name: "searchBag",
      description: "Search for a lost bag.",
      inputSchema: { type: "object", properties: { tag: { type: "string", pattern } }, required: ["tag"] },
    },
    {
      name: "readArticle",
      description: "Read an article.",
      inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    },
  ];

  test.each([
    ["I lost my bag", "it is the big brown one"],
    ["I lost my bag", "Bob"],
    ["read an article", "the one that you wrote about plants yesterday"],
    ["read an article", "I do not know"],
  ])("never becomes an identifier: %s, %s", async (request, text) => {
    const question = await answer(request, bags);
    expect(question.text).toMatch(/^For "/);
    const next = await answer([says(request), question.message, says(text)], bags);
    expect(next.toolCalls).toEqual([]);
    expect(next.text).toMatch(/^For "/);
  });

  test("is one if it is only a value, though other tools have to do with its words", async () => {
    const inputSchema = { type: "object", properties: { bookId: { type: "integer" } }, required: ["bookId"] };
    const shop: readonly ToolSpec[] = [
      { name: "listBooks", description: "List the books.", inputSchema: {} },
      { name: "orderBook", description: "Order a book.", inputSchema },
    ];
    const question = await answer("I want to order a book", shop);
    const history = [says("I want to order a book"), question.message];
    expect(await callsFor([...history, says("book 2")], shop)).toEqual(['orderBook {"bookId":2}']);
    expect(await callsFor([...history, says("which books are there?")], shop)).toEqual(["listBooks {}"]);
  });

  test("is not taken for a city if it says that the user does not know", async () => {
    const question = await answer("weather", weather);
    const next = await answer([says("weather"), question.message, says("I don't know")], weather);
    expect(next.text).toMatch(/^For "get weather" I need the city/);
  });

  test.each([
    ["where is my bag T101?", ['searchBag {"tag":"T101"}']],
    ["Where is my bag?", []],
    ["read article plants-in-winter", ['readArticle {"id":"plants-in-winter"}']],
    ["Please read me the article about plants", []],
  ])("only what looks like an identifier is one: %s", async (text, calls) => {
    expect(await callsFor(text, bags)).toEqual(calls);
  });
});

describe("what the user only mentions or asks about", () => {
  const integer = { type: "integer" };
  const shop: readonly ToolSpec[] = [
    {
      name: "orderProduct",
      description: "Order a product.",
      inputSchema: { type: "object", properties: { productId: integer }, required: ["productId"] },
    },
    {
      name: "refundOrder",
      description: "Refund an order.",
      inputSchema: { type: "object", properties: { orderId: integer }, required: ["orderId"] },
    },
  ];

  test.each([
    "My order number is 3 and I live in 12 Main Street",
    "I ordered product 2 yesterday",
    "I have paid for order 1 twice",
    "What happens if I refund order 2?",
    "Why was order 2 refunded?",
    "Did you refund order 2?",
    "do not refund order 2",
  ])("is not done: %s", async (text) => {
    expect(await callsFor(text, shop)).toEqual([]);
  });

  test.each([
    ["refund my order 3", 'refundOrder {"orderId":3}'],
    ["Could you refund order 2?", 'refundOrder {"orderId":2}'],
    ["I ordered product 2 yesterday, please refund order 5", 'refundOrder {"orderId":5}'],
    ["order product 2", 'orderProduct {"productId":2}'],
    ["order 2", 'orderProduct {"productId":2}'],
  ])("is done if the user asks for it: %s", async (text, call) => {
    expect(await callsFor(text, shop)).toEqual([call]);
  });
});

describe("what the tools do not have", () => {
  const list: ToolSpec = { name: "listItems", description: "List the items for sale.", inputSchema: {} };
  const items = '[{"id":1,"name":"Wool scarf"},{"id":2,"name":"Hiking boots"}]';

  test.each([
    ["Do you have umbrellas?", true],
    ["Is there a tent for sale?", true],
    ["How much are the boots?", false],
    ["Do you sell scarves?", false],
    ["Show me your items", false],
  ])("is reported as absent: %s", async (text, isAbsent) => {
    const call = await answer(text, [list]);
    const next = await answer([says(text), call.message, resultMessage(call.toolCalls[0], items)], [list]);
    expect(next.text.startsWith("I see no")).toBe(isAbsent);
    expect(next.text).toContain("- id 1, name Wool scarf");
  });

  test("is asked about if two tools fit alike", async () => {
    const inputSchema = { type: "object", properties: {} };
    const tools: readonly ToolSpec[] = [
      { name: "refundTrip", description: "Cancel the trip and pay the money back.", inputSchema },
      { name: "creditTrip", description: "Cancel the trip and give a voucher.", inputSchema },
    ];
    const { text } = await answer("I want to cancel my trip", tools);
    expect(text).toMatch(/^More than one tool fits:\n/);
    expect(text).toContain("- refund trip: Cancel the trip and pay the money back\n");
    expect(text).toContain("- credit trip: Cancel the trip and give a voucher\n");
    expect(await callsFor("cancel my trip, I want a refund", tools)).toEqual(["refundTrip {}"]);
    expect(await callsFor("cancel my trip for a voucher", tools)).toEqual(["creditTrip {}"]);
  });
});
