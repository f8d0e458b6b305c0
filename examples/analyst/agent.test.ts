import { type Agent, run, type RunEvent, type RunResult } from "skein";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { analyst } from "./agent.ts";
import { type Carrier, serveCarrier } from "./carrier.ts";
import { Shop } from "./shop.ts";
import { standIn } from "./stand-in.ts";

let carrier: Carrier;
beforeAll(async () => {
  carrier = await serveCarrier();
});
afterAll(() => carrier.close());

let shop: Shop;
let agent: Agent;
beforeEach(open);

function open(): void {
  shop = new Shop();
  agent = analyst(shop, carrier.url, standIn());
}

/** The calls in the programs of a run, by name. */
function callsOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "tool-start" && event.parentToolCallId !== undefined ? [event.toolCall.toolName] : [],
  );
}

test("a program with a mistake is corrected with no tool called, and the next one has the sales of each city", async () => {
  const events: RunEvent[] = [];
  const { text, messages } = await run(agent, "What did each city buy this year?", {
    onEvent: (event) => void events.push(event),
  });
  const [, mistake] = messages;
  const correction = mistake?.role === "tool" ? JSON.stringify(mistake.result.content) : "";
  expect(correction).toContain("line 7, column 85: Property 'amount' does not exist on type");
  expect(correction).toContain("The declaration: tools.listOrders(");
  expect(text).toBe("Oslo: 140 euros, Bergen: 200 euros, Tromso: 145 euros");
  expect(callsOf(events)).toEqual(["findCustomers", ...Array(5).fill("listOrders")]);
});

test("one program asks the shop and the carrier, and two requests to the model are enough", async () => {
  const events: RunEvent[] = [];
  const { text, turns } = await run(agent, "Which parcels are late?", {
    onEvent: (event) => void events.push(event),
  });
  expect(text.split("\n")).toEqual([
    "Canvas bag (order 2): in-transit, 3 days late",
    "Hiking boots (order 4): delivered, 2 days late",
    "Hiking boots (order 7): lost, 9 days late",
  ]);
  expect(turns).toBe(2);
  expect(callsOf(events).filter((name) => name === "trackShipment")).toHaveLength(8);
});

test("credits wait for a person, all at once, and each is given once", async () => {
  const paused = await run(agent, "Give the customers of late parcels a credit of 5 euros");
  expect(paused.pending.map(({ input }) => Object(input).customerId)).toEqual([1, 3, 5]);
  expect(shop.credits()).toEqual([]);
  const decide = (result: RunResult): Promise<RunResult> =>
    run(agent, result.state, {
      approvals: result.pending.map(({ approvalId = "", input }) => ({
        approvalId,
        decision: Object(input).customerId === 5 ? "deny" : "approve",
      })),
    });
  const { text } = await decide(paused);
  expect(text).toBe("Customer 1 has 5 euros more. Customer 3 has 5 euros more. Customer 5 has no credit.");
  // As another process that goes on with the same pause.
  await decide(paused).catch(() => {});
  expect(shop.credits()).toEqual(["Ada Park: 5", "Chi Wen: 5"]);
});

test("stopped at any tool, no customer has two credits, and a finished program has given all", async () => {
  const all = ["Ada Park: 5", "Chi Wen: 5", "Eli Roth: 5"];
  const places = await stopAtEveryTool({
    open: () => {
      open();
      const input = "Give the customers of late parcels a credit of 5 euros";
      return { agent, model: standIn(), input, decision: "approve" };
    },
    check: (done) => {
      const credits = shop.credits();
      expect(all).toEqual(expect.arrayContaining(credits));
      expect(new Set(credits).size).toBe(credits.length);
      expect(done.includes("execute_typescript") ? credits : all).toEqual(all);
    },
  });
  expect(places).toBeGreaterThan(20);
});
