/** What is long is drawn as far as it is seen, in a real Chromium. */
import { Agent, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { openData } from "./data.ts";
import { openStudio, Tab, useBrowser } from "./browser.ts";
import type { RequestDetail } from "../../src/studio/records.ts";

useBrowser();

test("a list of many runs draws more rows once its end is seen, and keys reach the last", async () => {
  const agent = new Agent({
    name: "A",
    model: new ScriptedModel(Array.from({ length: 250 }, () => "Hello.")),
  });
  const { url } = await openStudio([agent]);
  for (let index = 0; index < 250; index++) await run(agent, `Number ${index}`);
  const tab = await Tab.open(url);
  const rows = tab.page.locator(".tb tbody tr");
  await tab.go("#/runs");
  await tab.page.getByText("250 runs").waitFor();
  expect(await rows.count()).toBe(60);
  await tab.button("190 more runs").scrollIntoViewIfNeeded();
  await expect.poll(() => rows.count()).toBeGreaterThan(60);
  await tab.page.locator(".tb tbody tr").first().focus();
  await tab.page.keyboard.press("End");
  await tab.page.locator(".tb tr[aria-selected=true]", { hasText: "Number 0" }).waitFor();
  expect(await rows.count()).toBe(250);
  expect(tab.failures).toEqual([]);
});

test("a long answer has all of its words, in pieces", async () => {
  const words = Array.from({ length: 4_000 }, (_, index) => `word${index}`);
  const text = `${words.join(" ")}\n${"-".repeat(30_000)}\n${"One line.\n".repeat(1_000)}`;
  const agent = new Agent({ name: "A", model: new ScriptedModel([text]) });
  const tab = await Tab.open((await openStudio([agent])).url);
  await tab.say("Write.");
  await tab.expectIdle();
  await tab.expectTexts("Write.", text);
  expect(await tab.page.locator(".flow .piece").count()).toBeGreaterThan(10);
  expect(tab.failures).toEqual([]);
});

test("a page is sent the beginning of a request of megabytes, and all of it where it asks", async () => {
  const agent = new Agent({ name: "A", model: new ScriptedModel(["Done."]) });
  const data = await openData([agent]);
  const secret = "sk-ant-api03-planted0planted0planted0";
  await run(agent, `${"x".repeat(2_000_000)} ${secret} end`, { runId: "r" });
  const detail = await data.read<RequestDetail>("/studio/runs/r/requests/1");
  expect(detail.body).toHaveLength(1_000_000);
  const { text } = await data.read<{ readonly text: string }>("/studio/runs/r/bodies/1");
  expect(text.startsWith(detail.body ?? "?")).toBe(true);
  expect(text.length).toBeGreaterThan(2_000_000);
  expect(text).not.toContain("planted");
  expect((await data.ask("/studio/runs/r/bodies/9")).status).toBe(404);
});
