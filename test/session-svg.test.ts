import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { sessionSvg } from "../scripts/session-svg.ts";

test("the README's picture shows what a session prints; if not: node scripts/session-svg.ts", async () => {
  const drawn = await readFile(new URL("../docs/session.svg", import.meta.url), "utf8");
  expect(drawn).toBe(await sessionSvg());
  expect(drawn).toContain("Item 2 (Rain jacket) is refunded");
});
