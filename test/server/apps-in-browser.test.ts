/** The page of `docs/mcp.md` that shows apps, in a real Chromium: the official host talks to the official app, which is in a sandbox. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findChromium } from "../mcp/servers.ts";
import { guide, weatherServer } from "./app-servers.ts";
import { served } from "./serving.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Shows what the host sends, and what it can reach. */
const appProgram = `
import { App } from "@modelcontextprotocol/ext-apps/app-with-deps";

const write = (id, value) => {
  document.querySelector("#" + id).textContent = JSON.stringify(value);
};
const attempt = async (action) => {
  try {
    return String(await action());
  } catch (error) {
    return error.name;
  }
};
const app = new App({ name: "weather", version: "1.0.0" }, {});
app.addEventListener("toolinput", (input) => write("input", input));
app.addEventListener("toolresult", (result) => write("result", result));
await app.connect();
write("reached", {
  origin: window.origin,
  cookie: await attempt(() => document.cookie),
  storage: await attempt(() => localStorage.length),
  page: await attempt(() => parent.document.title),
  code: await attempt(() => globalThis.eval("1")),
  network: await new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective === "connect-src") resolve(blockedURI);
    });
    fetch("https://elsewhere.example/").catch(() => {});
  }),
});
`;

let browser: Browser | undefined;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
}, 240_000);
afterAll(() => browser?.close());

/** A program as one script for browsers. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
}

async function pageOfDocs(): Promise<string> {
  const docs = await readFile(`${root}docs/mcp.md`, "utf8");
  return bundled(/^```typescript\n(\/\/ show-apps\.ts\n[\s\S]*?)^```$/m.exec(docs)?.[1] ?? "");
}

/** A site with the page of the docs, whose agent has an app. */
async function site(): Promise<string> {
  const program = (await bundled(appProgram)).replaceAll("</script", String.raw`<\/script`);
  const html = `<!doctype html><title>Weather</title><p id="input"></p><p id="result"></p><p id="reached"></p><script type="module">${program}</script>`;
  const weather = await weatherServer(html);
  const app = served({ guide: guide([weather]) }, { apps: [weather] });
  const script = await pageOfDocs();
  const server = createServer((request, response) => {
    if (request.url === "/") {
      response.setHeader("set-cookie", "login=secret; Path=/");
      response.setHeader("content-type", "text/html");
      return response.end(
        '<!doctype html><title>Site</title><body><script type="module" src="/page.js"></script>',
      );
    }
    if (request.url !== "/page.js") return app.node(request, response);
    response.setHeader("content-type", "text/javascript");
    return response.end(script);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function tab(url: string): Promise<Page> {
  const context = await (browser ?? (await chromium.launch())).newContext();
  onTestFinished(() => context.close());
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** What the app has written under a name. */
async function written(frame: ReturnType<Page["frameLocator"]>, id: string): Promise<unknown> {
  const place = frame.locator(`#${id}:not(:empty)`);
  return JSON.parse((await place.textContent()) ?? "null");
}

test(
  "an app in a frame shows a call with the official packages, and reaches nothing of the site",
  { timeout: 60_000 },
  async () => {
    const page = await tab(await site());
    const frame = page.frameLocator("iframe");
    expect(await written(frame, "input")).toEqual({ arguments: { city: "Paris" } });
    expect(await written(frame, "result")).toMatchObject({
      content: [{ type: "text", text: "18 degrees in Paris." }],
      structuredContent: { city: "Paris", degrees: 18 },
      _meta: { icon: "sun" },
    });
    expect(await written(frame, "reached")).toEqual({
      origin: "null",
      cookie: "SecurityError",
      storage: "SecurityError",
      page: "SecurityError",
      network: "https://elsewhere.example/",
      code: "EvalError",
    });
    expect(await page.evaluate(() => document.cookie)).toBe("login=secret");
  },
);

test(
  "an app that is opened by its address has no part in the site, either",
  { timeout: 60_000 },
  async () => {
    const url = await site();
    const page = await tab(url);
    await page.frameLocator("iframe").locator("#reached:not(:empty)").waitFor();
    const [path] = await page.evaluate(() =>
      performance.getEntriesByType("resource").flatMap(({ name }) => (name.includes("/apps/") ? [name] : [])),
    );
    await page.goto(path ?? "");
    expect(await page.evaluate(() => window.origin)).toBe("null");
    const cookie = page.evaluate(() => document.cookie);
    await expect(cookie).rejects.toThrow("sandboxed");
  },
);
