import { readFile } from "node:fs/promises";
import { run } from "skein";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buyer } from "../../examples/mcp/agent.ts";
import { type Shop, serveShop } from "../../examples/mcp/shop.ts";
import { serveBrowser } from "../../examples/mcp/stand-in.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { chatOffline } from "./transcript.ts";

let shop: Shop;
let browser: Awaited<ReturnType<typeof serveBrowser>>;
beforeEach(async () => {
  [shop, browser] = await Promise.all([serveShop(), serveBrowser()]);
});
afterEach(async () => {
  await browser.close();
  shop.close();
});

test("the README's transcript is a real one, but for the port", async () => {
  const readme = await readFile(new URL("../../examples/mcp/README.md", import.meta.url), "utf8");
  const [, transcript = ""] = /^```\n(> .*?)^```/ms.exec(readme) ?? [];
  const said = transcript.split("\n").flatMap((line) => (line.startsWith("> ") ? [line.slice(2)] : []));
  const printed = await chatOffline(buyer(browser.browser, shop.url), said);
  expect(printed.replaceAll(new URL(shop.url).port, "41234")).toBe(transcript);
});

test("over the wire: offers the server's tools as functions, and passes its pages on unchanged", async () => {
  const provider = await startProvider([
    [{ tool: "openShop" }],
    [{ tool: "browser_click", arguments: { element: "Add Scarf", target: "e4" } }],
    [{ tool: "browser_type", arguments: { target: "e3", text: "Ada" } }],
    [{ tool: "browser_click", arguments: { element: "Place the order", target: "e4" } }],
    "The scarf is ordered.",
  ]);
  const { text } = await run(buyer(browser.browser, shop.url), "A scarf for Ada", { model: provider.model });
  await provider.close();

  expect(text).toBe("The scarf is ordered.");
  expect(shop.visit.orders).toEqual([{ name: "Ada", items: ["Scarf"], total: 25 }]);
  const [first] = provider.requests;
  expect(first && toolNames(first)).toEqual([
    "openShop",
    "browser_navigate",
    "browser_snapshot",
    "browser_click",
    "browser_type",
  ]);
  expect(first?.tools?.[0]).toEqual({
    type: "function",
    function: {
      name: "openShop",
      description: "Open the shop in the browser, and see its page.",
      parameters: { type: "object", properties: {}, additionalProperties: false },
    },
  });
  const last = provider.requests.at(-1);
  const results = last ? told(last).filter(([role]) => role === "tool") : [];
  expect(results).toEqual([
    ["tool", expect.stringContaining('button "Add Scarf" [ref=e4]')],
    ["tool", expect.stringContaining('textbox "Your name" [ref=e3]')],
    ["tool", "Typed Ada."],
    ["tool", expect.stringContaining("Order 1: Scarf, 25 euros.")],
  ]);
});
