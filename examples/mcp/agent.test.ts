import { run, type RunResult } from "skein";
import { type McpToolset } from "skein/mcp";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { buyer } from "./agent.ts";
import { type Shop, serveShop } from "./shop.ts";
import { serveBrowser } from "./stand-in.ts";

let shop: Shop;
let browser: McpToolset;
let close: () => Promise<void>;
beforeEach(open);
afterEach(leave);

async function open(): Promise<void> {
  shop = await serveShop();
  ({ browser, close } = await serveBrowser());
}

async function leave(): Promise<void> {
  await close();
  shop.close();
}

const click = (target: string): ScriptedToolCall => ({ toolName: "browser_click", arguments: { target } });
const type = (target: string, text: string): ScriptedToolCall => ({
  toolName: "browser_type",
  arguments: { target, text },
});
const openShop: ScriptedToolCall = { toolName: "openShop" };
const buying = [openShop, click("e3"), click("e1"), click("e4"), type("e3", "Ada"), click("e4")];

/** One call a turn. */
async function does(...calls: readonly ScriptedToolCall[]): Promise<RunResult> {
  const model = new ScriptedModel([...calls.map((call) => ({ toolCalls: [call] })), "Done."]);
  return run(buyer(browser, shop.url), "Go", { model });
}

function told({ messages }: RunResult): string[] {
  return messages.flatMap((message) =>
    message.role === "tool" ? [JSON.stringify(message.result.content)] : [],
  );
}

test("the shop is opened by a plain function that calls the browser's tools", async () => {
  const [page] = told(await does(openShop));
  expect(page).toContain(`Page URL: ${shop.url}`);
  expect(page).toContain("Mug: 7 euros");
  expect(page).toContain('button \\"Add Lamp\\" [ref=e5]');
});

test("what is clicked and typed on the pages becomes an order", async () => {
  const page = told(await does(...buying)).at(-1);
  expect(page).toContain("Order 1: Mug, Scarf, 32 euros.");
  expect(shop.visit).toEqual({ basket: [], orders: [{ name: "Ada", items: ["Mug", "Scarf"], total: 32 }] });
});

test("an order without a name is not taken, and the page says so", async () => {
  expect(told(await does(openShop, click("e3"), click("e4"))).at(-1)).toContain("Please tell your name.");
  expect(shop.visit).toEqual({ basket: ["Mug"], orders: [] });
});

test("the basket can be emptied, and nothing of it is ordered", async () => {
  expect(told(await does(openShop, click("e5"), click("e5"))).at(-1)).toContain("The basket is empty.");
  expect(shop.visit).toEqual({ basket: [], orders: [] });
});

test("a ref of no page is told, and changes nothing", async () => {
  const result = await does(openShop, click("e99"), type("e3", "Ada"));
  expect(told(result).slice(1)).toEqual([
    expect.stringContaining("Ref e99 not found"),
    expect.stringContaining("Ref e3 not found"),
  ]);
  expect(shop.visit).toEqual({ basket: [], orders: [] });
});

test("the model is offered four of the browser's tools, and no others", async () => {
  const model = new ScriptedModel(["Hello."]);
  await run(buyer(browser, shop.url), "Hello", { model });
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
    "openShop",
    "browser_navigate",
    "browser_snapshot",
    "browser_click",
    "browser_type",
  ]);
});

test("without a browser that is what is told, and the run ends well", async () => {
  await close();
  const result = await does(openShop);
  expect(result.status).toBe("completed");
  expect(told(result)).toEqual([
    expect.stringContaining("The browser does not work: it needs npx, and Chrome"),
  ]);
  expect(result.warnings.join()).toContain('The MCP server "browser" cannot be used');
});

test("wherever a run is stopped, the order is there once or not at all", async () => {
  const stops = await stopAtEveryTool({
    open: async () => {
      await leave();
      await open();
      const model = new ScriptedModel([...buying.map((call) => ({ toolCalls: [call] })), "Done."]);
      return { agent: buyer(browser, shop.url), model };
    },
    check: (done) => {
      const clicks = done.filter((name) => name === "browser_click").length;
      const { orders, basket } = shop.visit;
      expect(orders.length).toBeLessThanOrEqual(1);
      expect(orders.length === 1 || clicks < 4).toBe(true);
      expect(orders.length === 0 || basket.length === 0).toBe(true);
    },
  });
  expect(stops).toBeGreaterThanOrEqual(12);
});
