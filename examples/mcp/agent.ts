import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Agent, type ToolContext, type ToolSource, toolset } from "skein";
import { presets } from "skein/mcp";
import { serveShop } from "./shop.ts";

/** Of the many tools that Playwright's server has. */
const enough = ["browser_navigate", "browser_snapshot", "browser_click", "browser_type"];

/** An agent that buys in the shop at this address, in a browser. */
export function buyer(browser: ToolSource, url: string): Agent {
  /** Open the shop in the browser, and see its page. */
  async function openShop(context: ToolContext) {
    try {
      await context.call("browser_navigate", { url });
      return await context.call("browser_snapshot", {});
    } catch (cause) {
      throw new Error("The browser does not work: it needs npx, and Chrome or CHROMIUM_PATH.", { cause });
    }
  }

  return new Agent({
    name: "Buyer",
    instructions: [
      "You buy for the user in a shop, by its pages: open it, click and type by the refs of the last snapshot.",
      "Take a snapshot after each click. Say what the page says, and order only what was asked for.",
      "An order needs the user's name: ask for it if you do not know it.",
    ].join("\n"),
    tools: [openShop, toolset(browser).filtered(enough)],
  });
}

/** Playwright's server, with a Chromium that is there already, else with Chrome. It opens pages of the shop only. */
function playwright(url: string): ToolSource {
  const places = [process.env["CHROMIUM_PATH"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"];
  const chromium = places.find((path) => path !== "" && existsSync(path));
  // Chromium refuses to start for root with its sandbox.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return presets.playwright({
    args: [
      "--headless",
      "--isolated",
      "--snapshot-mode=none",
      `--allowed-origins=${new URL(url).origin}`,
      ...(chromium === undefined ? [] : ["--executable-path", chromium, ...sandbox]),
    ],
    // What npx has fetched before is used as it is, and without a network it says so at once.
    env: { npm_config_prefer_offline: "true", npm_config_fetch_retries: "0" },
    cwd: tmpdir(),
    connectTimeout: 120_000,
  });
}

const shop = await serveShop();

export const agent: Agent = buyer(playwright(shop.url), shop.url);
