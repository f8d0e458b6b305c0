/** Notes are for the model that reads a result: they are not part of the value that calls, tools and the run's output get. */
import {
  Agent,
  result,
  run,
  type RunOptions,
  tool,
  type Tool,
  type ToolContext,
  type ToolPolicy,
} from "skein";
import { FunctionModel, ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { decide as decideAll, empty, keepers, plain } from "./test-nested.ts";
import { resultsOf, textsOf } from "./test-clerk.ts";

const sent: unknown[] = [];
beforeEach(() => void (sent.length = 0));

const create = tool({
  name: "create",
  input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  approval: true,
  execute: ({ amount }: { amount: number }) => `INV-${amount}`,
});
const send = tool({
  name: "send",
  input: { type: "object", properties: { id: {} }, required: ["id"] },
  execute: ({ id }: { id: unknown }) => {
    sent.push(id);
    return "sent";
  },
});

function through(name: string, inner: string): Tool {
  return tool({
    name,
    input: empty,
    execute: async (_: unknown, { call }: ToolContext) => {
      sent.push(await call(inner, { amount: 5 }));
      return sent.at(-1);
    },
  });
}

const decide: typeof decideAll = (...options) =>
  decideAll(...options).filter(({ approvalId }) => approvalId !== "");

const creating = { toolName: "create", arguments: { amount: 5 } };
const sending = (target: string): ScriptedToolCall => ({
  toolName: "send",
  arguments: { id: { $result: target } },
});

/** Makes the calls of each list in an answer of its own. */
function agentOf(answers: readonly (readonly ScriptedToolCall[])[], tools: readonly Tool[]): () => Agent {
  const model = new FunctionModel(({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const toolCalls = answers[turn]?.map((call, index) => ({
      toolCallId: `call_${turn}_${index}`,
      ...call,
    }));
    return toolCalls ? { toolCalls } : "Done.";
  });
  return () => new Agent({ name: "Clerk", model, tools });
}

const note = 'Note: a person approved this call with other arguments: {"amount":7}';

describe("what a person edited", () => {
  const shapes: readonly (readonly [string, () => Agent, number])[] = [
    ["in the same answer", agentOf([[creating, sending("create")]], [create, send]), 1],
    ["in a later answer", agentOf([[creating], [sending("call_0_0")]], [create, send]), 1],
    ["of a tool", agentOf([[{ toolName: "wrap" }]], [through("wrap", "create"), create]), 1],
    [
      "of a tool within a tool",
      agentOf(
        [[{ toolName: "outer" }, sending("outer")]],
        [through("outer", "wrap"), through("wrap", "create"), create, send],
      ),
      3,
    ],
  ];
  describe.each(shapes)("is not part of the value that a call gets, %s", (_shape, boss, times) => {
    test.each(keepers)("with %s", async (_keeper, optionsOf) => {
      const options: RunOptions = optionsOf();
      const paused = await run(boss(), "go", options);
      const approvals = decide(paused, "approve", { arguments: { amount: 7 } });
      const input = "session" in options ? [] : plain(paused.state);
      const done = await run(boss(), input, { ...options, approvals });
      expect(done.status).toBe("completed");
      expect(sent).toEqual(Array.from({ length: times }, () => "INV-7"));
    });
  });

  test("is not part of it after the run was stored once more", async () => {
    const boss = agentOf([[creating], [{ ...creating }, sending("call_0_0")]], [create, send]);
    const first = await run(boss(), "go");
    const approvals = decide(first, "approve", { arguments: { amount: 7 } });
    const second = await run(boss(), plain(first.state), { approvals });
    expect(sent).toEqual(["INV-7"]);
    expect(JSON.stringify(second.state.messages)).toContain("a person approved this call");
    const third = await run(boss(), plain(second.state), { approvals: decide(second) });
    expect([third.status, sent]).toEqual(["completed", ["INV-7"]]);
  });

  test("is read by the model whose call it is", async () => {
    const boss = agentOf([[creating]], [create]);
    const paused = await run(boss(), "go");
    const approvals = decide(paused, "approve", { arguments: { amount: 7 } });
    expect(textsOf(await run(boss(), paused.state, { approvals }))).toEqual([`INV-7 | ${note}`]);
  });
});

describe("what could not be written or applied", () => {
  const odd = (policy: ToolPolicy): Tool =>
    tool({
      name: "odd",
      input: empty,
      ...policy,
      execute: () => ({ ratio: Number.NaN, rows: "row ".repeat(50) }),
    });
  const value = { ratio: "NaN", rows: "row ".repeat(50) };

  test("is noted for the model, and not for calls, also of a result that is cut", async () => {
    for (const policy of [{}, { maxResultChars: 60 }]) {
      sent.length = 0;
      const boss = agentOf(
        [[{ toolName: "odd" }, sending("odd")], [sending("call_0_0/ratio")]],
        [odd(policy), send],
      );
      const { status, messages } = await run(boss(), "go");
      expect([status, sent]).toEqual(["completed", [value, "NaN"]]);
      expect(textsOf({ messages })[0]).toContain("$.ratio is NaN");
    }
  });

  test("is not part of a run's output", async () => {
    const boss = agentOf([[{ toolName: "odd" }]], [odd({ final: true })]);
    const { text } = await run(boss(), "go");
    expect(JSON.parse(text)).toEqual(value);
  });

  const unapplied = (mask = false): Tool =>
    tool({
      name: "unapplied",
      input: empty,
      mask,
      execute: () => result({ value: "INV-1", context: "none" as never }),
    });

  test("is not part of a text: for calls, masks and checks", async () => {
    const answers = [[{ toolName: "unapplied" }, sending("unapplied"), { toolName: "wrap" }]];
    const boss = agentOf(answers, [unapplied(), send, through("wrap", "unapplied")]);
    const done = await run(boss(), "go");
    expect(sent).toEqual(["INV-1", "INV-1"]);
    expect(textsOf(done)[0]).toMatch(/^INV-1 \| Note: this result stands/);
    const masked = agentOf(answers, [unapplied(true), send, through("wrap", "unapplied")]);
    sent.length = 0;
    await run(masked(), "go");
    expect(sent).toEqual(["INV-1"]);
  });

  test("is not checked against the output schema", async () => {
    const checked = tool({
      name: "unapplied",
      input: empty,
      output: { type: "string", pattern: "^INV-[0-9]+$" },
      validateOutput: true,
      execute: () => result({ value: "INV-1", context: "none" as never }),
    });
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "unapplied" }] }, "Done."]);
    const done = await run(new Agent({ name: "A", model, tools: [checked] }), "go");
    expect(resultsOf(done)).toMatchObject([{ outcome: "success" }]);
  });

  test("an image that is too large is not part of the text beside it", async () => {
    const image = { type: "image", url: `data:image/png;base64,${"A".repeat(40_000_000)}` } as const;
    const draw = tool({
      name: "draw",
      input: empty,
      execute: () => result({ content: [{ type: "text", text: "a cat" }, image] }),
    });
    const boss = agentOf([[{ toolName: "draw" }, sending("draw")]], [draw, send]);
    const done = await run(boss(), "go");
    expect(sent).toEqual(["a cat"]);
    expect(textsOf(done)[0]).toContain("left out");
  });
});
