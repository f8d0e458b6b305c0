/** A call that has only waited is said to be not executed, also after a pause: "may have taken effect" is for what may have. */
import { expect, test } from "vitest";
import { Agent, type RunOptions, type RunResult, type Session, run, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { memoryJournal } from "./test-journal.ts";

const anything = { type: "object", properties: { x: {} } } as const;
const paid: unknown[] = [];
const bill = tool({ name: "bill", input: anything, approval: true, execute: () => ({ no: 7 }) });
const ask = tool({ name: "ask", input: anything });
const secret = tool({ name: "secret", input: anything, mask: true, execute: () => "s3cret" });
const pay = tool({
  name: "pay",
  input: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
  execute: ({ x }: { x: number }) => void paid.push(x),
});

/** Calls `toolName`, and `pay` with a reference to its result or with other arguments. */
function agentCalling(toolName: string, x: unknown): Agent {
  const toolCalls = [
    { toolName, toolCallId: "c1" },
    { toolName: "pay", toolCallId: "c2", arguments: JSON.stringify({ x }) },
    { toolName: "pay", toolCallId: "c3", arguments: '{"x":{"$result":"c2"}}' },
  ];
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant") ? "Done." : { toolCalls },
  );
  return new Agent({ name: "A", model, tools: [bill, ask, secret, pay] });
}

const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a state", () => ({})],
  ["a session", () => ({ session: memorySession() })],
  ["a journal", () => ({ journal: memoryJournal() })],
];

function resume(agent: Agent, paused: RunResult, options: RunOptions): Promise<RunResult> {
  return run(agent, options.session ? [] : JSON.parse(JSON.stringify(paused.state)), options);
}

function resultOf({ state }: RunResult, id: string): readonly unknown[] {
  const result = state.messages.flatMap((message) =>
    message.role === "tool" && message.result.toolCallId === id ? [message.result] : [],
  )[0];
  const [part] = result?.content ?? [];
  return [result?.outcome, part?.type === "text" ? part.text.split("\n")[0] : ""];
}

const notCalled = (id: string): readonly unknown[] => [
  "not-executed",
  `pay was not called: its arguments refer to ${id}, which failed.`,
];
const invalid = ["invalid-arguments", "pay was not called, because its arguments are invalid:"];

test.each(keepers)(
  "a call that waited for one which was denied was not called, with %s",
  async (_title, optionsOf) => {
    const options = optionsOf();
    const agent = agentCalling("bill", { $result: "c1/no" });
    const paused = await run(agent, "Pay", options);
    const approvals = paused.pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "deny" as const }],
    );
    const done = await resume(agent, paused, { ...options, approvals });
    expect([resultOf(done, "c2"), resultOf(done, "c3"), paid]).toEqual([
      notCalled("c1"),
      notCalled("c2"),
      [],
    ]);
  },
);

test("a call that waited for one made elsewhere which failed was not called", async () => {
  const agent = agentCalling("ask", { $result: "c1" });
  const paused = await run(agent, "Pay");
  const results = [{ toolCallId: "c1", content: "no", isError: true }];
  const done = await resume(agent, paused, { results });
  expect([resultOf(done, "c2"), resultOf(done, "c3"), paid]).toEqual([invalid, notCalled("c2"), []]);
});

test.each(
  keepers.flatMap(([title, optionsOf]) =>
    (["bill", "ask"] as const).flatMap((toolName) =>
      ["c1/nowhere", "unknown"].map(($result) => [toolName, $result, title, optionsOf] as const),
    ),
  ),
)(
  "a call that waited for %s with a reference that leads nowhere (%s) was not called, with %s",
  async (toolName, $result, _title, optionsOf) => {
    const options = optionsOf();
    // The last has a reference that can be followed, and waits for that call.
    const agent = agentCalling(toolName, [{ $result }, { $result: "c1" }]);
    const paused = await run(agent, "Pay", options);
    const approvals = paused.pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
    );
    const results = toolName === "ask" ? [{ toolCallId: "c1", content: { no: 7 } }] : [];
    const done = await resume(agent, paused, {
      ...options,
      ...(results.length > 0 ? { results } : { approvals }),
    });
    expect([resultOf(done, "c2"), resultOf(done, "c3"), paid]).toEqual([invalid, notCalled("c2"), []]);
  },
);

test("a call that waited for one whose result does not fit was not called", async () => {
  const agent = agentCalling("ask", { $result: "c1" });
  const paused = await run(agent, "Pay");
  const done = await resume(agent, paused, { results: [{ toolCallId: "c1", content: "seven" }] });
  expect([resultOf(done, "c2"), resultOf(done, "c3"), paid]).toEqual([invalid, notCalled("c2"), []]);
});

test.each([["five"], [{ $result: "c3" }], [{ $result: "c1" }]])(
  "wrong arguments %j are corrected also where the call was left to the program first",
  async (x) => {
    const agent = agentCalling("secret", x);
    const paused = await run(agent, "Pay", { executeTools: false });
    const done = await resume(agent, paused, {});
    expect([resultOf(done, "c2"), paid]).toEqual([invalid, []]);
  },
);

test("calls that each refer to two others are told apart in linear time after a crash", async () => {
  const refer = (index: number): object =>
    index === 0 ? {} : { x: [1, 2].map((back) => ({ $result: `c${Math.max(0, index - back)}` })) };
  const toolCalls = Array.from({ length: 100 }, (_, index) => ({
    toolName: index === 0 ? "charge" : "pay",
    toolCallId: `c${index}`,
    arguments: JSON.stringify(refer(index)),
  }));
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant") ? "Done." : { toolCalls },
  );
  const session = memorySession();
  let attempts = 0;
  const charge = tool({
    name: "charge",
    input: anything,
    execute: () => {
      if ((attempts += 1) > 1) throw new Error("The card is declined.");
    },
  });
  const agent = new Agent({ name: "A", model, tools: [charge, pay] });
  const append: Session["append"] = async (entries) => {
    if (attempts > 0) throw new Error("crash");
    await session.append(entries);
  };
  await expect(run(agent, "Pay", { session: { ...session, append } })).rejects.toThrow("crash");
  const done = await run(agent, [], { session });
  expect(resultOf(done, "c0")[0]).toBe("error");
  expect(resultOf(done, "c99")).toEqual([
    "cancelled",
    expect.stringContaining("its arguments refer to c98, which failed. It may or may not have taken effect"),
  ]);
});
