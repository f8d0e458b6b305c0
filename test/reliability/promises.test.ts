import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const page = fileURLToPath(new URL("../../docs/reliability.md", import.meta.url));

test("every promise of the page is linked to its test, and every test of this folder to its promise", async () => {
  const lines = (await readFile(page, "utf8")).split("\n").filter((line) => line.startsWith("- "));
  const linked = lines.map((line) => /→ \[test\]\(\.\.\/test\/reliability\/(\S+)\)$/.exec(line)?.[1] ?? line);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".test.ts"));
  expect(linked.toSorted()).toEqual(files.filter((file) => file !== "promises.test.ts").toSorted());
});
