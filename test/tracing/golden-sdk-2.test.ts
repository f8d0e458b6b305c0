/** The spans of the scripted runs with the SDK before 3.0, which is made for the API 1.9. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { TracerProvider } from "@opentelemetry/api";
import { afterAll, beforeEach, expect, test } from "vitest";
import { traceAll } from "skein/tracing";
import { installOnce } from "../consumer.ts";
import { registerSdk, type SpanRecorder } from "./recorded-spans.ts";
import { scriptedRuns } from "./scripted-runs.ts";

/** What is used of it. */
interface EarlierSdk {
  readonly BasicTracerProvider: new (options: {
    readonly spanProcessors: readonly SpanRecorder[];
  }) => TracerProvider;
}

const folder = fileURLToPath(new URL("sdk-2", import.meta.url));
const require = createRequire(`${folder}/package.json`);
const place = `${folder}/node_modules/@opentelemetry/sdk-trace-base`;
await installOnce(folder, () => existsSync(place));
const { BasicTracerProvider }: EarlierSdk = require(place);

const { recorder, unregister } = registerSdk(
  (processor) => new BasicTracerProvider({ spanProcessors: [processor] }),
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
