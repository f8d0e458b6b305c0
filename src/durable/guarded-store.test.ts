import { expect, test } from "vitest";
import { memoryStore } from "./memory/memory-store.ts";
import { guarded } from "./guarded-store.ts";

test("an append that returns a promise is refused, and what the promise rejects with ends nothing", async () => {
  const store = guarded({
    ...memoryStore(),
    append: async () => {
      throw new Error("connection lost");
    },
  });
  const events = { groups: [], progress: { next: 0 } };
  expect(() => store.append?.({ id: "r", owner: "o" }, events)).toThrow(
    "The store of durable runs failed: its append() must add events at once, and returned a promise.",
  );
  await new Promise((resolve) => setImmediate(resolve));
});
