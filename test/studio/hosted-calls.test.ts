/** Calls that a provider executes, in the conversation. */
import { birder } from "../../src/protocols/kit/test-hosted.ts";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";

useBrowser();

test("calls that the provider executes are cards, with what they found and why they failed", async () => {
  const { url } = await openStudio([birder()]);
  const tab = await Tab.open(url);
  await tab.say("What are herons like?");
  await tab.expectIdle();
  const cards = tab.page.locator(".card");
  await expect.poll(() => cards.count()).toBe(4);
  const [search = "", page = "", files = "", code = ""] = await cards.allTextContents();
  expect(search).toContain('web_search(queries: ["herons"])');
  expect(search).toContain("https://birds.example/heron");
  expect(page).toContain("no such host");
  expect(files).toContain("A secret.");
  expect(code).toContain("1 + 1");
  expect(code).not.toContain("null");
  expect(tab.failures).toEqual([]);
});
