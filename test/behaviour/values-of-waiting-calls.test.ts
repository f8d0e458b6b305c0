/** What waits for a decision is stored as plain JSON, whatever values its tool gets. */
import { Agent, run, tool, type RunOptions, type ToolContext } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, type ScriptedToolCall } from "skein/testing";
import { expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";
import { plain } from "./test-nested.ts";

const got: unknown[] = [];

/** Pay cents. */
function pay(cents: bigint, day: Date, rates: Map<string, number>) {
  got.push([cents, day.getUTCFullYear(), rates.get("EUR")]);
  return `paid ${cents}`;
}

/** Write a line. */
function note(text: string) {
  return `noted ${text}`;
}

const values = { cents: "5", day: "2026-01-31T00:00:00Z", rates: { EUR: 2 } };

/** Pay by another tool. */
async function payBill({ call }: ToolContext) {
  return String(await call("pay", values));
}

const calling = (...toolCalls: readonly ScriptedToolCall[]): FunctionModel =>
  new FunctionModel(({ messages }) => (messages.length === 1 ? { toolCalls } : "Done."));
const payTool = tool(pay, { approval: true });
const payCall = { toolName: "pay", arguments: values };
const cashier = new Agent({ name: "Cashier", model: calling(payCall), tools: [payTool] });

const scenes: readonly (readonly [string, readonly ScriptedToolCall[]])[] = [
  ["alone", [payCall]],
  ["that another call refers to", [payCall, { toolName: "note", arguments: { text: { $result: "pay" } } }]],
  ["of an agent within", [{ toolName: "cashier", arguments: { input: "Pay." } }]],
  ["of a tool that calls a tool", [{ toolName: "payBill" }]],
];
const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a session", () => ({ session: memorySession() })],
  ["a journal", () => ({ journal: memoryJournal() })],
];

test.each(scenes.flatMap(([scene, calls]) => keepers.map((keeper) => [scene, ...keeper, calls] as const)))(
  "a call %s waits in %s and gets its values",
  async (_, __, optionsOf, calls) => {
    got.length = 0;
    const inputs: unknown[] = [];
    const options = optionsOf();
    const agent = new Agent({
      name: "Desk",
      model: calling(...calls),
      tools: [payTool, note, payBill, cashier.asTool()],
    });
    const paused = await run(agent, "Pay.", {
      ...options,
      onEvent: (event) => {
        if (event.type === "approval-request") inputs.push(event.input);
      },
    });
    expect(inputs).toEqual([{ cents: 5n, day: new Date("2026-01-31"), rates: new Map([["EUR", 2]]) }]);
    const approvals = paused.pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
    );
    const ended = await run(agent, options.session ? [] : plain(paused.state), { ...options, approvals });
    expect([ended.status, got]).toEqual(["completed", [[5n, 2026, 2]]]);
  },
);
