/** Runs of a store and of a recording, in a real Chromium. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, run, tool } from "skein";
import { runs, sqliteStore } from "skein/durable";
import { openai } from "skein/openai";
import { record, ScriptedModel } from "skein/testing";
import { expect, onTestFinished, test } from "vitest";
import { openStudio } from "../../src/studio/studio.ts";
import { Tab, useBrowser } from "./browser.ts";
import { openProvider } from "./test-provider.ts";

useBrowser();

test("without agents, a recording shows its bytes, and a call of a store's run is decided on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skein-elsewhere-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await using provider = await openProvider(["It is blue."]);
  const recording = join(folder, "sea.jsonl");
  const model = record(
    (fetch) => openai("m", { baseURL: provider.baseURL, apiKey: "sk-test", fetch }),
    recording,
  );
  await run(new Agent({ name: "Eye", model }), "What colour has the sea?");
  const paid: object[] = [];
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } } },
    approval: true,
    execute: (input: object) => {
      paid.push(input);
      return "Paid.";
    },
  });
  const calls = [{ toolName: "pay", arguments: { amount: 120 } }];
  const payer = new Agent({
    name: "Payer",
    model: new ScriptedModel([{ toolCalls: calls }, "Settled."]),
    tools: [pay],
  });
  const file = join(folder, "runs.db");
  const app = runs({ agents: [payer], store: sqliteStore(file) });
  onTestFinished(() => app.close({ drain: 0 }));
  await (await app.start("Payer", "Pay 120.", { id: "order-7", here: true })).result();

  const studio = await openStudio(
    { agents: [], port: 0 },
    {},
    { store: sqliteStore(file), recordings: [recording] },
  );
  onTestFinished(() => studio.close());
  const tab = await Tab.open(studio.url, { hasNoAgents: true });
  const { page } = tab;
  // Nobody is there to chat with.
  expect(await page.locator(".nav a").allTextContents()).toEqual(["Runs", "Approvals1", "Agents", "Evals"]);
  expect(await page.locator(".nav [aria-current]").textContent()).toBe("Runs");
  await tab.go("#/agents");
  await page.getByText("No agent here").waitFor();
  await tab.openNewestRun("What colour has the sea?");
  await page.locator(".head", { hasText: "recorded" }).waitFor();
  await page.keyboard.press("w");
  await page.getByRole("tab", { name: "As sent" }).click();
  await expect.poll(() => page.getByLabel("Body").textContent()).toBe(provider.bodies[0]);

  await tab.go("#/runs");
  await tab.button("Waiting for you 1").waitFor();
  await tab.openNewestRun("Pay 120.");
  await page.keyboard.press("a");
  await page.getByRole("heading", { name: "Your decision" }).waitFor();
  await page.getByLabel("amount").fill("60");
  await tab.button("Approve as edited").click();
  await page.getByText("Nothing waits for you").waitFor();
  void app.work();
  await tab.go("#/runs/order-7");
  await page.locator(".conv .msg", { hasText: "Settled." }).waitFor();
  expect(paid).toEqual([{ amount: 60 }]);
  expect(tab.failures).toEqual([]);
});
