import { assertConformance, checkStore } from "skein/testing/conformance";
import { memoryStore, sqliteStore } from "skein/durable";
import { test } from "vitest";
import { newFile } from "./test-runs.ts";

test("sqliteStore() keeps what durable runs rely on", async () => {
  const file = newFile();
  assertConformance(await checkStore(() => sqliteStore(file)));
});

test("memoryStore() keeps what durable runs rely on", async () => {
  const store = memoryStore();
  assertConformance(await checkStore(() => store));
});
