/** The studio by keyboard alone: no click, no pointer. */
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";
import { shop } from "./shop.ts";

useBrowser();

test("a conversation, its run, its wire, a decision and the agents are reached and used by keys alone", async () => {
  const paid: object[] = [];
  const { url } = await openStudio(shop(paid));
  const tab = await Tab.open(url);
  const { page } = tab;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const heading = (name: string | RegExp) => page.getByRole("heading", { name, level: 1 }).waitFor();

  // The field for the message has the focus.
  await press("Alt+a", "Home", "Tab", "Alt+n");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("say");
  await page.keyboard.type("I want my money back.");
  await press("Enter");
  await page.getByRole("heading", { name: "Your decision" }).waitFor();

  // Leave the field, and go to the runs.
  await press("Escape", "?");
  const allKeys = page.getByRole("dialog", { name: "All keys" });
  await allKeys.waitFor();
  // This machine has no ⌥ and no ⌘.
  expect(await allKeys.textContent()).toContain("Alt N");
  expect(await page.locator("body").textContent()).not.toMatch(/[⌥⌘]/);
  await press("Escape", "g", "r");
  await heading("Runs");
  await press("/");
  await page.keyboard.type("money");
  await press("Escape", "Home", "Enter");
  await page.getByRole("listbox", { name: "Steps" }).waitFor();
  await press("Home");
  await page.locator(".row[aria-selected=true]", { hasText: "scripted" }).waitFor();
  await press("]");
  await press("j");
  await press("w");
  await page.getByRole("tablist", { name: "Request" }).waitFor();
  await press("[");
  await press("2");
  await page.getByLabel("Body").waitFor();
  await press("1", "Escape");
  await page.getByRole("listbox", { name: "Steps" }).waitFor();

  // Decide, with another amount.
  await press("a");
  await heading("Approvals");
  await page.getByRole("list", { name: "Calls that wait" }).waitFor();
  await press("e");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("field-order");
  await press("Tab", "Control+a");
  await page.keyboard.type("60");
  await press("Control+Enter");
  await page.getByText("Nothing waits for you").waitFor();
  await expect.poll(() => paid).toEqual([{ order: 7, amount: 60 }]);

  // The agents, all keys, the palette, and the theme.
  await press("g", "t");
  await heading("Agents");
  await press("j");
  await expect.poll(() => new URL(page.url()).hash).toBe("#/agents/Refunds");
  await press("?");
  await page.getByRole("dialog", { name: "All keys" }).waitFor();
  await press("Escape");
  const before = await page.evaluate(() => document.documentElement.dataset["theme"]);
  await press("\\");
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).not.toBe(before);
  await press("Control+k");
  await page.getByRole("dialog", { name: "Find or do" }).waitFor();
  await page.keyboard.type("money");
  await press("Enter");
  await page.getByRole("listbox", { name: "Steps" }).waitFor();
  expect(tab.failures).toEqual([]);
});

test("keys of the page do nothing while a person types", async () => {
  const { url } = await openStudio(shop());
  const tab = await Tab.open(url);
  await tab.page.keyboard.type("gr \\ ? j k w t a");
  expect(await tab.page.getByLabel("Message").inputValue()).toBe("gr \\ ? j k w t a");
  expect(new URL(tab.page.url()).hash).toBe("#/chat");
});
