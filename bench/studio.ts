import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "node:events";
import { chromium } from "playwright-core";
import { Agent, run } from "skein";
import { openai } from "skein/openai";
import { studio } from "skein/studio";
import { findChromium } from "../test/mcp/servers.ts";
import { medians, processorTime, type Sample } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import { pageRows } from "./studio-page.ts";
import type { Row } from "./table.ts";
import { withServer } from "./with-server.ts";

const turns = 10;

/** What the studio costs the runs that it records, how soon its page is there, and how quick that is with much to show. */
export async function studioRows(): Promise<readonly Row[]> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--enable-precise-memory-info"],
  });
  try {
    const attached = await withServer(attachedRows);
    const begin = await startOf(async (url) => {
      const page = await browser.newPage();
      await page.goto(url);
      await page.getByLabel("Message").waitFor();
      await page.close();
    });
    const usable: Row = {
      what: "studio: from `npx skein studio` to a page that can be used",
      unit: "ms",
      skein: begin,
      limit: { of: "skein", most: 3_000 },
    };
    return [...attached, usable, ...(await pageRows(browser))];
  } finally {
    await browser.close();
  }
}

/** A run over HTTP with the studio beside it. */
async function attachedRows(address: string): Promise<readonly Row[]> {
  const model = openai("gpt", { baseURL: `${address}/spoken/${turns}`, apiKey: "key" });
  const agent = new Agent({ name: "Bench", instructions: "Shout.", tools: [shoutTool], model });
  const work = (): Promise<unknown> => run(agent, "go", { maxTurns: turns + 1 });
  const perTurn: Sample = async () => (await processorTime(work, 40)) / turns;
  const figures = await medians({
    plain: perTurn,
    attached: async () => {
      const page = await studio({ agents: [agent], port: 0 });
      const figure = await perTurn();
      await page.close();
      return figure;
    },
  });
  return [
    {
      what: `studio attached, a turn of ${turns} over HTTP, spoken answers`,
      unit: "ms",
      floor: figures("plain"),
      skein: figures("attached"),
      quartiles: figures.quartiles("attached", "plain"),
      limit: { of: "ratio", most: 1.05 },
    },
  ];
}

/** The median of five starts of the command, in milliseconds, until `open` has opened its page. */
async function startOf(open: (url: string) => Promise<void>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "skein-studio-start-"));
  await symlink(fileURLToPath(new URL("../node_modules", import.meta.url)), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "agents.ts"), program);
  const command = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
  const args = [command, "studio", "agents.ts", "--port", "0", "--no-open"];
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    while (!output.includes("Ctrl+C")) output += String((await once(child.stdout, "data"))[0]);
    await open(/http:\S+/.exec(output)?.[0] ?? "");
    times.push(performance.now() - startedAt);
    child.kill();
    await once(child, "exit");
  }
  await rm(folder, { recursive: true });
  return times.toSorted((one, other) => one - other)[2] ?? Number.NaN;
}

const program = `import { Agent } from "skein";

/**
 * Get the weather in a city.
 * @param city - City name, such as "Paris"
 */
function getWeather(city: string, unit: "celsius" | "fahrenheit" = "celsius") {
  return "18 degrees " + unit + " in " + city;
}
export const weather = new Agent({ name: "Weather", tools: [getWeather] });
`;
