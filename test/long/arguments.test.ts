/** The reading of arguments, held to documents nobody thought of: other ones at each run, the seed of a failure is told. */
import { expect, test } from "vitest";
import { properties } from "../../src/schema/lenient/test-properties.ts";

const [valid, ...others] = properties;

test(
  "a hundred thousand valid documents are read as JSON.parse reads them",
  { timeout: 900_000 },
  async () => {
    await expect(valid?.check(100_000)).resolves.toBeUndefined();
  },
);

test.each(others)("20,000 times: $title", { timeout: 900_000 }, async ({ check }) => {
  await expect(check(20_000)).resolves.toBeUndefined();
});
