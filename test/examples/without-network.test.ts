/** Examples that need a network, as programs of their own that have none. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fromSources } from "../skein-command.ts";

/** Nothing can be reached by `fetch`. */
const cutOff =
  'globalThis.fetch = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("no network") }));';

/** Pipes lines into the example on the offline model, in a home where npm has fetched nothing yet. */
async function say(example: string, lines: readonly string[], ...flags: readonly string[]) {
  const home = await mkdtemp(join(tmpdir(), "skein-home-"));
  const args = [...flags, ...fromSources, "chat", `examples/${example}/agent.ts`, "--model", "offline"];
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    env: { PATH: process.env["PATH"], HOME: home, npm_config_registry: "http://127.0.0.1:9/" },
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  const [stdout] = await Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout };
}

test("research says of each service that it cannot be reached", async () => {
  const lines = ['Search arXiv for "geese"', "What does Wikipedia say about Jupiter?"];
  const { code, stdout } = await say(
    "research",
    lines,
    "--import",
    `data:text/javascript,${encodeURIComponent(cutOff)}`,
  );
  expect(stdout).toContain(
    "✗ arxiv_search failed: arXiv could not be reached at export.arxiv.org: no network",
  );
  expect(stdout).toContain(
    "✗ wikipedia_summary failed: Wikipedia could not be reached at en.wikipedia.org: no",
  );
  expect(code).toBe(0);
});

test("mcp reports a missing browser", async () => {
  const { code, stdout } = await say("mcp", ["Open the shop", "Hello"]);
  expect(stdout).toContain('! The MCP server "playwright" cannot be used');
  expect(stdout).toContain("The browser does not work: it needs npx, and Chrome");
  expect(code).toBe(0);
});

test("openapi needs none", async () => {
  const { code, stdout } = await say("openapi", ["Get pet 3", "Sell pet 3 to customer 1", "y", "Get pet 3"]);
  expect(stdout).toMatch(/Status: available.*Status: placed.*Status: sold/s);
  expect(code).toBe(0);
});
