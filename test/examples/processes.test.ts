import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = readdirSync(join(root, "examples")).filter((name) =>
  existsSync(join(root, "examples", name, "agent.ts")),
);
const programs = [
  "bare-minimum",
  "function-calling",
  "context-variables",
  "agent-handoff",
  "chat-loop",
  "streaming",
];
const names = examples.flatMap((name) => [
  name,
  ...(name === "basic" ? programs.map((file) => `basic/${file}`) : []),
]);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a file of the project with nothing in the environment that names a model, but for Ollama, which is nowhere. */
async function node(args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME, OLLAMA_HOST: "http://127.0.0.1:1", ...env },
  });
  // Who has nothing to read leaves before it is written.
  child.stdin.on("error", () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, stdout, stderr };
}

test.each(names)("%s runs offline with a one-line notice, and ends with its input", async (name) => {
  const { code, stdout, stderr } = await node(["scripts/example.ts", name], "hello\n");
  expect(code, stderr).toBe(0);
  expect(stdout).not.toBe("");
  expect(
    (stdout + stderr).match(
      /offline stand-in: keyword rules, not a language model|^A scripted stand-in answers/gim,
    ),
  ).not.toBeNull();
});

test("without a name, the examples are listed", async () => {
  const { code, stdout } = await node(["scripts/example.ts"]);
  expect(code).toBe(0);
  for (const name of [...names, "durable"]) expect(stdout).toContain(`  ${name}\n`);
});

test("an example without an agent to talk with runs by itself", async () => {
  const { code, stdout, stderr } = await node(["scripts/example.ts", "durable"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/The bank has 1 payment\.\n$/);
});

test("a wrong name is an error, with the list", async () => {
  const { code, stdout, stderr } = await node(["scripts/example.ts", "aeroplane"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^There is no example "aeroplane"\.\n[^]* {2}airline\n/);
});

test("options go to skein chat", async () => {
  const context = JSON.stringify({ name: "Ada", userId: 7 });
  const { stdout } = await node(["scripts/example.ts", "basic", "--context", context], "Show my account\n");
  expect(stdout).toContain("Account 7: Ada");
});

test("skein eval prints its table for all of them, and writes what it found", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skein-evals-"));
  // The analyst's stand-in knows a script alone: nothing to evaluate.
  const evaluated = examples.filter((name) => name !== "analyst");
  const files = evaluated.map((name) => `examples/${name}/evals.ts`);
  const json = join(folder, "results.json");
  const { code, stderr, stdout } = await node(["dist/cli/bin.js", "eval", ...files, "--json", json]);
  const { results }: { results: { name: string; summary: { runs: number } }[] } = JSON.parse(
    await readFile(json, "utf8"),
  );
  await rm(folder, { recursive: true });
  expect(code, stderr).toBe(0);
  expect(results.map(({ name }) => name).sort()).toEqual([...evaluated].sort());
  for (const { name, summary } of results) {
    expect(stdout).toMatch(new RegExp(`^${name} +\\S+ +\\d+/${summary.runs} `, "m"));
    expect(summary.runs, name).toBeGreaterThanOrEqual(25);
  }
}, 180_000);
