/** The runs of `test/providers/chaos.test.ts`, twenty times as many. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { playOrders, unreliableServer } from "../providers/chaos-runs.ts";

const server = unreliableServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

test("10,000 runs against a provider that fails end well", { timeout: 1_800_000 }, async () => {
  const outcome = await playOrders(server.url, 10_000, 16);
  expect(outcome).toMatchObject({ broken: [], rejections: [], completed: 10_000 });
  expect(outcome.failures).toBeGreaterThan(4000);
});
