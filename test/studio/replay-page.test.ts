/** Replays by the page, in a real Chromium. */
import { Agent, type Message, tool } from "skein";
import { openai } from "skein/openai";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";
import { openProvider } from "./test-provider.ts";

useBrowser();

function resultIn(messages: readonly Message[]): string | undefined {
  const last = messages.findLast((message) => message.role === "tool");
  const [part] = last?.result.content ?? [];
  return part && "text" in part ? part.text : undefined;
}

/** Orders what it is told, and repeats the result. */
function shopkeeper(orders: object[]): Agent {
  const order = tool({
    name: "order",
    description: "Orders.",
    input: { type: "object", properties: { what: { type: "string" } } },
    execute: (input: object) => {
      orders.push(input);
      return "It comes tomorrow.";
    },
  });
  const model = new FunctionModel(({ messages, instructions = "" }) => {
    const result = resultIn(messages);
    if (result === undefined) return { toolCalls: [{ toolName: "order", arguments: { what: "tea" } }] };
    return `${instructions} ${result}`;
  });
  return new Agent({ name: "Shopkeeper", instructions: "Certainly.", model, tools: [order] });
}

test("a run is repeated with edited instructions and an edited result, and orders nothing; ticked, it orders", async () => {
  const orders: object[] = [];
  const { url } = await openStudio([shopkeeper(orders)]);
  const tab = await Tab.open(url);
  const { page } = tab;
  await tab.say("Tea, please.");
  await tab.expectTexts("Tea, please.", "Certainly. It comes tomorrow.");
  const place = await tab.openNewestRun();

  // From the first turn, with other instructions.
  await page.keyboard.press("Home");
  await page.keyboard.press("r");
  await page.getByRole("heading", { name: "Replay from turn 1" }).waitFor();
  await page.getByLabel("Instructions of Shopkeeper").fill("At once.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("link", { name: "replay from turn 1" }).waitFor();
  await page.locator(".conv .msg", { hasText: "At once. It comes tomorrow." }).waitFor();
  await page.locator(".row", { hasText: "from the run before" }).waitFor();
  expect(orders).toHaveLength(1);

  // Behind the call, with another result.
  await tab.go(place);
  await page.locator(".row", { hasText: "order" }).first().click();
  await page.locator(".det").getByRole("link", { name: "Replay" }).click();
  await page.getByRole("heading", { name: "Replay from turn 2" }).waitFor();
  await page.getByRole("button", { name: "Edit: Result of order, message 3" }).click();
  await page.getByRole("textbox", { name: "Result of order, message 3" }).fill("It is sold out.");
  await tab.button("Replay").click();
  await page.locator(".conv .msg", { hasText: "Certainly. It is sold out." }).waitFor();
  expect(orders).toHaveLength(1);

  // With the tool ticked.
  await tab.go(`${place}/replay/1`);
  await page.getByLabel(/^order/).check();
  await tab.button("Replay").click();
  await page.locator(".conv .msg", { hasText: "Certainly. It comes tomorrow." }).waitFor();
  expect(orders).toEqual([{ what: "tea" }, { what: "tea" }]);
  expect(tab.failures).toEqual([]);
});

test("the provider receives the edited message and the result of the run before, byte for byte as Wire shows it", async () => {
  await using provider = await openProvider([
    [{ name: "look", arguments: '{"at":"sea"}' }],
    "It is blue.",
    [{ name: "look", arguments: '{ "at": "sea" }' }],
    "It is still blue.",
  ]);
  let looks = 0;
  const look = tool({ name: "look", input: { type: "object" }, execute: () => `Look ${++looks}.` });
  const model = openai("m", { baseURL: provider.baseURL, apiKey: "sk-test" });
  const { url } = await openStudio([new Agent({ name: "Eye", model, tools: [look] })]);
  const tab = await Tab.open(url);
  await tab.say("What colour has the sea?");
  await tab.expectTexts("What colour has the sea?", "It is blue.");
  await tab.go(`${await tab.openNewestRun()}/replay/1`);
  await tab.page.getByRole("button", { name: "Edit: User, message 1" }).click();
  await tab.page.getByRole("textbox", { name: "User, message 1" }).fill("And now?");
  await tab.button("Replay").click();
  await tab.page.locator(".conv .msg", { hasText: "It is still blue." }).waitFor();
  expect(looks).toBe(1);
  expect(provider.bodies[2]).toContain('"And now?"');
  expect(provider.bodies[3]).toContain('"Look 1."');
  await tab.page.keyboard.press("w");
  await tab.page.getByRole("tab", { name: "As sent" }).click();
  await expect.poll(() => tab.page.getByLabel("Body").textContent()).toBe(provider.bodies[3]);
  expect(tab.failures).toEqual([]);
});
