/** A process that is killed by SIGKILL while it exchanges something with a batch API, at each exchange in turn: another one goes on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newFile, testRuns } from "../durable/test-runs.ts";
import { BatchServer, type Trouble } from "./batch-server.ts";
import { clerk, modelOfApi } from "./test-models.ts";

/**
 * Has a process work on a run, and kills it with an exchange.
 * @param when - Whether the server has done by then what it was to do.
 * @returns how many exchanges there were.
 */
async function workThrough(api: string, at: number, when: Trouble): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const server = await new BatchServer().start();
  stack.defer(() => server.close());
  const file = newFile();
  const rescuer = testRuns(file, { agents: [clerk(modelOfApi(api, server))], lease: 200 });
  await rescuer.start("Clerk", "Look around.", { id: "job" });
  const args = [
    "--import",
    join(import.meta.dirname, "../from-source.ts"),
    join(import.meta.dirname, "worker-process.ts"),
    file,
    api,
    server.url,
  ];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
  const exited = once(child, "exit");
  stack.defer(() => void child.kill("SIGKILL"));
  let exchanges = 0;
  server.onExchange = async () => {
    if ((exchanges += 1) !== at) return undefined;
    child.kill("SIGKILL");
    await exited;
    return when;
  };
  const run = rescuer.get("job");
  await Promise.race([exited, run.result()]);
  void rescuer.work();
  const { status, text } = await run.result({ timeout: 30_000 });
  expect({ at, when, status, text, submitted: server.submitted }).toEqual({
    at,
    when,
    status: "completed",
    text: "Answer to 3.",
    submitted: 2,
  });
  return exchanges;
}

describe.each(["anthropic", "openai"])("%s", (api) => {
  test.each(["before", "after"] as const)("killed %s the server has done it", async (when) => {
    const whole = await workThrough(api, 0, when);
    expect(whole).toBeGreaterThan(5);
    for (let at = 1; at <= whole; at++) await workThrough(api, at, when);
  });
});
