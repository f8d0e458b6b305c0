/** Where tools are written and what `skein check` finds in them, on the page of the agents. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newProject } from "../skein-command.ts";
import { openStudio, Tab, useBrowser } from "./browser.ts";
import { startStudio } from "./command.ts";
import { shop } from "./shop.ts";

useBrowser();

const tools = `
export async function find(query: string) {
  return query;
}
`;

const agents = `import { Agent } from "skein";
import { find } from "./tools.ts";

/**
 * Gets the weather of a city.
 * @param town - The city
 */
function weather(city: string) {
  return city;
}
const names = Array.from({ length: 21 }, (_, index) => "t" + index);
const many = Object.fromEntries(names.map((name) => [name, weather]));
export const busy = new Agent({ name: "Busy", tools: many });
export const desk = new Agent({ name: "Desk", tools: [find, weather], handoffs: [busy] });
/** Looks up a name in the list of guests.
 * @param name - The name of the guest */
export function lookUp(name: string, table: number) {
  return name + table;
}
`;

test("each tool has its line, and each finding stands at its agent or tool with its rule and remedy", async () => {
  const folder = await newProject();
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "tools.ts"), tools);
  await writeFile(join(folder, "agents.ts"), agents);
  const { url } = await startStudio(folder, {}, "studio", "agents.ts");
  const tab = await Tab.open(url);
  const { page } = tab;
  await tab.go("#/agents/Desk");
  const tool = (name: string) =>
    page.locator(".tools > li", { has: page.locator("summary b", { hasText: name }) });
  const texts = (name: string) => tool(name).locator(".finds li > *").allTextContents();

  await tool("find").locator(".at").waitFor();
  expect(await tool("find").locator(".at").textContent()).toBe("tools.ts:2");
  expect(await tool("weather").locator(".at").textContent()).toBe("agents.ts:8");
  expect(await page.locator("article .agent").textContent()).toContain("agents.ts:14");
  expect(await texts("find")).toEqual([
    "",
    "find has no description: a model cannot tell when to call it. Write a doc comment above it: what it does, and when to use it.",
    "missing-description tools.ts:2:23",
    "",
    "The parameter query of find has no description. Add a line to its doc comment: @param query - ...",
    "undescribed-parameter tools.ts:2:28",
  ]);
  expect(await tool("find").locator("summary .chip").allTextContents()).toEqual(["1 error", "1 warning"]);
  expect(await texts("weather")).toContain("unknown-parameter agents.ts:6:11");
  expect(await texts("weather")).not.toContain("missing-description tools.ts:2:23");
  // What no agent has is said beside the agents.
  await page.getByText("The parameter table of lookUp has no description.").waitFor();

  await tab.go("#/agents/Busy");
  await page.getByText("The agent Busy has 21 tools").waitFor();
  expect(await page.locator("article > .finds .m").textContent()).toBe("too-many-tools agents.ts:13:14");

  // What is mended is checked again, as soon as it is loaded again.
  await tab.go("#/agents/Desk");
  await writeFile(
    join(folder, "tools.ts"),
    `/**
 * Finds guests by a part of their name, for when the whole name is not certain.
 * @param query - A part of the name
 */${tools}`,
  );
  await expect.poll(() => tool("find").locator(".at").textContent(), { timeout: 30_000 }).toBe("tools.ts:5");
  expect(await texts("find")).toEqual([]);
  expect(tab.failures).toEqual([]);
  // It starts five processes that read types.
}, 180_000);

/** Makes TypeScript absent in every process that is started with it. */
const withoutTypeScript = `import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith("typescript")) return next(specifier, context);
    throw Object.assign(new Error("Cannot find package 'typescript'"), { code: "ERR_MODULE_NOT_FOUND" });
  },
});
`;

test("without TypeScript, the page says once why there is nothing", async () => {
  const folder = await newProject();
  onTestFinished(() => rm(folder, { recursive: true }));
  const preload = join(folder, "without.mjs");
  await writeFile(preload, withoutTypeScript);
  await writeFile(
    join(folder, "agents.ts"),
    'import { Agent } from "skein";\nexport const desk = new Agent({ name: "Desk" });\nexport const bar = new Agent({ name: "Bar" });\n',
  );
  const { url } = await startStudio(folder, { NODE_OPTIONS: `--import ${preload}` }, "studio", "agents.ts");
  const tab = await Tab.open(url);
  await tab.go("#/agents");
  await tab.page.getByText("TypeScript is not installed here").waitFor();
  expect(await tab.page.getByText("TypeScript is not installed here").count()).toBe(1);
  expect(tab.failures).toEqual([]);
});

test("a file that ends the process that checks it does not end the studio, and the page warns of it", async () => {
  const folder = await newProject();
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, "agents.ts"),
    'import { Agent } from "skein";\nif (process.argv.includes("--report")) process.exit(3);\nexport const desk = new Agent({ name: "Desk" });\n',
  );
  const { url } = await startStudio(folder, {}, "studio", "agents.ts");
  const tab = await Tab.open(url);
  await tab.go("#/agents");
  await tab.page.getByText("agents.ts ended the process while it was loaded").waitFor();
  expect(tab.failures).toEqual([]);
});

test("where no file is read, the page says once where findings are", async () => {
  const { url } = await openStudio(shop());
  const tab = await Tab.open(url);
  await tab.go("#/agents");
  await tab.page.getByText("where the studio reads the agents from a file").waitFor();
  expect(await tab.page.locator(".finds, .at").count()).toBe(0);
  expect(tab.failures).toEqual([]);
});
