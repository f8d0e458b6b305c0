import { describe, expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";
import { Agent, executeToolCalls, run, tool, type RunState } from "skein";
import { ScriptedModel } from "skein/testing";
import {
  type Team,
  amounts,
  decide,
  failure,
  idsOf,
  look,
  pay,
  resultsOf,
  stored,
  team,
  textsOf,
} from "./test-clerk.ts";

describe("what a person changes", () => {
  test("is what is executed; the history keeps the model's call, and the model sees the change", async () => {
    const { agent, model, done } = team([{ toolCalls: [pay(500)] }, "Paid."]);
    const paused = await run(agent, "go");
    const resumed = await run(
      agent,
      stored(paused.state),
      decide(paused, "approve", { arguments: { amount: 50 } }),
    );
    expect(done).toEqual(["pay 50"]);
    expect(textsOf(resumed)).toEqual([
      '1 done | Note: a person approved this call with other arguments: {"amount":50}',
    ]);
    expect(model.requests[1]?.messages[1]).toMatchObject({ toolCalls: [{ arguments: '{"amount":500}' }] });
  });

  test("is read as a model's arguments are, JSON too", async () => {
    const { agent, done } = team([{ toolCalls: [pay(500)] }, "Paid."]);
    const paused = await run(agent, "go");
    await run(agent, paused.state, decide(paused, "approve", { arguments: '{"amount": "50"}' }));
    expect(done).toEqual(["pay 50"]);
  });

  test("must fit the schema: else nothing is executed, and the state can be used again", async () => {
    const { agent, done } = team([{ toolCalls: [pay(1), pay(2)] }, "Done."]);
    const paused = await run(agent, "go");
    const [one = "", two = ""] = idsOf(paused);
    const error = await failure(
      run(agent, stored(paused.state), {
        approvals: [
          { approvalId: one, decision: "approve" },
          { approvalId: two, decision: "approve", arguments: { amount: "lots" } },
        ],
      }),
    );
    expect(error.message).toMatch(/gives to pay are wrong: \$\.amount expected a number/);
    expect(done).toEqual([]);
    expect(await run(agent, error.state ?? "", decide(paused))).toMatchObject({ status: "completed" });
    // Side by side: which of them is first is not promised.
    expect(done.toSorted()).toEqual(["pay 1", "pay 2"]);
  });
});

describe("edited arguments that JSON cannot carry", () => {
  test.each([
    ["a number that is none", { amount: Number.NaN }, "arguments.amount is NaN"],
    ["a promise", Promise.resolve({ amount: 50 }), "arguments is a Promise"],
    ["a map", new Map([["amount", 50]]), "arguments is a Map"],
    ["inherited ones", Object.create({ amount: 50 }) as object, "arguments is"],
    ["a bigint", { amount: 50n }, "arguments.amount is a bigint"],
    ["a function", () => ({ amount: 50 }), "arguments is a function"],
  ])("are refused, and nothing is executed: %s", async (_, edited, problem) => {
    const { agent, done } = team([{ toolCalls: [pay(500)] }, "Paid."]);
    const paused = await run(agent, "go");
    const error = await failure(run(agent, paused.state, decide(paused, "approve", { arguments: edited })));
    expect(error).toMatchObject({ code: "invalid-input" });
    expect(error.message).toContain(`are not JSON data: ${problem}`);
    expect(done).toEqual([]);
  });

  test("null is refused: it may be what a program made of an edit", async () => {
    const { agent, done } = team([{ toolCalls: [pay(500)] }, "Paid."]);
    const paused = await run(agent, "go");
    const error = await failure(
      run(agent, paused.state, decide(paused, "approve", { arguments: null as never })),
    );
    expect(error).toMatchObject({ code: "invalid-input" });
    expect(done).toEqual([]);
  });
});

describe("a decision", () => {
  test.each(["args", "argumnts", "toolCall", "__proto__"])(
    "with an unknown field %s is refused: it may be what was to be changed",
    async (field) => {
      const { agent, done } = team([{ toolCalls: [pay(500)] }]);
      const paused = await run(agent, "go");
      const [approvalId = ""] = idsOf(paused);
      const text = `[{"approvalId": "${approvalId}", "decision": "approve", "${field}": {"amount": 50}}]`;
      const error = await failure(run(agent, paused.state, { approvals: JSON.parse(text) as never }));
      expect(error).toMatchObject({ code: "invalid-input" });
      expect(error.message).toContain(`has no field "${field}"`);
      expect(done).toEqual([]);
    },
  );

  test.each([
    [
      "for an id that is not pending",
      [{ approvalId: "x", decision: "approve" }],
      /"x", which is not pending \(pending: [0-9a-f]{64} \(pay\)\)/,
    ],
    ["that is neither yes nor no", [{ approvalId: "x", decision: "yes" }], /"approve" \| "deny"/],
    ["without an id", [{ decision: "approve" }], /approvalId/],
    ["that is none", [null], /approvalId/],
    ["outside a list", { approvalId: "x", decision: "approve" }, /must be an array of decisions/],
  ])("%s is an error", async (_, approvals, message) => {
    const { agent, done } = team([{ toolCalls: [pay(5)] }]);
    const paused = await run(agent, "go");
    const error = await failure(run(agent, paused.state, { approvals: approvals as never }));
    expect(error.message).toMatch(message);
    expect(done).toEqual([]);
  });

  test("is used once for each call, and never for a call that did not request it", async () => {
    const { agent, done } = team([{ toolCalls: [pay(5)] }]);
    const paused = await run(agent, "go");
    const { approvals } = decide(paused);
    const twice = await failure(run(agent, paused.state, { approvals: [...approvals, ...approvals] }));
    expect(twice.message).toContain("decides twice");
    const fresh = await failure(run(agent, "go", { approvals }));
    expect(fresh.message).toContain("(pending: none)");
    const unexecuted = await failure(run(agent, paused.state, { approvals, executeTools: false }));
    expect(unexecuted.message).toContain("executeTools: false");
    expect(done).toEqual([]);
  });

  test("is needed before a result may come from elsewhere", async () => {
    const { agent, done } = team([{ toolCalls: [pay(5)] }, "Paid."]);
    const paused = await run(agent, "go");
    const results = [{ toolCallId: "call_1", content: "paid by hand" }];
    for (const options of [{ results }, { results, ...decide(paused) }]) {
      const error = await failure(run(agent, paused.state, options));
      expect(error.message).toContain("waits for something else. Pass options.approvals for");
    }
    expect(done).toEqual([]);
  });

  test("can still be made after a resumption that executes nothing", async () => {
    const { agent, done } = team([{ toolCalls: [pay(5)] }, "Paid."]);
    const paused = await run(agent, "go");
    const again = await run(agent, stored(paused.state), { executeTools: false });
    await run(agent, stored(again.state), decide(again));
    expect(done).toEqual(["pay 5"]);
  });
});

describe("with other policies", () => {
  test("a journal remembers an approved call apart from the same call while it waits", async () => {
    const journal = memoryJournal();
    const { steps } = journal;
    const { agent, model, done } = team([{ toolCalls: [pay(5), look] }, "Paid."]);
    const paused = await run(agent, "go", { journal });
    expect([...steps.keys()]).toEqual(["run", "turn-1/model", "turn-1/tool/call_2", "turn-1/tool/call_1"]);
    const options = { ...decide(paused), journal };
    expect((await run(agent, stored(paused.state), options)).text).toBe("Paid.");
    expect((await run(agent, stored(paused.state), options)).text).toBe("Paid.");
    expect(done).toEqual(["look", "pay 5"]);
    expect(model.requests).toHaveLength(2);
    expect([...steps.keys()]).toContain("turn-1/tool/call_1/decided");
    const again = await run(agent, "go", { journal });
    expect(again.pending).toEqual(paused.pending);
    expect((await run(agent, stored(again.state), { ...decide(again), journal })).text).toBe("Paid.");
    expect(done).toEqual(["look", "pay 5"]);
  });

  test("a result that is cached still needs approval", async () => {
    const { agent, done } = team([{ toolCalls: [pay(5)] }, { toolCalls: [pay(5)] }, "Done."], {
      approval: true,
      cache: { scope: "shared" },
    });
    const first = await run(agent, "go");
    const second = await run(agent, stored(first.state), decide(first));
    expect(second.status).toBe("paused");
    const third = await run(agent, stored(second.state), decide(second, "deny"));
    expect(resultsOf(third)).toMatchObject([{ outcome: "denied" }]);
    expect(done).toEqual(["pay 5"]);
  });

  test("a deadline and retries hold for the call, not for the decision", async () => {
    let tries = 0;
    const { agent } = team([{ toolCalls: [pay(5)] }, "Done."]);
    const flaky = tool({
      name: "pay",
      input: amounts,
      approval: true,
      timeout: 1_000,
      retries: { times: 2, delay: 1, when: () => true },
      execute: () => {
        if (++tries < 3) throw new Error("busy");
        return "paid";
      },
    });
    const cashier = agent.with({ tools: [flaky] });
    const paused = await run(cashier, "go");
    expect(tries).toBe(0);
    expect(resultsOf(await run(cashier, paused.state, decide(paused)))).toMatchObject([
      { outcome: "success" },
    ]);
    expect(tries).toBe(3);
  });
});

describe("nothing is executed without approval", () => {
  test("that one tool calls on behalf of another, approved itself or not", async () => {
    const { agent, done } = team([{ toolCalls: [{ toolName: "outer" }] }, "I see."]);
    const outer = tool({
      name: "outer",
      input: { type: "object", properties: {} },
      approval: true,
      execute: (_, { call }) => call("pay", { amount: 5 }),
    });
    const boss = agent.with({ tools: [outer, ...(agent.tools as [])] });
    const paused = await run(boss, "go");
    const again = await run(boss, paused.state, decide(paused));
    expect(done).toEqual([]);
    expect(again).toMatchObject({
      status: "paused",
      pending: [{ toolName: "pay", parentToolCallId: "call_1" }],
    });
  });

  test("that an agent used as a tool would do", async () => {
    const { agent: inner, done } = team([{ toolCalls: [pay(5)] }]);
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "clerk", arguments: { input: "Pay 5" } }] }]);
    const paused = await run(new Agent({ name: "Boss", model, tools: [inner.asTool()] }), "go");
    expect(done).toEqual([]);
    expect(paused).toMatchObject({ status: "paused", pending: [{ toolName: "pay", agent: "Clerk" }] });
  });

  test("outside a run", async () => {
    const { agent, done } = team([]);
    const call = { toolCallId: "1", toolName: "pay", arguments: '{"amount":5}' };
    const [result] = await executeToolCalls([call], agent.tools);
    expect([result?.outcome, done]).toEqual(["not-executed", []]);
  });
});

describe("a call that refers to the result of another", () => {
  const transfer = { toolName: "pay", arguments: { amount: { $result: "1" } } };
  const count = tool({ name: "count", input: { type: "object", properties: {} }, execute: () => 7 });

  function counting(): Team {
    const { agent, done } = team([]);
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "count" }, transfer] }, "Paid."]);
    return { agent: agent.with({ model, tools: [count, ...(agent.tools as [])] }), model, done };
  }

  test("is approved with the result in it", async () => {
    const { agent, done } = counting();
    const inputs: unknown[] = [];
    const paused = await run(agent, "go", {
      onEvent: (event) => event.type === "approval-request" && inputs.push(event.input),
    });
    expect([inputs, done]).toEqual([[{ amount: 7 }], []]);
    const resumed = await run(agent, stored(paused.state), decide(paused));
    expect([resumed.text, done]).toEqual(["Paid.", ["pay 7"]]);
  });

  test("requests approval again if that result is another one", async () => {
    const { agent, done } = counting();
    const paused = await run(agent, "go");
    const state: RunState = JSON.parse(
      JSON.stringify(paused.state).replace('"structuredContent":7', '"structuredContent":700'),
    );
    const again = await run(agent, state, decide(paused));
    expect([again.status, done]).toEqual(["paused", []]);
    expect(idsOf(again)).not.toEqual(idsOf(paused));
  });
});

test("a reason that is null counts as left out, and one that is not a text is an error before anything is executed", async () => {
  const { agent, done } = team([{ toolCalls: [pay(1), pay(2)] }, "Done."]);
  const paused = await run(agent, "go");
  const [one = "", two = ""] = idsOf(paused);
  const deciding = (reason: unknown): Promise<unknown> => {
    // What a program read from JSON has no type.
    const approvals: never[] = JSON.parse(
      JSON.stringify([
        { approvalId: one, decision: "approve" },
        { approvalId: two, decision: "deny", reason },
      ]),
    );
    return run(agent, stored(paused.state), { approvals });
  };
  for (const reason of [5, {}, ["no"], false])
    await expect(deciding(reason)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("reason"),
    });
  expect(done).toEqual([]);
  expect(await deciding(null)).toMatchObject({ status: "completed" });
  expect(done).toEqual(["pay 1"]);
});
