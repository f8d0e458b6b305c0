import { TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeEach, expect, test } from "vitest";
import { traceAll } from "skein/tracing";
import { registerSdk } from "./recorded-spans.ts";
import { scriptedRuns } from "./scripted-runs.ts";

const { recorder, unregister } = registerSdk(
  (processor) => new TracerProvider({ spanProcessors: [processor] }),
);
const end = traceAll();
beforeEach(() => recorder.clear());
afterAll(() => {
  end();
  unregister();
});

test.each(Object.entries(scriptedRuns))("the spans of %s", async (_name, { run, tree }) => {
  await run();
  expect(`\n${recorder.tree()}`).toBe(tree);
  expect(recorder.open).toBe(0);
  expect(recorder.complaints).toEqual([]);
});
