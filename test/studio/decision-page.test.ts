/** The form of a decision: what is typed is what is executed, or nothing is. */
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";

useBrowser();

const properties = {
  euros: { type: "number" },
  count: { type: "integer" },
  map: { type: "object" },
  note: { type: "string" },
  kind: { enum: [1, "1"] },
} as const;

const args = { euros: 15, count: 2, map: { k: 1 }, note: "first\nsecond", kind: 1 };

/** An agent whose model asks for a payment at each message. */
function cashier(paid: object[]): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "pay", arguments: args }] } : "Settled.",
  );
  const pay = tool({
    name: "pay",
    input: { type: "object", properties },
    approval: true,
    execute: (input: object) => {
      paid.push(input);
      return "Paid.";
    },
  });
  return new Agent({ name: "Cashier", model, tools: [pay] });
}

/** Types as a person does, key by key, in the place of what is there. */
async function retype(field: Locator, text: string): Promise<void> {
  await field.press("Control+a");
  await field.press("Backspace");
  await field.pressSequentially(text);
}

test("a decimal that is typed in the chat is shown and executed as it was typed", async () => {
  const paid: object[] = [];
  const { url } = await openStudio([cashier(paid)]);
  const tab = await Tab.open(url);
  await tab.say("Pay.");
  const form = tab.page.getByRole("region", { name: "Decision" });
  const euros = form.getByLabel("euros");
  await retype(euros, "10.05");
  expect(await euros.inputValue()).toBe("10.05");
  await euros.press("Control+Enter");
  await tab.expectTexts("Pay.", "Settled.");
  expect(paid).toEqual([{ ...args, euros: 10.05 }]);

  // The same holds where a call is executed again.
  await tab.go(`${await tab.openNewestRun()}/call/2`);
  await tab.button("Run again").click();
  const again = tab.page.getByRole("region", { name: "Run again" });
  await retype(again.getByLabel("euros"), "1.005");
  await tab.button("Run").last().click();
  await tab.button("Run it for real").click();
  await tab.page.getByLabel("Result now").getByText("Paid.").waitFor();
  expect(paid.at(-1)).toMatchObject({ euros: 1.005 });
  expect(tab.failures).toEqual([]);
});

/** A call that waits for a decision, on the page of approvals, and what is paid. */
async function openApproval() {
  const paid: object[] = [];
  const { url } = await openStudio([cashier(paid)]);
  const tab = await Tab.open(url);
  await tab.say("Pay.");
  await tab.page.getByRole("region", { name: "Decision" }).waitFor();
  await tab.go("#/approvals");
  const form = tab.page.getByRole("region", { name: "Decision" });
  return { tab, form, paid };
}

test("while a field means nothing, the call cannot be approved or run again", async () => {
  const { tab, form, paid } = await openApproval();
  const approve = form.getByRole("button", { name: /^Approve/ });
  for (const [label, text, issue] of [
    ["euros", "1,5", "This is not a number, such as 10.05."],
    ["euros", "1e400", "The number would be rounded: it has too many digits."],
    ["count", "9007199254740993", "The number would be rounded: it has too many digits."],
    ["count", "1.5", "This is not an integer."],
    ["map", '{"k": 5', "This is not JSON."],
  ] as const) {
    const field = form.getByLabel(label);
    await retype(field, text);
    expect(await field.inputValue()).toBe(text);
    await expect.poll(() => form.getByRole("alert").allTextContents()).toEqual([issue]);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await approve.isDisabled()).toBe(true);
    await field.press("Control+Enter");
    await form.getByRole("button", { name: "Reset" }).click();
    expect(await approve.isDisabled()).toBe(false);
  }
  await form.getByRole("button", { name: "Deny" }).click();
  await tab.page.getByText("Nothing waits for you").waitFor();
  expect(paid).toEqual([]);

  await tab.go(`${await tab.openNewestRun()}/call/2`);
  await tab.button("Run again").click();
  const again = tab.page.getByRole("region", { name: "Run again" });
  await retype(again.getByLabel("map"), "{");
  await again.getByLabel("map").press("Control+Enter");
  expect(await again.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
  expect(await again.getByText("is not marked as one that changes nothing").count()).toBe(0);
  expect(paid).toEqual([]);
});

test("a cleared text keeps its field, equal words of different types are told apart, and a shown key works", async () => {
  const { tab, form, paid } = await openApproval();
  // The key of the button works within the form, and is shown there alone.
  const key = form.getByRole("button", { name: /^Approve/ }).locator("kbd");
  expect(await key.isVisible()).toBe(false);
  const note = form.getByLabel("note");
  await retype(note, "");
  expect(await note.evaluate((field) => document.activeElement === field && field.tagName)).toBe("TEXTAREA");
  await note.pressSequentially("third");
  expect(await key.isVisible()).toBe(true);
  const kind = form.getByLabel("kind");
  expect(await kind.locator("option").allTextContents()).toEqual(["not set", "1", '"1"']);
  await kind.selectOption({ label: '"1"' });
  await kind.press("Control+Enter");
  await tab.page.getByText("Nothing waits for you").waitFor();
  await expect.poll(() => paid).toEqual([{ ...args, note: "third", kind: "1" }]);
});

test("a denied call is shown as denied, and its test denies it; a call that waits has no test", async () => {
  const paid: object[] = [];
  const { url } = await openStudio([cashier(paid)]);
  const tab = await Tab.open(url);
  const { page } = tab;
  await tab.say("Pay.");
  await page.getByRole("region", { name: "Decision" }).waitFor();
  const place = await tab.openNewestRun();
  await tab.go(`${place}/call/2`);
  await page.getByText("None yet: the call waits for a decision.").waitFor();
  const keys = page.locator(".keys, footer");
  await keys.getByText("run again").first().waitFor();
  expect(await keys.getByText("as a test").count()).toBe(0);
  expect(await tab.button("Copy as a test").count()).toBe(0);

  await tab.go("#/approvals");
  await page.getByLabel("Reason, for the model").fill("Not today.");
  await tab.button("Deny").click();
  await page.getByText("Nothing waits for you").waitFor();
  await tab.go(place);
  await page.getByRole("option", { name: /pay/ }).getByText("denied").waitFor();
  await page.getByLabel("Conversation").getByText("denied").waitFor();
  expect(await page.getByText("waits for you").count()).toBe(0);
  await tab.go(`${place}/call/2`);
  await page.getByText("you denied it").waitFor();
  await page.keyboard.press("s");
  await page.getByRole("status").getByText("The test is copied.").waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain('decision: "deny", reason: "Not today."');
  expect(code).toContain('outcome: "denied"');
  expect(code).not.toContain('"approve"');
  expect(paid).toEqual([]);
  expect(tab.failures).toEqual([]);
});
