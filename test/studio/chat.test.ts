/** The chat of the studio, in a real Chromium. */
import { Agent, tool, type UserMessage } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";
import { gate, shop } from "./shop.ts";

useBrowser();

/** What the user has written. */
function textOf({ content }: UserMessage): string {
  return typeof content === "string" ? content : "";
}

const moneyBack = "Order 7 is broken. I want my money back.";

/** A conversation in which a payment waits for a decision. */
async function waiting(paid: object[] = []): Promise<{ readonly tab: Tab; readonly url: string }> {
  const { url } = await openStudio(shop(paid));
  const tab = await Tab.open(url);
  await tab.page.locator(".pick select").selectOption("Triage");
  await tab.say(moneyBack);
  await tab.page.getByRole("heading", { name: "Your decision" }).waitFor();
  return { tab, url };
}

test("an answer, its reasoning, a handoff and a call are shown, and the same after a reload", async () => {
  const { tab } = await waiting();
  await tab.expectTexts(moneyBack, "I pay it back.");
  const { page } = tab;
  expect(await page.locator(".flow .lead").allTextContents()).toEqual([
    "Triage takes the lead",
    "Refunds takes the lead",
  ]);
  expect(await page.locator(".thought").textContent()).toContain("It is broken.");
  expect(await page.locator(".cardh").allTextContents()).toEqual([
    expect.stringContaining("transfer_to_refunds()"),
    expect.stringMatching(/pay\(order: 7, amount: 120\)waits for you/),
  ]);
  expect(page.url()).not.toContain("token");
  await page.reload();
  await page.getByRole("heading", { name: "Your decision" }).waitFor();
  await tab.expectTexts(moneyBack, "I pay it back.");
  expect(tab.failures).toEqual([]);
});

test("a call is executed as a person has edited it, in place, and the model reads so", async () => {
  const paid: object[] = [];
  const { tab } = await waiting(paid);
  await tab.page.getByLabel("amount").fill("95");
  expect(await tab.page.locator(".f.ed .you").textContent()).toBe("was 120, the model is told");
  await tab.page.getByLabel("reason", { exact: false }).first().selectOption("late");
  await tab.button("Approve as edited").click();
  await tab.expectTexts(moneyBack, "I pay it back.", "It is settled.");
  expect(paid).toEqual([{ order: 7, amount: 95, reason: "late" }]);
  await tab.expectIdle();
  expect(tab.failures).toEqual([]);
});

test("an edit that does not fit is refused at its field, and nothing is executed", async () => {
  const paid: object[] = [];
  const { tab } = await waiting(paid);
  await tab.page.getByLabel("amount").fill("ninety");
  await expect
    .poll(() => tab.page.locator(".f .bad").allTextContents())
    .toEqual(["This is not a number, such as 10.05."]);
  expect(await tab.button("Approve as edited").isDisabled()).toBe(true);
  await tab.page.getByLabel("amount").fill("900");
  await tab.button("Approve as edited").click();
  await expect
    .poll(() => tab.page.locator(".f.ed .bad").allTextContents())
    .toEqual([expect.stringContaining("500")]);
  expect(paid).toEqual([]);
  await tab.button("Reset").click();
  await tab.button("Approve").click();
  await tab.expectTexts(moneyBack, "I pay it back.", "It is settled.");
  expect(paid).toEqual([{ order: 7, amount: 120 }]);
});

test("a denied call is not executed, and the model reads the reason", async () => {
  const paid: object[] = [];
  const { tab } = await waiting(paid);
  await tab.page.getByLabel("Reason, for the model").fill("The warranty is over.");
  await tab.button("Deny").click();
  await tab.expectTexts(moneyBack, "I pay it back.", "It is settled.");
  expect(paid).toEqual([]);
  await expect
    .poll(() => tab.page.locator(".flow .card").last().textContent())
    .toContain("The warranty is over.");
});

test("a decision on the page of approvals has the chat go on", async () => {
  const paid: object[] = [];
  const { tab } = await waiting(paid);
  await tab.page.getByRole("link", { name: /Approvals/ }).click();
  await tab.page.getByRole("heading", { name: "Your decision" }).waitFor();
  expect(await tab.page.locator(".queue").textContent()).toContain(moneyBack);
  await tab.button("Approve").click();
  await tab.page.getByText("Nothing waits for you").waitFor();
  await tab.page.getByRole("link", { name: "Chat", exact: true }).click();
  await tab.expectTexts(moneyBack, "I pay it back.", "It is settled.");
  expect(paid).toHaveLength(1);
});

test("what was taken back is not in the conversation any more", async () => {
  const model = new FunctionModel(({ messages }) =>
    messages.map((message) => (message.role === "user" ? textOf(message) : "")).join(" "),
  );
  const { url } = await openStudio([new Agent({ name: "Echo", model })]);
  const tab = await Tab.open(url);
  await tab.say("One.");
  await tab.expectTexts("One.", "One.");
  await tab.expectIdle();
  await tab.say("Two.");
  await tab.expectTexts("One.", "One.", "Two.", "One.  Two.");
  await tab.expectIdle();
  await tab.page.keyboard.press("Alt+u");
  await tab.expectTexts("One.", "One.");
  expect(await tab.page.getByLabel("Message").inputValue()).toBe("Two.");
  await tab.say("Three.");
  await tab.expectTexts("One.", "One.", "Three.", "One.  Three.");
  await tab.expectIdle();
  await tab.page.reload();
  await tab.expectTexts("One.", "One.", "Three.", "One.  Three.");
});

test("a run is stopped in the middle of its work", async () => {
  const { wait, entered } = gate();
  const agent = new Agent({
    name: "W",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "wait" }] }, "Done."]),
    tools: [wait],
  });
  const { url } = await openStudio([agent]);
  const tab = await Tab.open(url);
  await tab.say("Wait.");
  await entered;
  await tab.page.keyboard.press("Escape");
  await tab.page.getByText("Stopped.", { exact: true }).waitFor();
  await tab.expectIdle();
  await tab.go("#/runs");
  await tab.page.locator(".st", { hasText: "cancelled" }).waitFor();
  expect(tab.failures).toEqual([]);
});

test("a message to a run that works is read before the next model call", async () => {
  const { wait, open, entered } = gate();
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (messages.length === 1) return { toolCalls: [{ toolName: "wait" }] };
    return last?.role === "user" ? `You said: ${textOf(last)}` : "Nothing was said.";
  });
  const { url } = await openStudio([new Agent({ name: "W", model, tools: [wait] })]);
  const tab = await Tab.open(url);
  await tab.say("Wait.");
  await entered;
  await tab.button("Steer").waitFor();
  await tab.say("Hurry up.");
  await expect.poll(() => tab.page.getByRole("status").textContent()).toBe("Passed on to the run.");
  open();
  await tab.expectTexts("Wait.", "Hurry up.", "You said: Hurry up.");
});

test("the model and the context are switched in place", async () => {
  const seen: unknown[] = [];
  const listOrders = tool({
    name: "listOrders",
    description: "List the orders of a customer.",
    input: { type: "object" },
    execute: (_input: object, { context }) => {
      seen.push(context);
      return "It is known.";
    },
  });
  const agent = new Agent({ name: "A", model: new ScriptedModel(["From the script."]), tools: [listOrders] });
  const { url } = await openStudio([agent]);
  const tab = await Tab.open(url);
  await tab.say("Who?");
  await tab.expectTexts("Who?", "From the script.");
  await tab.expectIdle();
  await tab.button("New").click();
  await tab.page.locator(".pick input").fill("offline");
  await tab.page.getByLabel("Context of the next conversation").fill('{"user": "ada"}');
  await tab.say("List the orders of the customer.");
  await expect.poll(() => seen, { timeout: 15_000 }).toEqual([{ user: "ada" }]);
  await tab.expectIdle();
  await tab.openNewestRun();
  await tab.page.locator(".wf", { hasText: "keyword-rules" }).waitFor();
  await tab.go("#/chat");
  await tab.button("New").click();
  await tab.page.locator(".pick input").fill("nobody:knows");
  await tab.say("Hello?");
  await tab.page.locator(".flow .note.b", { hasText: '"nobody:knows" is not a known model name.' }).waitFor();
});

test("arguments are shown while the model writes them, and a result when it is there", async () => {
  let next = (): void => {};
  const paused = new Promise<void>((resolve) => (next = resolve));
  const model = new ScriptedModel([
    {
      text: "Writing.",
      toolCalls: [{ toolName: "note", arguments: { text: "A long sentence for the note." } }],
      chunkSize: 4,
      // Long enough for a busy machine to look in between.
      delay: 250,
    },
    "Done.",
  ]);
  const note = tool({
    name: "note",
    input: { type: "object" },
    execute: async () => paused.then(() => ({ stored: true })),
  });
  const { url } = await openStudio([new Agent({ name: "N", model, tools: [note] })]);
  const tab = await Tab.open(url);
  await tab.say("Write a note.");
  await tab.page.locator(".card", { hasText: "being written" }).locator("pre", { hasText: "A lo" }).waitFor();
  await tab.page.locator(".card", { hasText: "runs" }).waitFor();
  next();
  await tab.page.locator(".card", { hasText: '"stored": true' }).waitFor();
  await tab.expectTexts("Write a note.", "Writing.", "Done.");
  expect(tab.failures).toEqual([]);
});

test("a long context in any script is sent with the messages alone: all pages work on", async () => {
  const seen: unknown[] = [];
  const look = tool({
    name: "look",
    input: { type: "object" },
    execute: (_input: object, { context }) => {
      seen.push(context);
      return "Seen.";
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "look" }] } : "Done.",
  );
  const { url } = await openStudio([new Agent({ name: "A", model, tools: [look] })]);
  const tab = await Tab.open(url);
  const { page } = tab;
  const context = { name: "日本語".repeat(2_000) };
  await page.getByLabel("Context of the next conversation").fill(JSON.stringify(context));
  await tab.say("Look.");
  await tab.expectTexts("Look.", "Done.");
  // A message in the place of another one has it, too.
  await tab.expectIdle();
  await tab.button("Undo").click();
  await tab.say("Look again.");
  await tab.expectTexts("Look again.", "Done.");
  expect(seen).toEqual([context, context]);
  const place = await tab.openNewestRun();
  await tab.go(`${place}/wire`);
  await page.getByRole("tablist", { name: "Request" }).waitFor();
  await tab.go("#/approvals");
  await page.getByText("Nothing waits for you").waitFor();

  await tab.go("#/chat");
  for (const [text, problem] of [
    ["[1]", "The context must be a JSON object"],
    ['{"n": 9007199254740993}', "The number would be rounded"],
    ["{", "This is not JSON."],
  ] as const) {
    await page.getByLabel("Context of the next conversation").fill(text);
    await tab.say("Once more.");
    await page.getByRole("alert").getByText(problem).waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("Once more.");
  }
  expect(seen).toHaveLength(2);
});

test("where the studio does not answer, a page does not say that its run is gone", async () => {
  const { url } = await openStudio([new Agent({ name: "A", model: new ScriptedModel(["Done."]) })]);
  const tab = await Tab.open(url);
  await tab.say("Hello.");
  await tab.expectTexts("Hello.", "Done.");
  const place = await tab.openNewestRun();
  await tab.go("#/runs");
  await tab.page.route("**/studio/runs/**", (route) => route.fulfill({ status: 431, body: "" }));
  await tab.go(place);
  await tab.page.getByRole("heading", { name: "The studio did not answer" }).waitFor();
  expect(await tab.page.getByText("The studio answered 431.").count()).toBe(1);
  await tab.go("#/runs");
  await tab.page.unroute("**/studio/runs/**");
  await tab.go(`${place}gone`);
  await tab.page.getByRole("heading", { name: "This run is not here" }).waitFor();
});

test("how a run has ended is announced: a failed or stopped one has no complete answer", async () => {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "user" && textOf(last) === "Fail.") throw new Error("Broken.");
    return "Fine.";
  });
  const { url } = await openStudio([new Agent({ name: "A", model })]);
  const tab = await Tab.open(url);
  const status = () => tab.page.locator("[role=status][aria-live]").textContent();
  await tab.say("Work.");
  await expect.poll(status).toBe("The answer is complete.");
  await tab.say("Fail.");
  await expect.poll(status).toBe("The run has failed.");

  const { wait, open } = gate();
  const other = await openStudio([
    new Agent({
      name: "B",
      model: new ScriptedModel([{ toolCalls: [{ toolName: "wait" }] }]),
      tools: [wait],
    }),
  ]);
  const second = await Tab.open(other.url);
  await second.say("Wait.");
  await second.button("Stop").click();
  await expect
    .poll(() => second.page.locator("[role=status][aria-live]").textContent())
    .toBe("The run was stopped.");
  open();
});
