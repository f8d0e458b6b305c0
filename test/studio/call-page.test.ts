/** The page of a call: its tool executed again, and the call as a test. */
import { Agent, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";

useBrowser();

test("a tool is executed again with other arguments once that is confirmed, and the call is copied as a test", async () => {
  const paid: object[] = [];
  const input = { type: "object", properties: { amount: { type: "number" } } } as const;
  const pay = tool({
    name: "pay",
    input,
    execute: (args: { readonly amount: number }) => {
      paid.push(args);
      return `Paid ${args.amount}.`;
    },
  });
  const look = tool({
    name: "look",
    input,
    readOnlyHint: true,
    execute: ({ amount }: { readonly amount: number }) => `Saw ${amount}.`,
  });
  const toolCalls = ["pay", "look"].map((toolName) => ({ toolName, arguments: { amount: 120 } }));
  const model = new ScriptedModel([{ toolCalls }, "Done."]);
  const { url } = await openStudio([new Agent({ name: "Till", model, tools: [pay, look] })]);
  const tab = await Tab.open(url);
  const { page } = tab;
  await tab.say("Pay.");
  await tab.expectTexts("Pay.", "Done.");
  const place = await tab.openNewestRun();

  await tab.go(`${place}/call/2`);
  await page.getByRole("heading", { name: "pay", level: 1 }).waitFor();
  await page.keyboard.press("e");
  await page.getByRole("region", { name: "Run again" }).getByLabel("amount").fill("90");
  await page.keyboard.press("Control+Enter");
  await page.getByText("is not marked as one that changes nothing").waitFor();
  expect(paid).toHaveLength(1);
  await tab.button("Run it for real").click();
  await page.getByLabel("Result now").getByText("Paid 90.").waitFor();
  expect(paid).toEqual([{ amount: 120 }, { amount: 90 }]);

  // One that changes nothing is executed at once.
  await tab.go(`${place}/call/3`);
  await page.getByRole("heading", { name: "look", level: 1 }).waitFor();
  await tab.button("Run again").click();
  await page.keyboard.press("Control+Enter");
  await page.getByLabel("Result now").getByText("Saw 120.").waitFor();

  await tab.button("Copy as a test").click();
  await page.getByRole("status").getByText("The test is copied.").waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain('toolName: "look"');
  expect(await page.getByLabel("Test", { exact: true }).textContent()).toBe(code);
  expect(tab.failures).toEqual([]);
});
