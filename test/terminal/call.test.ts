/** `skein call` in a real terminal, which tmux types into and looks at. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { installTmux, openTerminal } from "./terminal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const hasTmux = await installTmux();
if (!hasTmux) console.warn("Skipped: there is no tmux, and it cannot be installed here.");

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-call-"));
  const tools = [
    'import { tool } from "skein";',
    "/** Pay. */",
    "function pay(to: string, amount: number) { return `Paid ${amount} to ${to}`; }",
    "export const guarded = tool(pay, { approval: true });",
  ];
  await writeFile(join(folder, "tools.ts"), tools.join("\n"));
});
afterAll(() => rm(folder, { recursive: true }));

test.skipIf(!hasTmux).each([
  ["y", "Paid 7 to Eve", "left with 0"],
  ["n", "pay was not called: it needs approval.", "left with 1"],
])("a call is shown with its arguments before it is approved: %s", async (answer, outcome, exit) => {
  const command = `'${process.execPath}' --import ./test/from-source.ts src/cli/bin.ts call ${join(folder, "tools.ts")}`;
  const terminal = await openTerminal(
    `${command} pay '{"to": "Eve\u202E", "amount": 7}'; echo "left with $?"; exec cat`,
    {
      cwd: root,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, LANG: "C.UTF-8" },
    },
  );
  try {
    await terminal.see('Approve pay(to: "Eve\\u202e", amount: 7)? (y, or n)');
    await terminal.type(answer);
    await terminal.press("Enter");
    expect(await terminal.see(exit)).toContain(outcome);
  } finally {
    await terminal.close();
  }
});
