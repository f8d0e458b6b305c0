/** Results of evaluations beside their baseline, and a case that is run again, in a real Chromium. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newProject, skein } from "../skein-command.ts";
import { Tab, useBrowser } from "./browser.ts";
import { startStudio } from "./command.ts";

useBrowser();

/** Its model pays what `amount.txt` says, whatever was asked for. */
const evals = `import { readFileSync } from "node:fs";
import { Agent, tool } from "skein";
import { defineEval } from "skein/evals";
import { FunctionModel } from "skein/testing";

const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amount: { type: "number" } } },
  execute: ({ amount }) => "Paid " + amount + ".",
});
const model = new FunctionModel(({ messages }) => {
  if (messages.at(-1)?.role === "tool") return "It is <b>paid</b>.";
  const amount = Number(readFileSync(new URL("amount.txt", import.meta.url), "utf8"));
  return { toolCalls: [{ toolName: "pay", arguments: { amount } }] };
});
export const till = defineEval({
  name: "Till",
  agent: new Agent({ name: "Till", model, tools: [pay] }),
  cases: [
    { input: "Pay 7 <b>now</b>", calls: [{ tool: "pay", arguments: { amount: 7 } }], tags: ["money"] },
    { input: "Pay anything", calls: ["pay"], text: "paid" },
  ],
});
`;

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await writeFile(join(folder, "evals.ts"), evals);
  for (const [file, amount] of [
    ["before.json", 7],
    ["now.json", 8],
  ] as const) {
    await writeFile(join(folder, "amount.txt"), String(amount));
    await skein(["eval", "evals.ts", "--json", file], folder);
  }
  return () => rm(folder, { recursive: true });
});

test("what failed stands beside the baseline, and the case is run again with its checks, calls and timeline", async () => {
  await writeFile(join(folder, "amount.txt"), "8");
  const args = ["--open", "now.json", "--baseline", "before.json"];
  const { url } = await startStudio(folder, {}, "studio", "evals.ts", ...args);
  const tab = await Tab.open(url);
  const { page } = tab;
  await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
  );
  for (const key of ["g", "e"]) await page.keyboard.press(key);
  const rows = page.locator(".cases tbody tr");
  await rows.nth(1).waitFor();
  expect(await page.locator(".ev .facts").textContent()).toContain("50% passed, 1 of 2");
  expect(await page.locator(".ev .facts").textContent()).toContain("baseline 100% −50%");
  expect(await rows.allTextContents()).toEqual([
    expect.stringMatching(/^failedPay 7 <b>now<\/b>calls: .*amount.*was 100%$/),
    "passedPay anything",
  ]);
  await tab.button("Failed 1").click();
  expect(await rows.count()).toBe(1);

  // By keys from here: the first case, and once more.
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Pay 7 <b>now</b>", level: 1 }).waitFor();
  const section = (name: string) => page.getByRole("region", { name, exact: true });
  await section("Results").locator(".call", { hasText: "pay(amount: 8)" }).waitFor();
  await section("Baseline").locator(".call", { hasText: "pay(amount: 7)" }).waitFor();
  expect(await section("Results").locator("li").textContent()).toContain("calls");
  expect(await section("Results").locator("article > .pre").textContent()).toBe("It is <b>paid</b>.");

  await writeFile(join(folder, "amount.txt"), "7");
  await page.keyboard.press("Control+Enter");
  const again = section("Run again");
  await again.locator(".call", { hasText: "pay(amount: 7)" }).waitFor();
  expect(await again.locator("article header").textContent()).toContain("passed");
  await again.getByRole("link", { name: "Timeline" }).click();
  await page.getByRole("listbox", { name: "Steps" }).waitFor();
  await page.locator(".row", { hasText: "pay" }).first().waitFor();
  expect(tab.failures).toEqual([]);
});

test("results alone are shown without agents, and read again when the page is opened again", async () => {
  const file = join(folder, "later.json");
  const result = {
    version: 1,
    name: "Later",
    startedAt: "2026-11-03T12:00:00.000Z",
    durationMs: 5,
    runs: 1,
    summary: {
      cases: 0,
      runs: 0,
      passed: 0,
      errors: 0,
      passRate: 0.25,
      interval: [0, 1],
      passHat: [],
      scorers: {},
      usage: {},
    },
    cases: [],
    warnings: [],
  };
  await writeFile(file, JSON.stringify({ version: 1, results: [result] }));
  const { url } = await startStudio(folder, {}, "studio", "--open", "later.json");
  const tab = await Tab.open(url, { hasNoAgents: true });
  await tab.go("#/evals");
  await tab.page.getByText("25% passed").waitFor();
  await tab.go("#/runs");
  await writeFile(file, "not JSON");
  await tab.go("#/evals");
  await tab.page.getByRole("alert").getByText("The file later.json cannot be read").waitFor();
  expect(tab.failures).toEqual([]);
});

test("without results, the cases of the file can be run, and a baseline that has none is refused", async () => {
  const { url } = await startStudio(folder, {}, "studio", "evals.ts");
  const tab = await Tab.open(url);
  await tab.go("#/evals/0/Pay%20anything");
  await tab.button("Run this case again").click();
  await tab.page.locator(".try li", { hasText: "calls" }).waitFor();
  await writeFile(join(folder, "odd.json"), "{}");
  const { code, stderr } = await skein(["studio", "evals.ts", "--baseline", "odd.json"], folder);
  expect(code).toBe(1);
  expect(stderr).toContain("The baseline odd.json has no results.");
});
