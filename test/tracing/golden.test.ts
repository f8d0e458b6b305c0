import { afterAll, expect, test } from "vitest";
import { traceAll } from "skein/tracing";
import { useSdk } from "./current-sdk.ts";
import { scriptedRuns } from "./scripted-runs.ts";

const recorder = useSdk();
afterAll(traceAll());

test.each(Object.entries(scriptedRuns))("the spans of %s", async (_name, { run, tree }) => {
  await run();
  expect(`\n${recorder.tree()}`).toBe(tree);
  expect(recorder.open).toBe(0);
  expect(recorder.complaints).toEqual([]);
});
