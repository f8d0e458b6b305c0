/** The runs of `test/providers/chaos.test.ts`, more of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { playOrders, unreliableServer } from "../providers/chaos-runs.ts";
import { shareOf } from "../effort.ts";

const server = unreliableServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const runs = process.env["MODE"] === "fetch" ? 2_000 : shareOf(10_000);

test(`${runs} runs against a provider that fails end well`, { timeout: 1_800_000 }, async () => {
  const outcome = await playOrders(server.url, runs, 16);
  expect(outcome).toMatchObject({ broken: [], rejections: [], completed: runs });
  expect(outcome.failures).toBeGreaterThan(0.4 * runs);
});
