import { expect, test } from "vitest";
import { properties } from "./test-properties.ts";

test.each(properties)("$title", async ({ check }) => {
  await expect(check(400, 1)).resolves.toBeUndefined();
});
