import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { brokenModels, leftovers, linesAnswer, soundAdapter, stop } from "./fixtures/broken-models.ts";
import { assertConformance, checkModel } from "./index.ts";

beforeAll(() => {
  const headers = { "content-type": "text/event-stream" };
  vi.stubGlobal("fetch", async () => new Response(linesAnswer, { headers }));
});
afterAll(() => {
  vi.unstubAllGlobals();
  stop.abort();
  for (const timer of leftovers) clearTimeout(timer);
});

test("a small adapter without a fault passes", async () => {
  assertConformance(await checkModel(soundAdapter, { seed: 7 }));
});

test.each(brokenModels)("a model that %s is found by the check %s", async (_, check, says, model) => {
  const report = await checkModel(model, { timeout: 250, runs: 8 });
  expect(report.passed).toBe(false);
  const found = report.failures.filter((failure) => failure.check === check);
  expect(found.map(({ message }) => message).join("\n")).toContain(says);
  expect(() => assertConformance(report)).toThrow(`${check}: `);
});

test("the same seed finds the same", async () => {
  const [, , , cut] = brokenModels.find(([fault]) => fault.startsWith("takes a cut")) ?? [];
  if (!cut) throw new Error("there is no such model");
  const [first, again, other] = [
    await checkModel(cut, { seed: 3 }),
    await checkModel(cut, { seed: 3 }),
    await checkModel(cut, { seed: 4 }),
  ];
  expect(again).toEqual(first);
  expect(other?.failures).not.toEqual(first?.failures);
});
