/** A model chooses the ids of its calls, and may choose that of a call within a tool: each keeps its own decision and result. */
import { Agent, run, type RunOptions, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { boss, calls, decide, does, effects, empty, keepers, plain } from "./test-nested.ts";

const ask = tool({ name: "ask", description: "Ask the user.", input: empty });

function wrapping(inner: string) {
  return tool({
    name: "wrap",
    input: empty,
    execute: async (_, context) => `within: ${JSON.stringify(await context.call(inner, {}))}`,
  });
}

/** Calls the tool that wraps another, and that one itself, with the id of the call within if it is known. */
function caller(inner: string, id = "other"): Agent {
  const toolCalls = [
    { toolCallId: "c1", toolName: "wrap" },
    { toolCallId: id, toolName: inner },
  ];
  const model = new FunctionModel(({ messages }) => {
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.result.content] : []));
    return results.length === 0 ? { toolCalls } : JSON.stringify(results);
  });
  const gate = does("gate", { approval: true });
  return new Agent({ name: "A", model, tools: [wrapping(inner), gate, ask] });
}

async function idWithin(inner: string): Promise<string> {
  const { pending } = await run(caller(inner), "go");
  const within = pending.find(({ parentToolCallId }) => parentToolCallId === "c1");
  return within?.toolCallId ?? "missing";
}

describe("a call of the model with the id of a call within a tool", () => {
  test.each(keepers)("with %s: has a decision of its own", async (_keeper, optionsOf) => {
    const id = await idWithin("gate");
    const options: RunOptions = optionsOf();
    const paused = await run(caller("gate", id), "go", options);
    expect(new Set(paused.pending.map(({ approvalId }) => approvalId)).size).toBe(2);
    expect(new Set(paused.pending.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    const [first] = decide(paused);
    const resumed = options.session ? [] : plain(paused.state);
    const halfway = await run(caller("gate", id), resumed, { ...options, approvals: first ? [first] : [] });
    expect([halfway.status, halfway.pending.length, effects]).toEqual(["paused", 1, ["gate"]]);
    const again = options.session ? [] : plain(halfway.state);
    const done = await run(caller("gate", id), again, { ...options, approvals: decide(halfway) });
    expect([done.status, done.warnings, effects]).toEqual(["completed", [], ["gate", "gate"]]);
  });

  test.each(keepers)("with %s: has a result of its own", async (_keeper, optionsOf) => {
    const id = await idWithin("ask");
    const options: RunOptions = optionsOf();
    const paused = await run(caller("ask", id), "go", options);
    const results = paused.pending.map(({ toolCallId, parentToolCallId }) => ({
      toolCallId,
      content: parentToolCallId === undefined ? "OWN" : "INNER",
    }));
    expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    const resumed = options.session ? [] : plain(paused.state);
    const done = await run(caller("ask", id), resumed, { ...options, results });
    expect([done.status, done.warnings]).toEqual(["completed", []]);
    expect(done.text).toMatch(/within: .*INNER/);
    expect(done.text.match(/INNER/g)).toHaveLength(1);
    expect(done.text.match(/OWN/g)).toHaveLength(1);
  });

  test("of an agent has a result of its own", async () => {
    const asker = () => new Agent({ name: "Asker", model: calls("ask"), tools: [ask] });
    const first = await run(boss([asker().asTool(), ask]).with({ model: calls("asker") }), "go");
    const id = first.pending[0]?.toolCallId ?? "";
    const toolCalls = [
      { toolCallId: "id_0", toolName: "asker", arguments: { input: "Go." } },
      { toolCallId: id, toolName: "ask" },
    ];
    const model = new FunctionModel(({ messages }) =>
      messages.some(({ role }) => role === "tool") ? "Done." : { toolCalls },
    );
    const { pending } = await run(boss([asker().asTool(), ask]).with({ model }), "go");
    expect(new Set(pending.map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });
});
