import { expect, test } from "vitest";
import { mapLimit } from "./map-limit.ts";

test("values are in the order of the items, and no more tasks run at once than the limit", async () => {
  let running = 0;
  let most = 0;
  const values = await mapLimit([5, 1, 3, 2, 4], 2, async (item, index) => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, item));
    running -= 1;
    return `${index}:${item}`;
  });
  expect(values).toEqual(["0:5", "1:1", "2:3", "3:2", "4:4"]);
  expect(most).toBe(2);
});

test("timers get their turn between tasks that never wait", async () => {
  let done = 0;
  let atTimer = Infinity;
  setTimeout(() => (atTimer = done));
  await mapLimit(Array(10_000).fill(0), 4, async () => void done++);
  expect(atTimer).toBeLessThan(2_000);
});

test.each([0, 1, 3])("%i items are mapped, whatever the limit", async (count) => {
  const items = Array.from({ length: count }, (_, index) => index);
  expect(await mapLimit(items, 3, async (item) => item * 2)).toEqual(items.map((item) => item * 2));
});
