/** The example with Playwright's own server and a real browser. */
import { tmpdir } from "node:os";
import { run } from "skein";
import { mcp } from "skein/mcp";
import { ScriptedModel, type TurnFunction } from "skein/testing";
import { beforeAll, expect, test } from "vitest";
import { buyer } from "../../examples/mcp/agent.ts";
import { serveShop } from "../../examples/mcp/shop.ts";
import { findChromium, installServers } from "../mcp/servers.ts";

let args: readonly string[];
beforeAll(async () => {
  const [{ playwright }, chromium] = await Promise.all([installServers(), findChromium()]);
  args = [playwright, "--headless", "--isolated", "--no-sandbox", "--executable-path", chromium];
}, 240_000);

/** Uses what the last snapshot calls so, as a model does. */
const use =
  (toolName: string, label: string, more: object = {}): TurnFunction =>
  ({ messages }) => {
    const last = messages.at(-1);
    const page = last?.role === "tool" ? JSON.stringify(last.result.content) : "";
    const target = new RegExp(`\\\\"${label}\\\\"[^\\]]*\\[ref=(\\w+)\\]`).exec(page)?.[1] ?? "none";
    return { toolCalls: [{ toolName, arguments: { element: label, target, ...more } }] };
  };

test("the agent buys in a real browser", { timeout: 300_000 }, async () => {
  const shop = await serveShop();
  await using browser = mcp({
    command: process.execPath,
    args: [...args, "--snapshot-mode", "none", "--allowed-origins", new URL(shop.url).origin],
    cwd: tmpdir(),
  });
  const look = { toolCalls: [{ toolName: "browser_snapshot" }] };
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "openShop" }] },
    use("browser_click", "Add Lamp"),
    look,
    use("browser_type", "Your name", { text: "Ada" }),
    look,
    use("browser_click", "Place the order"),
    look,
    "The lamp is ordered.",
  ]);
  const { messages, warnings } = await run(buyer(browser, shop.url), "A lamp for Ada", { model });
  shop.close();
  expect(warnings).toEqual([]);
  expect(shop.visit).toEqual({ basket: [], orders: [{ name: "Ada", items: ["Lamp"], total: 40 }] });
  expect(JSON.stringify(messages.at(-2))).toContain("Order 1: Lamp, 40 euros.");
});
