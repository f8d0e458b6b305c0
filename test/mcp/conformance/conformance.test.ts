import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const execute = promisify(execFile);
const program = fileURLToPath(new URL("run.ts", import.meta.url));

test("client and server pass every scenario that the official suite requires for both revisions", async () => {
  const { stdout } = await execute(process.execPath, [program], { maxBuffer: 50_000_000 });
  expect(stdout.match(/^Total: \d+ passed/gm)).toHaveLength(4);
}, 600_000);
