/** The twenty requests of test/server in other runtimes: the answers are those of Node. */
import { serve } from "skein/server";
import { beforeAll, expect, test } from "vitest";
import { installRuntimes } from "../consumer.ts";
import { startProgram, startWorker } from "../server/start-host.ts";
import { askTwenty, type HostAnswer, hostAgents, hostOptions, type Send } from "../server/twenty-requests.ts";

let runtimes: Readonly<Record<string, readonly string[]>>;
let expected: readonly HostAnswer[];

beforeAll(async () => {
  runtimes = await installRuntimes();
  const server = serve(hostAgents(), hostOptions);
  expected = await askTwenty((_method, path, init) =>
    server.fetch(new Request(`http://localhost${path}`, init)),
  );
  await server.close({ drain: 0 });
}, 240_000);

function sendTo(base: string): Send {
  return (_method, path, init) => fetch(base + path, { ...init, signal: AbortSignal.timeout(20_000) });
}

test.each([
  ["Bun", []],
  ["Bun", ["listen"]],
  ["Deno", []],
  ["Deno", ["listen"]],
  ["Node 22", ["listen"]],
  ["Node 26", ["listen"]],
])("%s %j", async (runtime, args) => {
  const url = await startProgram(runtimes[runtime] ?? [], ...args);
  expect(await askTwenty(sendTo(url))).toEqual(expected);
});

test("workerd", async () => {
  expect(await askTwenty(sendTo(await startWorker()))).toEqual(expected);
});
