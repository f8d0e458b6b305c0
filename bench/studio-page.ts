import type { Browser, Page } from "playwright-core";
import { Agent, type Model, type ModelEvent, run, tool } from "skein";
import { studio } from "skein/studio";
import { ScriptedModel } from "skein/testing";
import { instantModel } from "./instant-model.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";

const deltas = 20_000;
const runs = 500;
const tools = 2_000;
const megabytes = 5;

/** How often each interaction is measured: the median counts. */
const rounds = 5;

const object = { type: "object" } as const;

/** Writes 20,000 pieces, a hundred at once, as fast as they are read. */
function writer(): Model {
  return {
    provider: "bench",
    modelId: "writer",
    async *stream(request): AsyncGenerator<ModelEvent, void> {
      let text = "";
      for (let index = 0; index < deltas; index++) {
        const piece = `word${index % 100} `;
        text += piece;
        yield { type: "text-delta", text: piece };
        if (index % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 10));
      }
      for await (const event of new ScriptedModel([text]).stream(request))
        if (event.type === "finish") yield event;
    },
  };
}

function agents(): readonly Agent[] {
  const result = "All work and no play makes Jack a dull boy.\n".repeat(1_000_000 / 44);
  const fetchAll = tool({
    name: "fetchAll",
    input: object,
    maxResultChars: 1_000_000,
    execute: () => result,
  });
  const many = Array.from({ length: tools }, (_, index) =>
    tool({
      name: `tool${index}`,
      description: `The tool number ${index}, which does something with its text.`,
      input: { type: "object", properties: { text: { type: "string", description: "What it is about" } } },
      execute: () => "Done.",
    }),
  );
  return [
    new Agent({ name: "Writer", model: writer() }),
    new Agent({
      name: "Large",
      model: new ScriptedModel([
        { toolCalls: Array.from({ length: megabytes }, () => ({ toolName: "fetchAll" })) },
        "Here it is.",
      ]),
      tools: [fetchAll],
    }),
    new Agent({ name: "Tools", model: new ScriptedModel(["Hello."]), tools: many }),
    new Agent({ name: "Bench", model: instantModel(3), tools: [shoutTool] }),
  ];
}

/** How long the page takes for what a person does, with as much to show as it keeps. */
export async function pageRows(browser: Browser): Promise<readonly Row[]> {
  const [writing, large, toolbox, bench] = agents();
  if (!writing || !large || !toolbox || !bench) return [];
  await using opened = await studio({ agents: [writing, large, toolbox, bench], port: 0 });
  for (let index = 0; index < runs - 2; index++)
    await run(bench, `Shout number ${index}`, { runId: `b${index}` });
  await run(large, "Everything", { runId: "large" });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  await page.goto(opened.url);
  await page.getByLabel("Message").waitFor();
  const rows = [await typingRow(page)];
  for (const [what, before, act, done] of interactions) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await timed(page, before, undefined);
      await page.waitForTimeout(300);
      times.push(await timed(page, act, done));
    }
    rows.push(row(what, "ms", times.toSorted((one, other) => one - other)[2] ?? Number.NaN, 100));
  }
  rows.push(row("  heap of the page after all of this", "KB", await heapOf(page), 300_000));
  await page.close();
  return rows;
}

function row(what: string, unit: "ms" | "KB", skein: number, most: number): Row {
  return { what, unit, skein, limit: { of: "skein", most } };
}

/** What is done, from where, and what is there then: a selector, and how often. */
const interactions: readonly (readonly [
  what: string,
  before: Act,
  act: Act,
  done: readonly [string, number],
])[] = [
  ["  the list of 500 runs", { hash: "#/approvals" }, { hash: "#/runs" }, [".tb tbody tr", 60]],
  ["  a word in its filter", { hash: "#/runs", type: "" }, { type: "agent:large" }, [".tb tbody tr", 1]],
  ["  the next run by key", { hash: "#/runs", type: "" }, { key: "j" }, [".tb tr[aria-selected=true]", 1]],
  ["  a run of 20,000 deltas", { hash: "#/runs" }, { newest: true }, [".conv .msg", 2]],
  ["  a run with five results of 1 MB", { hash: "#/runs" }, { hash: "#/runs/large" }, [".conv .msg", 3]],
  ["  its request of 5 MB", { hash: "#/runs/large" }, { hash: "#/runs/large/wire/2" }, ["#tab-panel > *", 1]],
  ["  a call with such a result", { hash: "#/runs/large" }, { hash: "#/runs/large/call/2" }, ["main h1", 1]],
  [
    "  an agent with 2,000 tools, of which 500 are listed",
    { hash: "#/approvals" },
    { hash: "#/agents/Tools" },
    ["ul.tools > li", 500],
  ],
  ["  all of it in the palette", { hash: "#/runs" }, { key: "k", isControl: true }, [".pal input", 1]],
];

/** Something that a person does. */
interface Act {
  readonly hash?: string;
  readonly key?: string;
  readonly isControl?: boolean;
  readonly type?: string;
  readonly newest?: boolean;
}

/** Milliseconds from what a person does until the page has painted what it leads to. */
function timed(page: Page, act: Act, done: readonly [string, number] | undefined): Promise<number> {
  return page.evaluate(
    async ([{ hash, key, isControl = false, type, newest }, expected]) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
      const start = performance.now();
      if (hash !== undefined) location.hash = hash;
      if (newest) location.hash = document.querySelector(".tb tbody a")?.getAttribute("href") ?? "";
      if (key !== undefined)
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: isControl, bubbles: true }));
      if (hash !== undefined && type !== undefined) await frame();
      const field = document.querySelector<HTMLInputElement>(".filters input");
      if (type !== undefined && field) {
        field.value = type;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      const isDone = (): boolean =>
        expected === undefined || document.querySelectorAll(expected[0]).length === expected[1];
      for (let left = 600; left > 0 && !isDone(); left--) await frame();
      if (!isDone()) return Number.NaN;
      // What is there by the next frame was painted.
      await frame();
      return performance.now() - start;
    },
    [act, done] as const,
  );
}

/** The longest that a letter in the field waits for its frame while 20,000 pieces come. */
async function typingRow(page: Page): Promise<Row> {
  await page.locator(".pick select").first().selectOption("Writer");
  await page.getByLabel("Message").fill("Write.");
  await page.getByLabel("Message").press("Enter");
  const times = await page.evaluate(async () => {
    const waits: number[] = [];
    const field = document.querySelector<HTMLTextAreaElement>("textarea");
    for (let letters = 0; letters < 30; letters++) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      const start = performance.now();
      if (!field) throw new TypeError("the page has no field");
      field.value += "x";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      waits.push(performance.now() - start);
    }
    return waits;
  });
  await page.getByLabel("Message").fill("");
  await page.getByRole("button", { name: "Send" }).waitFor();
  return row(
    "studio's page: a letter while 20,000 deltas come, the slowest of 30",
    "ms",
    Math.max(...times),
    100,
  );
}

/** Kilobytes, after a collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1_000;
}
