/** Two runs beside each other, in a real Chromium. */
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";

useBrowser();

test("two runs are marked by keys, and the first difference is named with its turn and path", async () => {
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } } },
    execute: ({ amount }: { readonly amount: number }) => `Paid ${amount}.`,
  });
  const model = new FunctionModel(({ messages }) => {
    const from = messages.findLastIndex(({ role }) => role === "user");
    const answers = messages.slice(from).filter(({ role }) => role === "assistant").length;
    const amount = Number(/\d+/.exec(JSON.stringify(messages[from]))?.[0]);
    if (answers === 0) return { toolCalls: [{ toolName: "look", arguments: {} }] };
    if (answers === 1) return { toolCalls: [{ toolName: "pay", arguments: { amount } }] };
    return "Done.";
  });
  const look = tool({ name: "look", input: { type: "object" }, execute: () => "It is broken." });
  const { url } = await openStudio([new Agent({ name: "Payer", model, tools: [look, pay] })]);
  const tab = await Tab.open(url);
  const { page } = tab;
  for (const text of ["Pay 120.", "Pay 90."]) {
    await tab.button("New").click();
    await tab.say(text);
    await page.locator(".flow .msg", { hasText: "Done." }).waitFor();
    await tab.expectIdle();
  }
  await tab.go("#/runs");
  await page.locator(".tb tbody tr").nth(1).waitFor();
  // The older one first.
  for (const key of ["End", "x", "Home", "x"]) await page.keyboard.press(key);
  await page.getByRole("heading", { name: "Compare" }).waitFor();
  const note = page.locator(".note", { hasText: "First difference" });
  await note.waitFor();
  expect(await note.textContent()).toBe("First difference: turn 2, pay, arguments.amount.");
  expect(await page.getByText("What the user said differs from character 4 on.").count()).toBe(1);
  expect(await page.locator(".pairs h3").allTextContents()).toEqual([
    "Turn 1 the same",
    "Turn 2 pay, arguments.amount",
    "Turn 3 the same",
  ]);
  await expect
    .poll(() => page.locator(".pairs .dif .call .m").allTextContents())
    .toEqual(["pay(amount: 120)", "pay(amount: 90)"]);
  expect(await page.locator(".figs tr", { hasText: "tool calls" }).textContent()).toBe("tool calls22");
  // Each figure stands below its heading.
  const rights = (row: number) =>
    page
      .locator(`.figs tr >> nth=${row}`)
      .locator("th, td")
      .evaluateAll((cells) => cells.slice(1).map((cell) => Math.round(cell.getBoundingClientRect().right)));
  expect(await rights(1)).toEqual(await rights(0));
  await page.keyboard.press("x");
  await expect
    .poll(() => page.locator(".pairs .dif .call .m").allTextContents())
    .toEqual(["pay(amount: 90)", "pay(amount: 120)"]);

  // A replay is compared with what it repeats.
  await tab.openNewestRun("Pay 120.");
  await page.keyboard.press("Home");
  await page.keyboard.press("r");
  await page.getByRole("heading", { name: "Replay from turn 1" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByText("Not one turn differs.").waitFor();
  expect(tab.failures).toEqual([]);
});
