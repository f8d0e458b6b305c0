/** Every page of the studio by axe-core, at three widths and in both themes, with a picture of each in a temporary folder. */
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { run } from "skein";
import { expect, onTestFinished, test } from "vitest";
import type { CheckView } from "../../src/studio/check-view.ts";
import { openStudio as openWithSource } from "../../src/studio/studio.ts";
import { openStudio, Tab, type TabOptions, useBrowser } from "./browser.ts";
import { shopEvals } from "./shop-evals.ts";
import { shop } from "./shop.ts";
import { team, traceInto } from "./traces.ts";

useBrowser();

const pictures = join(tmpdir(), "skein-studio");

/** What the tests need of axe-core. */
interface AxeCore {
  run(options: object): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

/** What axe-core finds that is serious, by the rules of WCAG 2 A and AA. */
async function findings({ page }: Tab): Promise<readonly string[]> {
  // The page's own policy lets no other script in: it is run as a debugger's.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: loaded }: { readonly axe?: AxeCore } = Object(globalThis);
    const result = await loaded?.run({ runOnly: ["wcag2a", "wcag2aa"] });
    return (result?.violations ?? [])
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html }) => html.slice(0, 200))
            .join(" | ")}`,
      );
  });
}

/** What `skein check` has to say of the shop. */
const checked: CheckView = {
  agents: [
    {
      name: "Refunds",
      at: "agents.ts:31",
      findings: [],
      tools: [
        {
          name: "pay",
          at: "agents.ts:8",
          findings: [
            {
              rule: "missing-description",
              level: "error",
              message: "reason of pay has no description: a model cannot tell what to write.",
              help: "Add it to the doc comment: @param reason - What it is.",
              at: "agents.ts:8:22",
            },
            {
              rule: "vague-name",
              level: "warn",
              message: "pay can mean several things.",
              help: "Name what it pays: refundOrder.",
              at: "agents.ts:8:10",
            },
          ],
        },
      ],
    },
  ],
  others: [],
};

/** Sends the trace of a team, and returns its place. */
async function openTrace(tab: Tab, url: string, content: boolean): Promise<string> {
  const end = traceInto(new OTLPTraceExporter({ url }), { content });
  await run(team(), "Order 7 is broken.", { runId: `team-${content}` });
  await end();
  await tab.go("#/runs");
  const links = tab.page.locator('.tb a[href*="trace-"]');
  await expect.poll(() => links.count()).toBe(content ? 1 : 2);
  return (await links.first().getAttribute("href")) ?? "";
}

const views: readonly TabOptions[] = [390, 1280, 2560].flatMap((width) =>
  (["dark", "light"] as const).map((theme) => ({
    width,
    height: width === 390 ? 844 : width === 1280 ? 800 : 1300,
    theme,
  })),
);

test.each(views)(
  "no page at $width in $theme has anything serious, or is wider than its window",
  async (view) => {
    await mkdir(pictures, { recursive: true });
    const agents = shop();
    const { url } = await openStudio(agents);
    const empty = await Tab.open(url, view);
    await empty.go("#/runs");
    await empty.page.getByText("No run yet").waitFor();
    await empty.page.screenshot({ path: join(pictures, `empty-${view.width}-${view.theme}.png`) });
    expect(await findings(empty)).toEqual([]);
    await run(agents[0], "From the program.", { runId: "program" });
    await empty.page.close();

    const [triage, refunds] = shop();
    const opened = await openWithSource(
      { agents: [triage, refunds], port: 0 },
      { file: "agents.ts", evals: shopEvals(), checkTools: async () => checked },
      { otlp: 0 },
    );
    onTestFinished(() => opened.close());
    const tab = await Tab.open(opened.url, view);
    await tab.page.locator(".pick select").selectOption("Triage");
    await tab.say("Order 7 is broken. I want my money back.");
    await tab.page.getByRole("heading", { name: "Your decision" }).waitFor();
    const place = await tab.openNewestRun();
    const endpoint = `${opened.otlp}/v1/traces`;
    const traced = await openTrace(tab, endpoint, true);
    const pages = {
      chat: "#/chat",
      runs: "#/runs",
      run: place,
      wire: `${place}/wire/2`,
      call: `${place}/call/4`,
      replay: `${place}/replay/1`,
      compare: "#/compare",
      approvals: "#/approvals",
      agents: "#/agents/Refunds",
      trace: traced,
      request: `${traced}/wire/3`,
      figures: await openTrace(tab, endpoint, false),
      evals: "#/evals",
      case: "#/evals/0/A%20broken%20order%20is%20paid%20back",
    };
    for (const [name, hash] of Object.entries(pages)) {
      await tab.go(hash);
      await tab.page.locator("main h1").first().waitFor();
      await expect.poll(() => tab.page.locator("main .load").count()).toBe(0);
      if (name === "agents") await tab.page.locator(".finds li").nth(1).waitFor();
      await tab.page.screenshot({ path: join(pictures, `${name}-${view.width}-${view.theme}.png`) });
      expect({ name, findings: await findings(tab) }).toEqual({ name, findings: [] });
      expect(await tab.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    await tab.page.keyboard.press("?");
    await tab.page.keyboard.press("Escape");
    await tab.page.keyboard.press("Control+k");
    await tab.page.screenshot({ path: join(pictures, `palette-${view.width}-${view.theme}.png`) });
    expect(await findings(tab)).toEqual([]);
    expect(tab.failures).toEqual([]);
  },
  // A dozen pages, each looked at by axe-core.
  180_000,
);
