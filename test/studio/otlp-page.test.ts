/** A trace of another program in the studio's page, in a real Chromium. */
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { Tab, useBrowser } from "./browser.ts";
import { openReceiver, traceInto } from "./traces.ts";

useBrowser();

/** An agent that looks up a city and answers. */
function weather(): Agent {
  const model = new ScriptedModel([
    {
      toolCalls: [{ toolName: "look", arguments: { city: "Paris" } }],
      usage: { inputTokens: 1_200, outputTokens: 9 },
    },
    { text: "It is warm.", usage: { inputTokens: 1_300, outputTokens: 4 } },
  ]);
  const look = tool({
    name: "look",
    description: "Looks at the sky.",
    input: { type: "object", properties: { city: { type: "string" } } },
    execute: () => "18 degrees",
  });
  return new Agent({ name: "Weather", instructions: "Be brief.", model, tools: [look] });
}

test("without a trace the page has the address to send to; with one its conversation, waterfall, call and request", async () => {
  const { url, page: address } = await openReceiver();
  const tab = await Tab.open(address, { hasNoAgents: true });
  const { page } = tab;
  await page.getByText(`OTEL_EXPORTER_OTLP_ENDPOINT=${url} node app.ts`).waitFor();
  const end = traceInto(new OTLPTraceExporter({ url: `${url}/v1/traces` }), { content: true });
  await run(weather(), "Is it warm in Paris?", { runId: "own" });
  await end();

  await tab.openNewestRun("Is it warm in Paris?");
  // The studio records the runs of its own process, too: the trace is beside it.
  await tab.go("#/runs");
  const rows = page.locator(".tb tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  const links = await rows
    .locator("a")
    .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
  await tab.go(links.find((each) => each.includes("trace-")) ?? "");
  await page.locator(".head", { hasText: "traced" }).waitFor();
  expect(await page.locator(".conv .msg > p").allTextContents()).toEqual([
    "Is it warm in Paris?",
    "It is warm.",
  ]);
  const steps = page.getByRole("listbox", { name: "Steps" }).getByRole("option");
  await expect.poll(() => steps.count()).toBe(3);
  await page.locator(".facts", { hasText: "2.5k in" }).waitFor();
  await page.keyboard.press("k");
  await page.getByRole("heading", { name: "Call of look" }).waitFor();
  // A trace is not repeated.
  expect(await page.getByText("Replay", { exact: false }).count()).toBe(0);
  await page.keyboard.press("Enter");
  // By its level: before the key has done its work, there is the heading "Call of look".
  await page.getByRole("heading", { name: "look", level: 1, exact: true }).waitFor();
  await page.getByText("18 degrees").first().waitFor();
  await page.keyboard.press("Escape");
  await steps.first().waitFor();
  await page.keyboard.press("w");
  await page.getByRole("tab", { name: "As traced" }).click();
  await expect.poll(() => page.getByLabel("Body").textContent()).toContain("Be brief.");
  expect(tab.failures).toEqual([]);
});

test("where the words of a trace would be, the page has why they are missing", async () => {
  const { url, page: address } = await openReceiver();
  const tab = await Tab.open(address, { hasNoAgents: true });
  const end = traceInto(new OTLPTraceExporter({ url: `${url}/v1/traces` }));
  await run(weather(), "Is it warm in Paris?");
  await end();
  await expect.poll(() => tab.page.locator(".tb tbody tr").count()).toBe(2);
  await tab.openNewestRun("Weather");
  await tab.page.getByText("Not in the spans: the program").waitFor();
  await tab.page.keyboard.press("w");
  await tab.page.getByText("The spans have no content of requests.").waitFor();
  expect(tab.failures).toEqual([]);
});
