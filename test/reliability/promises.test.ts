import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const page = new URL("../../docs/reliability.md", import.meta.url);

test("every promise of the page is linked to its test, and every test of this folder to its promise", async () => {
  const lines = (await readFile(page, "utf8")).split("\n").filter((line) => line.startsWith("- "));
  const linked = lines.map((line) => / → \[test\]\((\.\.\/\S+\.test\.ts)\)$/.exec(line)?.[1] ?? line);
  for (const path of linked) expect(existsSync(new URL(path, page)), path).toBe(true);
  const own = (await readdir(folder)).filter(
    (file) => file.endsWith(".test.ts") && file !== "promises.test.ts",
  );
  const paths = linked.filter((path) => path.startsWith("../test/reliability/"));
  expect(paths.map((path) => basename(path)).toSorted()).toEqual(own.toSorted());
});
