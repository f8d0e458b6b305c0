/** Servers that number the calls of each answer from the beginning: an id names a call of one answer, and of no other. */
import { expect, test } from "vitest";
import { Agent, run, tool, type ApprovalDecision, type RunResult, type Session } from "skein";
import { openai } from "skein/openai";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { empty } from "./test-nested.ts";

/** Orders in its first answer, which asks for a decision within the call; pays in its second, under the same id. */
function clerk() {
  const effects: string[] = [];
  const does = (name: string) =>
    tool({ name, input: empty, approval: true, execute: () => `${name} ${effects.push(name)}` });
  const order = tool({
    name: "order",
    input: empty,
    execute: (_, context) => context.call("reserve", {}),
  });
  const model = new FunctionModel(({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const toolName = ["order", "pay"][turn];
    return toolName === undefined ? "Done." : { toolCalls: [{ toolCallId: "call_0", toolName }] };
  });
  return {
    agent: new Agent({ name: "Clerk", model, tools: [order, does("reserve"), does("pay")] }),
    effects,
  };
}

const approve = ({ pending }: RunResult): readonly ApprovalDecision[] =>
  pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" }));

test.each(["state", "session"])(
  "a call with the id of an earlier one needs its own approval (%s)",
  async (place) => {
    const { agent, effects } = clerk();
    const session = memorySession();
    const resume = (result: RunResult, approvals: readonly ApprovalDecision[]): Promise<RunResult> =>
      place === "state"
        ? run(agent, JSON.parse(JSON.stringify(result.state)), { approvals })
        : run(agent, [], { session, approvals });
    const ordered = await (place === "state" ? run(agent, "Order.") : run(agent, "Order.", { session }));
    const paying = await resume(ordered, approve(ordered));
    expect([paying.pending.map(({ toolName }) => toolName), effects]).toEqual([["pay"], ["reserve"]]);
    const idle = await resume(paying, []);
    expect([idle.pending, effects]).toEqual([paying.pending, ["reserve"]]);
    const done = await resume(idle, approve(idle));
    expect([done.text, effects]).toEqual(["Done.", ["reserve", "pay"]]);
  },
);

test.each(["paused", "interrupted"])(
  "a new run does not take results of an unfinished one for its own (%s)",
  async (end) => {
    const effects: string[] = [];
    const does = (name: string, approval = false) =>
      tool({ name, input: empty, approval, execute: () => `${name} ${effects.push(name)}` });
    const model = new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== "user") return "Done.";
      const names = last.content === "Look." ? ["pay", "look"] : ["look", "pay"];
      return { toolCalls: names.map((toolName, index) => ({ toolCallId: `call_${index}`, toolName })) };
    });
    const agent = new Agent({ name: "Clerk", model, tools: [does("look"), does("pay", true)] });
    const session = memorySession();
    await run(agent, "Look.", { session });
    const broken: Session = {
      load: () => session.load(),
      clear: () => session.clear(),
      async append(entries) {
        await session.append(entries);
        throw new Error("the process dies");
      },
    };
    const isInterrupted = end === "interrupted";
    if (isInterrupted) await run(agent, "Pay.", { session: broken }).catch(() => undefined);
    const dead = await session.load();
    const free = memorySession();
    await free.append(dead.entries.map((entry) => (entry.type === "claim" ? { ...entry, until: 0 } : entry)));
    const paying = await run(agent, isInterrupted ? [] : "Pay.", { session: free });
    expect([paying.pending.map(({ toolName }) => toolName), effects]).toEqual([["pay"], ["look", "look"]]);
  },
);

type WireCall = readonly [id: string, name: string, args: object];

/** A model whose server gives each answer's calls the ids that it is told. */
function numbering(...answers: readonly (readonly WireCall[])[]) {
  let next = 0;
  const answer = (): Response => {
    const calls = answers[next++] ?? [];
    const tool_calls = calls.map(([id, name, args]) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = { role: "assistant", content: calls.length > 0 ? null : "Done.", tool_calls };
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    return Response.json({ id: "c", choices: [{ index: 0, finish_reason, message }] });
  };
  return openai("local", { apiKey: "k", fetch: () => Promise.resolve(answer()) });
}

/** Finds addresses and sends letters to them; letters that cannot be sent are in `problems`. */
async function post(...answers: readonly (readonly WireCall[])[]) {
  const sent: string[] = [];
  const named = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
  const letter = { type: "object", properties: { to: { type: "string" } }, required: ["to"] } as const;
  const find = tool({
    name: "find",
    input: named,
    execute: ({ name }: { name: string }) => ({ email: `${name}@example.com` }),
  });
  const send = tool({
    name: "send",
    input: letter,
    execute: ({ to }: { to: string }) => `sent as ${sent.push(to)}`,
  });
  const agent = new Agent({ name: "Post", model: numbering(...answers), tools: [find, send] });
  const { messages } = await run(agent, "Write to all.");
  const problems = messages.flatMap((each) =>
    each.role === "tool" && each.result.isError ? [JSON.stringify(each.result.content)] : [],
  );
  return { sent, problems };
}

const several = "begins with the id of more than one call: name one of this answer by its place";
const finds = (name: string, id = "call_0"): WireCall => [id, "find", { name }];
const sends = (reference: string, id = "call_1"): WireCall => [
  id,
  "send",
  { to: { $result: `${reference}/email` } },
];

test("a reference by an id that an earlier answer has as well is an error that says what to write", async () => {
  const { sent, problems } = await post(
    [finds("Ada"), sends("call_0")],
    [finds("Bob"), sends("call_0")],
    [finds("Bob"), sends("1")],
    [finds("Cy"), sends("find")],
  );
  expect(sent).toEqual(["Ada@example.com", "Bob@example.com", "Cy@example.com"]);
  expect(problems).toEqual([expect.stringContaining(several)]);
});

test("a reference by an id that two calls of the answer have is an error, and one by their own ids is not", async () => {
  const { sent, problems } = await post([finds("Ada"), finds("Bob"), sends("call_0")], [sends("call_0_2")]);
  expect(sent).toEqual(["Bob@example.com"]);
  expect(problems).toEqual([expect.stringContaining(several)]);
});

test("an id that is free again in an answer means the earlier call", async () => {
  const { sent, problems } = await post([finds("Ada")], [sends("call_0", "call_9")]);
  expect([sent, problems]).toEqual([["Ada@example.com"], []]);
});
