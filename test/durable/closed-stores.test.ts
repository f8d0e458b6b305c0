import { memoryStore, sqliteStore } from "skein/durable";
import { expect, test } from "vitest";
import { newFile, until } from "./test-runs.ts";

const newRun = (id: string) => ({
  id,
  log: id,
  agent: "A",
  priority: 0,
  data: { request: { input: [] }, inbox: [] },
});

test.each([
  ["sqliteStore()", () => sqliteStore(newFile())],
  ["memoryStore()", () => memoryStore()],
])("a closed %s opens again when it is used, and reports changes again", async (_, open) => {
  const store = open();
  for (const id of ["first", "second"]) {
    const changed: (string | undefined)[] = [];
    const stop = store.watch((each) => changed.push(each));
    await store.create([newRun(id)]);
    await until(() => changed.includes(id));
    stop();
    await store.close();
    await store.close();
  }
  expect([await store.read("first"), await store.read("second")]).toMatchObject([
    { id: "first" },
    { id: "second" },
  ]);
  await store.close();
});
