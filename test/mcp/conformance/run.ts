/**
 * What `npm run conformance` does: runs the official conformance suite with the requirements of the newest revision and of
 * the one before, against our client and against a server made with `serveMcp`, and prints the suite's own totals. The
 * exit code is that of the suite: a scenario that a revision requires and that fails makes it 1.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { installOnce } from "../../consumer.ts";

const revisions = ["2026-07-28", "2025-11-25"];

/** Milliseconds for one scenario: the suite starts the clients of all of them at the same time. */
const patience = "180000";

const here = fileURLToPath(new URL(".", import.meta.url));
const suite = join(here, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
/** How a program of this folder is started with the sources as they are. */
const program = (name: string): readonly string[] => [
  "--import",
  join(here, "..", "..", "from-source.ts"),
  join(here, name),
];

/** Runs one part of the suite, prints its summary, and says whether it passed. */
async function passes(args: readonly string[], results: string): Promise<boolean> {
  const child = spawn(process.execPath, [suite, ...args, "--timeout", patience, "-o", results], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(results, "compiled") },
  });
  const closed = once(child, "close");
  const [output, problems] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  await closed;
  const summary = output.slice(output.search(/^=== (SUITE )?SUMMARY ===$/m));
  // What ends before its totals, for whatever reason, has not shown anything.
  const isWhole = /^Total: \d+ passed/m.test(summary);
  process.stdout.write(`${isWhole ? summary.trim() : `${output}\n${problems}`}\n\n`);
  return isWhole && child.exitCode === 0;
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Starts the server, which prints its address. */
async function startServer(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, program("server.ts"), { stdio: ["ignore", "pipe", "inherit"] });
  for await (const url of createInterface(child.stdout)) return { url, child };
  throw new Error("The server ended before it had an address.");
}

await installOnce(here, () => existsSync(suite));
const results = await mkdtemp(join(tmpdir(), "skein-conformance-"));
// The suite gives it to a shell.
const client = [process.execPath, ...program("client.ts")].map((word) => `"${word}"`).join(" ");
const { url, child } = await startServer();
let isConformant = true;
try {
  for (const revision of revisions) {
    const required = ["--requirements", revision];
    process.stdout.write(`== our client, ${revision}\n`);
    isConformant = (await passes(["client", "--command", client, ...required], results)) && isConformant;
    process.stdout.write(`== a server made with serveMcp, ${revision}\n`);
    isConformant = (await passes(["server", "--url", url, ...required], results)) && isConformant;
  }
} finally {
  child.kill();
}
if (isConformant) await rm(results, { recursive: true, force: true });
else process.stdout.write(`The results are in ${results}\n`);
process.exitCode = isConformant ? 0 : 1;
