import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { installRuntimes } from "../../../test/consumer.ts";
import { expected, expectedTwins, withoutOutput } from "./fixtures/expected.ts";
import { printProgram, runProcess } from "./test-process.ts";

let runtimes: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  runtimes = await installRuntimes();
}, 240_000);

/** What a process says that has nothing to do with what it finds. */
const noise = /^(context canceled|Debugger listening on .*|For help, see: .*|Debugger ending on .*)\n/gm;

test.each([
  { how: "running TypeScript itself", runtime: "Node 22", options: [] },
  { how: "running TypeScript itself", runtime: "Node 24", options: [] },
  { how: "running TypeScript itself", runtime: "Node 26", options: [] },
  { how: "running TypeScript through tsx", runtime: "Node 22", options: ["--import", "tsx"] },
  { how: "running TypeScript through tsx", runtime: "Node 24", options: ["--import", "tsx"] },
  { how: "under a debugger", runtime: "Node 24", options: ["--inspect=127.0.0.1:0"] },
  { how: "running TypeScript itself", runtime: "Deno", options: [] },
])(
  "on $runtime $how, functions of all kinds are found, again from the cache, and the process ends as it wants",
  async ({ runtime, options }) => {
    const [command = "", ...args] = runtimes[runtime] ?? [];
    const runs = [];
    for (const SKEIN_CACHE of ["off", "on", "on"]) {
      runs.push(await runProcess([command, ...args, ...options, printProgram], { env: { SKEIN_CACHE } }));
    }
    for (const { exitCode, stdout, stderr } of runs) {
      expect(withoutOutput(JSON.parse(stdout))).toEqual([...expected, ...expectedTwins]);
      expect(stderr.replace(noise, "")).toBe("");
      expect(exitCode).toBe(7);
    }
  },
);

test("under Deno without permissions, the error says what must be allowed", async () => {
  const [command = "", ...args] = (runtimes["Deno"] ?? []).map((argument) =>
    argument === "--allow-all" ? "--allow-read" : argument,
  );
  const { stdout } = await runProcess([command, ...args, "--no-prompt", printProgram]);
  const answers: readonly { readonly error?: string }[] = JSON.parse(stdout);
  expect(answers).toHaveLength(expected.length + expectedTwins.length);
  for (const { error } of answers) expect(error).toContain("--allow-sys");
});

test.each(["forks", "threads", "vmForks", "vmThreads"])(
  "in vitest's pool %s, functions of all kinds are found, with and without the cache",
  async (pool) => {
    const vitest = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));
    const config = fileURLToPath(new URL("fixtures/pools/vitest.config.ts", import.meta.url));
    for (const SKEIN_CACHE of ["off", "on"]) {
      const command = [process.execPath, vitest, "run", "--config", config, "--pool", pool];
      const { exitCode, stdout, stderr } = await runProcess(command, { env: { SKEIN_CACHE } });
      expect(stdout + stderr).toContain("1 passed");
      expect(exitCode).toBe(0);
    }
  },
);
