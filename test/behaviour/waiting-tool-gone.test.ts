/** A call waits for a decision, and a program without its tool resumes the run: nothing is lost. */
import { beforeEach, expect, test } from "vitest";
import {
  Agent,
  run,
  type RunInput,
  type RunOptions,
  type RunResult,
  tool,
  toolset,
  type ToolSource,
} from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";

const amounts: number[] = [];
const pay: ToolSource = tool(
  function pay(amount: number) {
    amounts.push(amount);
    return "paid";
  },
  { approval: true },
);

beforeEach(() => void amounts.splice(0));

function clerk(
  tools: readonly ToolSource[],
  ...answers: ConstructorParameters<typeof ScriptedModel>[0]
): Agent {
  return new Agent({ name: "Clerk", tools, model: new ScriptedModel(answers) });
}

const payCall = { toolCalls: [{ toolName: "pay", arguments: { amount: 5 } }] };

type Keeper = (first: RunResult) => readonly [RunInput, RunOptions];

const session = memorySession();
const keepers: readonly (readonly [string, Keeper])[] = [
  ["a session", () => [[], { session }]],
  ["a state", (first) => [first.state, {}]],
];

test.each(keepers)(
  "from %s: without a decision it fails, and a program with the tool goes on",
  async (_, resume) => {
    await session.clear?.();
    const [input, options] = resume(await run(clerk([pay], payCall), "Pay 5.", { session }));
    await expect(run(clerk([], "All is paid."), input, options)).rejects.toMatchObject({
      code: "tool-missing",
      message: expect.stringContaining('waits for the tool "pay" of Clerk'),
    });
    const paused = await run(clerk([pay]), input, options);
    expect(paused.status).toBe("paused");
    const [approval] = paused.state.approvals ?? [];
    const approvals = [{ approvalId: approval?.approvalId ?? "", decision: "approve" as const }];
    expect(await run(clerk([pay], "Done."), input, { ...options, approvals })).toMatchObject({
      text: "Done.",
    });
    expect(amounts).toEqual([5]);
  },
);

test("another tool of the same name is none: the message says where its own is from", async () => {
  const { state } = await run(clerk([toolset([pay], "bank")], payCall), "Pay 5.");
  await expect(run(clerk([pay]), state)).rejects.toMatchObject({
    code: "tool-missing",
    message: expect.stringContaining('the tool "pay" of Clerk, from the toolset "bank", which'),
  });
});

test.each(keepers)("from %s: a person can still decide against it", async (_, resume) => {
  await session.clear?.();
  const first = await run(clerk([pay], payCall), "Pay 5.", { session });
  const [input, options] = resume(first);
  const [approval] = first.state.approvals ?? [];
  const approvals = [{ approvalId: approval?.approvalId ?? "", decision: "deny" as const }];
  const denied = await run(clerk([], "Not paid."), input, { ...options, approvals });
  expect(denied.messages[0]).toMatchObject({ role: "tool", result: { outcome: "denied" } });
  expect(amounts).toEqual([]);
});

test.each(keepers)(
  "from %s: nor is a call closed without a decision, beside others that have one",
  async (_, resume) => {
    await session.clear?.();
    const mail = tool(
      function mail(to: string) {
        return `sent to ${to}`;
      },
      { approval: true },
    );
    const both = { toolCalls: [...payCall.toolCalls, { toolName: "mail", arguments: { to: "Ann" } }] };
    const first = await run(clerk([pay, mail], both), "Pay 5 and say so.", { session });
    const [input, options] = resume(first);
    const approvals = [
      { approvalId: first.state.approvals?.[0]?.approvalId ?? "", decision: "approve" as const },
    ];
    for (const passed of [[], approvals])
      await expect(run(clerk([pay]), input, { ...options, approvals: passed })).rejects.toMatchObject({
        code: "tool-missing",
      });
    expect(amounts).toEqual([]);
    const paused = await run(clerk([pay, mail]), input, { ...options, approvals });
    expect([paused.pending.map(({ toolName }) => toolName), amounts]).toEqual([["mail"], [5]]);
  },
);
