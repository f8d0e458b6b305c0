/** The pages of the server's example in a real Chromium, and what is the same on both. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { sqliteStore } from "skein/durable";
import { expect, onTestFinished } from "vitest";
import { openDesk } from "../../examples/server/server.ts";
import { standIn } from "../../examples/server/stand-in.ts";
import { findChromium } from "../mcp/servers.ts";

const execute = promisify(execFile);

/** Milliseconds between the pieces of an answer: time to stop it, and to load the page again. */
const pace = 60;

/** What the stand-in tells of the shop. */
export const story: string = [
  "The shop was opened in 1962 by two sisters who mended tents for their friends.",
  "A mountain rescue team ordered forty of them after one storm, and the sisters hired their first hands.",
  "Today sixty people sew in the same hall, and each tent still has the name of its maker inside.",
].join(" ");

/** The desk, and a browser. */
export interface Shop {
  readonly url: string;
  /** The browser of a user, which ends with the test. */
  open(user: string): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Opens the desk on a free port, with a file that it is alone with, and a Chromium. */
export async function openShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), "skein-desk-"));
  const desk = await openDesk({ port: 0, store: sqliteStore(join(folder, "desk.db")), model: standIn(pace) });
  const browser: Browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox"],
  });
  return {
    url: desk.url,
    open: async (user) => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      context.setDefaultTimeout(20_000);
      await (await context.newPage()).goto(`${desk.url}/?user=${user}`);
      return context;
    },
    close: async () => {
      await browser.close();
      await desk.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Prints the conversation of `curl.sh`. Where there is no curl, that of Debian's package is installed. */
export async function runCurl(url: string): Promise<string> {
  const script = fileURLToPath(new URL("../../examples/server/curl.sh", import.meta.url));
  await execute("curl", ["--version"]).catch(() => execute("apt-get", ["install", "-y", "curl"]));
  return (await execute("bash", [script, url])).stdout;
}

/** A tab with a conversation. */
export class Tab {
  readonly page: Page;
  /** What the page's script has thrown. */
  readonly failures: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.failures.push(String(error)));
  }

  /** @param address - Such as `/react`: a new conversation, unless it names one. */
  static async open(context: BrowserContext, address: string): Promise<Tab> {
    const tab = new Tab(await context.newPage());
    await tab.page.goto(address);
    await tab.page.getByLabel("Message").waitFor();
    return tab;
  }

  /** The id of the conversation. */
  get id(): string {
    return new URL(this.page.url()).searchParams.get("id") ?? "";
  }

  async say(text: string): Promise<void> {
    await this.page.getByLabel("Message").fill(text);
    await this.page.getByLabel("Message").press("Enter");
  }

  async press(name: "Approve" | "Deny" | "Stop"): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).click();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.getByLabel("Message").waitFor();
  }

  /** What the user and the agents have written. */
  texts(): Promise<string[]> {
    return this.page.locator(".user .text, .assistant > .text").allTextContents();
  }

  /** Calls, with their results and agents within. */
  async cards(): Promise<string> {
    return (await this.page.locator(".card").allTextContents()).join(" | ");
  }

  notes(): Promise<string[]> {
    return this.page.locator(".note").allTextContents();
  }

  /** What went wrong, as the page says it. */
  async problem(): Promise<string> {
    return (await this.page.locator("[role=alert]:visible").allTextContents()).join();
  }

  /** Whether an answer can be stopped. */
  works(): Promise<boolean> {
    return this.page.getByRole("button", { name: "Stop", exact: true }).isVisible();
  }
}

/** What a page comes to show, in time. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 20_000 });
}

/** Waits until there is some of the story, but not all of it. */
export async function expectPart(tab: Tab): Promise<void> {
  const read = async (): Promise<string> => (await tab.texts())[1] ?? "";
  await eventually(async () => (await read()).length).toBeGreaterThan(12);
  const part = await read();
  expect(story.startsWith(part)).toBe(true);
  expect(part.length).toBeLessThan(story.length);
}

/** Waits until a tab shows these texts, and nobody writes any more. */
export async function expectTexts(tab: Tab, ...texts: readonly string[]): Promise<void> {
  await eventually(() => tab.texts()).toEqual(texts);
  await eventually(() => tab.works()).toBe(false);
  expect(await tab.texts()).toEqual(texts);
  expect(tab.failures).toEqual([]);
}
