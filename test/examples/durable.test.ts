import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = new URL("../../examples/durable/", import.meta.url);
const fromSource = fileURLToPath(new URL("../from-source.ts", import.meta.url));

test("the demonstration prints what its page says: one payment, whatever dies", async () => {
  const demo = fileURLToPath(new URL("demo.ts", folder));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", fromSource, demo]);
  const [, said = ""] =
    /```\n(The run[^`]*)```/.exec(readFileSync(new URL("README.md", folder), "utf8")) ?? [];
  expect(stdout).toBe(said);
});
