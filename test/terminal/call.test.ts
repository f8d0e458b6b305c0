/** `skein call` in a real terminal, which tmux types into and looks at. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { installTmux, openTerminal, type Terminal } from "./terminal.ts";

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

/** Calls `pay` in a terminal, once a text has been typed there, and says with which exit code it left. */
async function callPay(typedAhead?: string): Promise<Terminal> {
  const command = `'${process.execPath}' --import ./test/from-source.ts src/cli/bin.ts call ${join(folder, "tools.ts")}`;
  const call = `${command} pay '{"to": "Eve\u202E", "amount": 7}'; echo "left with $?"; exec cat`;
  const wait = "echo ready; while [ ! -e go ]; do sleep 0.05; done; rm go;";
  const terminal = await openTerminal(
    typedAhead === undefined ? call : `cd '${folder}'; ${wait} cd '${root}'; ${call}`,
    {
      cwd: root,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, LANG: "C.UTF-8" },
    },
  );
  if (typedAhead !== undefined) {
    await terminal.see("ready");
    await terminal.type(typedAhead);
    await terminal.press("Enter");
    await terminal.see(typedAhead);
    await writeFile(join(folder, "go"), "");
  }
  return terminal;
}

const question = 'Approve pay(to: "Eve\\u202e", amount: 7)? (y, or n)';

test.skipIf(!hasTmux).each([
  ["y", "Paid 7 to Eve", "left with 0"],
  ["n", "pay was not called: it needs approval.", "left with 1"],
])("a call is shown with its arguments before it is approved: %s", async (answer, outcome, exit) => {
  const terminal = await callPay();
  try {
    await terminal.see(question);
    await terminal.type(answer);
    await terminal.press("Enter");
    expect(await terminal.see(exit)).toContain(outcome);
  } finally {
    await terminal.close();
  }
});

test.skipIf(!hasTmux)("what was entered before a call was shown does not approve it", async () => {
  const terminal = await callPay("yes");
  try {
    expect(await terminal.see(question)).toContain("Entered before this was asked, and ignored: yes");
    await terminal.press("C-d");
    const screen = await terminal.see("left with 1");
    expect(screen).toContain("pay was not called: it needs approval.");
    expect(screen).not.toMatch(/Paid|Error/);
  } finally {
    await terminal.close();
  }
});

test.skipIf(!hasTmux)("a yes that was typed and not entered approves nothing", async () => {
  const terminal = await callPay();
  try {
    await terminal.see(question);
    await terminal.type("y");
    // The first hands over what was typed of the line, the second ends the input.
    await terminal.press("C-d", "C-d");
    expect(await terminal.see("left with 1")).not.toContain("Paid");
  } finally {
    await terminal.close();
  }
});
