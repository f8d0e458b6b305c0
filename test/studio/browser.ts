/** The studio's page in a real Chromium. */
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import type { AnyAgent } from "../../src/agent/agent.ts";
import { studio, type Studio, type StudioOptions } from "skein/studio";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { findChromium } from "../mcp/servers.ts";

/** How a tab is opened. */
export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "dark" | "light";
  /** Set for a studio without agents, which opens with its runs. */
  readonly hasNoAgents?: boolean;
}

/** Milliseconds until something that was to happen has not. */
const patience = 15_000;

let browser: Browser | undefined;

/** Starts a Chromium for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
  }, 240_000);
  afterAll(() => browser?.close());
}

/** A studio that closes with the test. */
export async function openStudio(
  agents: readonly AnyAgent[],
  options: Omit<StudioOptions, "agents"> = {},
): Promise<Studio> {
  const opened = await studio({ agents, port: 0, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

/** A tab that shows the studio; it closes with the test. */
export class Tab {
  readonly page: Page;
  /** What its scripts threw, and what the browser refused. */
  readonly failures: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.failures.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.failures.push(message.text());
    });
  }

  static async open(
    url: string,
    { width = 1280, height = 800, theme = "dark", hasNoAgents = false }: TabOptions = {},
  ): Promise<Tab> {
    if (!browser) throw new TypeError("useBrowser() was not called");
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience);
    const tab = new Tab(await context.newPage());
    await tab.page.goto(url);
    if (hasNoAgents) {
      await tab.page.getByRole("heading", { name: "Runs" }).waitFor();
      return tab;
    }
    await tab.page.getByLabel("Message").waitFor();
    await tab.page.locator("select option").first().waitFor({ state: "attached" });
    return tab;
  }

  /** Says something to the agent that is chosen. */
  async say(text: string): Promise<void> {
    await this.page.getByLabel("Message").fill(text);
    await this.page.getByLabel("Message").press("Enter");
  }

  /** What the person and the agents said. */
  texts(): Promise<string[]> {
    return this.page.locator(".flow .msg > p").allTextContents();
  }

  /** Waits for what was said to be this. */
  async expectTexts(...texts: readonly string[]): Promise<void> {
    // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
    await expect.poll(() => this.texts(), { timeout: patience }).toEqual(texts);
  }

  /** Waits until no run of the chat works. */
  async expectIdle(): Promise<void> {
    await this.button("Send").waitFor();
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name });
  }

  /** Goes to a place of the page as a link does. */
  async go(hash: string): Promise<void> {
    await this.page.evaluate((to) => void (location.hash = to), hash);
  }

  /** Opens the newest run from the list, and returns its place. */
  async openNewestRun(about = ""): Promise<string> {
    await this.go("#/runs");
    // The list is a moment behind the chat.
    const link = this.page.locator(".tb tbody tr", { hasText: about }).locator("a").first();
    await link.waitFor();
    const place = (await link.getAttribute("href")) ?? "";
    await this.go(place);
    await this.page.getByRole("listbox", { name: "Steps" }).waitFor();
    return place;
  }
}
