import { executeToolCalls, run, type RunResult } from "skein";
import { openapi, type OpenApiToolset } from "skein/openapi";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { petShopAgent } from "./agent.ts";
import { openShop, type PetShop, type ServedShop, serveShop } from "./server.ts";

let shop: PetShop;
let served: ServedShop;
beforeEach(open);
afterEach(() => served.close());

async function open(): Promise<void> {
  shop = openShop();
  served = await serveShop(shop);
}

/** The API's tools, without a person who decides, and with answers held to `api.yaml`. */
function tools(): OpenApiToolset {
  const options = { baseUrl: served.url, approval: "none", validateResponses: true } as const;
  return openapi(new URL("api.yaml", import.meta.url), options);
}

async function callAll(...calls: readonly ScriptedToolCall[]): Promise<string[]> {
  const made = calls.map(({ toolName, arguments: args }, index) => ({
    toolCallId: `call_${index}`,
    toolName,
    arguments: JSON.stringify(args),
  }));
  const results = await executeToolCalls(made, [tools()], { concurrency: 1 });
  return results.map(({ outcome, content: [part] }) =>
    outcome === "success" ? outcome : part?.type === "text" ? part.text : "",
  );
}

const sale = { toolName: "placeOrder", arguments: { body: { petId: 3, customerId: 1 } } };

async function sell(): Promise<RunResult> {
  return run(petShopAgent(served.url), "Sell Polly to Ada", {
    model: new ScriptedModel([{ toolCalls: [sale] }]),
  });
}

test("every operation of the document is a tool", async () => {
  expect(await tools().report()).toMatchObject({
    operations: 15,
    tools: { length: 15 },
    leftOut: [],
    notes: [],
  });
});

test("every operation does what the document says, in its form", async () => {
  const outcomes = await callAll(
    { toolName: "listPets", arguments: { kind: "cat", status: "available", maxPrice: 200 } },
    { toolName: "addPet", arguments: { body: { name: "Kiki", kind: "parrot", price: 80 } } },
    { toolName: "getPet", arguments: { petId: 7 } },
    { toolName: "updatePet", arguments: { petId: 7, body: { name: "Coco", price: 85 } } },
    { toolName: "addVaccination", arguments: { petId: 7, body: { disease: "polyoma" } } },
    { toolName: "listVaccinations", arguments: { petId: 7 } },
    { toolName: "removePet", arguments: { petId: 4 } },
    { toolName: "countPets", arguments: {} },
    { toolName: "findCustomers", arguments: { name: "ada" } },
    { toolName: "addCustomer", arguments: { body: { name: "Cleo", email: "cleo@example.com" } } },
    { toolName: "getCustomer", arguments: { customerId: 3 } },
    { toolName: "placeOrder", arguments: { body: { petId: 7, customerId: 3 } } },
    { toolName: "listOrders", arguments: { customerId: 3, status: "placed" } },
    { toolName: "getOrder", arguments: { orderId: 2 } },
    { toolName: "cancelOrder", arguments: { orderId: 1 } },
  );
  expect(outcomes).toEqual(outcomes.map(() => "success"));
  expect(shop.pets.map(({ id, name, status }) => `${id} ${name} ${status}`)).toEqual([
    "1 Rex available",
    "2 Luna available",
    "3 Polly available",
    "5 Bella available",
    "6 Tom available",
    "7 Coco sold",
  ]);
  expect(shop.pets.at(-1)).toMatchObject({ price: 85, vaccinations: ["polyoma"] });
  expect(shop.customers.at(-1)).toEqual({ id: 3, name: "Cleo", email: "cleo@example.com" });
  expect(shop.orders).toEqual([
    { id: 1, petId: 6, customerId: 2, status: "cancelled" },
    { id: 2, petId: 7, customerId: 3, status: "placed" },
  ]);
});

test("what the shop refuses is told in its words, and changes nothing", async () => {
  expect(
    await callAll(
      { toolName: "getPet", arguments: { petId: 99 } },
      { toolName: "placeOrder", arguments: { body: { petId: 6, customerId: 1 } } },
      { toolName: "removePet", arguments: { petId: 6 } },
      { toolName: "getCustomer", arguments: { customerId: 9 } },
      { toolName: "listPets", arguments: { kind: "fish" } },
      { toolName: "addPet", arguments: { body: { name: "Kiki", kind: "parrot", price: -1 } } },
    ),
  ).toEqual([
    expect.stringContaining("there is no pet 99"),
    expect.stringContaining("Tom is sold already"),
    expect.stringContaining("pet 6 is in an order"),
    expect.stringContaining("there is no customer 9"),
    expect.stringContaining('expected "dog", "cat", "parrot" or "rabbit", received "fish"'),
    expect.stringContaining("at least 0"),
  ]);
  expect(shop).toEqual(openShop());
});

test("reading asks nobody, writing waits for a person's decision", async () => {
  const reading = new ScriptedModel([{ toolCalls: [{ toolName: "countPets" }] }, "Five."]);
  expect(await run(petShopAgent(served.url), "How many?", { model: reading })).toMatchObject({
    text: "Five.",
  });

  const paused = await sell();
  expect(paused).toMatchObject({ status: "paused", pending: [{ toolName: "placeOrder" }] });
  expect(shop).toEqual(openShop());
});

test.each([
  { decision: "approve", outcome: "success", status: "sold", orders: 2 },
  { decision: "deny", outcome: "denied", status: "available", orders: 1 },
] as const)(
  "$decision: the shop does as the person decides",
  async ({ decision, outcome, status, orders }) => {
    const { state, pending, agent } = await sell();
    const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision }];
    const { messages } = await run(agent, state, { model: new ScriptedModel(["Well."]), approvals });
    expect(messages.find(({ role }) => role === "tool")).toMatchObject({ result: { outcome } });
    expect(shop.pets[2]?.status).toBe(status);
    expect(shop.orders).toHaveLength(orders);
  },
);

test("wherever a run is stopped, the shop has sold what it says it has", async () => {
  const stops = await stopAtEveryTool({
    open: async () => {
      served.close();
      await open();
      const model = new ScriptedModel([
        { toolCalls: [{ toolName: "findCustomers", arguments: { name: "ada" } }] },
        { toolCalls: [sale] },
        { toolCalls: [{ toolName: "cancelOrder", arguments: { orderId: 1 } }] },
        "Done.",
      ]);
      return { agent: petShopAgent(served.url), model, decision: "approve" };
    },
    check: (done) => {
      const sold = shop.orders.flatMap(({ petId, status }) => (status === "placed" ? [petId] : []));
      const unavailable = shop.pets.flatMap(({ id, status }) => (status === "sold" ? [id] : []));
      expect(new Set(unavailable)).toEqual(new Set(sold));
      expect(sold.includes(3) || !done.includes("placeOrder")).toBe(true);
      expect(!sold.includes(6) || !done.includes("cancelOrder")).toBe(true);
    },
  });
  expect(stops).toBeGreaterThanOrEqual(6);
});
