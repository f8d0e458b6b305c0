import { afterAll, beforeAll, expect, test } from "vitest";
import { playOrders, unreliableServer } from "./chaos-runs.ts";

const server = unreliableServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

test("500 runs against a provider that fails end well: nothing hangs, is lost or done twice", async () => {
  const outcome = await playOrders(server.url, 500, 16);
  expect(outcome).toMatchObject({ broken: [], rejections: [], completed: 500 });
  // It did fail, and runs were cancelled: else all this would show nothing.
  expect(outcome.failures).toBeGreaterThan(200);
  expect(outcome.cancellations).toBeGreaterThan(50);
});
