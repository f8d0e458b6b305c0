import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const page = new URL("../docs/security.md", import.meta.url);

test("every protection on the page of security is linked to its test", async () => {
  const text = await readFile(fileURLToPath(page), "utf8");
  const protections = text.split("\n").filter((line) => line.startsWith("- "));
  expect(protections.length).toBeGreaterThan(15);
  for (const line of protections) {
    const [, path = line] = / → \[test\]\((\S+\.test\.ts)\)$/.exec(line) ?? [];
    expect(existsSync(new URL(path, page)), line).toBe(true);
  }
});
