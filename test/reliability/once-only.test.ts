import { expect, test } from "vitest";
import { Agent, run, stream, tool, type Message, type ToolCall } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { streamed, type Answer } from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { modelOver, protocols } from "../providers/protocols.ts";
import { problemsOf } from "../providers/rules.ts";
import { empty, eventsOf, flawsOf, noting, number } from "./kit.ts";

/** All calls of a history, in order. */
function callsIn(messages: readonly Message[]): readonly ToolCall[] {
  return messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
}

/** Some servers count their calls from 0 in every answer. */
const call = (name: string) => ({ id: "call_0", name, arguments: '{"n":1}' });
const answers: readonly Answer[] = [
  { id: "a", calls: [call("look")] },
  { id: "b", calls: [call("transfer_to_other")] },
  { id: "c", calls: [call("pay")] },
  { id: "d", calls: [call("look"), call("look")] },
  { id: "e", text: "Done." },
];

test.each(protocols)(
  "through handoff, pause, resumption and retry each call stands once on the wire: %s",
  async (protocol) => {
    const done: string[] = [];
    let fails = true;
    await using server = await serve((index, { body }) => {
      fails = !fails;
      if (fails)
        return {
          status: 503,
          type: "application/json",
          headers: { "retry-after": "0" },
          pieces: ['{"error":{"message":"busy"}}'],
        };
      return streamed(protocol, answers[Math.floor(index / 2)] ?? { id: "none", text: JSON.stringify(body) });
    });
    const model = modelOver(protocol, server);
    const pay = tool<{ n: number }>({
      name: "pay",
      input: number,
      approval: true,
      execute: ({ n }) => done.push(`pay ${n}`),
    });
    const other = new Agent({ name: "other", model, tools: [noting(done, "look"), pay] });
    const first = new Agent({ name: "first", model, tools: [noting(done, "look")], handoffs: [other] });
    const paused = await run(first, "Go.");
    expect(paused.status).toBe("paused");
    const approvals = paused.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
    }));
    const state = JSON.parse(JSON.stringify(paused.state));
    const result = await run(first, state, { approvals });
    expect(result.text).toBe("Done.");
    const ids = callsIn(result.state.messages).map(({ toolCallId }) => toolCallId);
    // Two calls with one id, one name and the same arguments are one that came twice.
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(ids.length);
    expect(done).toEqual(["look 1", "pay 1", "look 1"]);
    expect(server.received.flatMap(({ body }) => problemsOf(protocol, body))).toEqual([]);
  },
);

test("of calls with one id in an answer each is made and answered once", async () => {
  const done: string[] = [];
  const same = (n: number) => ({ toolCallId: "same", toolName: "look", arguments: { n } });
  const model = new ScriptedModel([{ toolCalls: [same(1), same(2)] }, "Done."]);
  const { state } = await run(new Agent({ name: "A", model, tools: [noting(done, "look")] }), "Go.");
  expect(done).toEqual(["look 1", "look 2"]);
  expect(new Set(callsIn(state.messages).map(({ toolCallId }) => toolCallId)).size).toBe(2);
  expect(flawsOf(state.messages)).toEqual([]);
});

test.each(protocols)(
  "of a history in which ids come again each call stands once, too: %s",
  async (protocol) => {
    const toolCalls = [{ toolCallId: "same", toolName: "look", arguments: "{}" }];
    const call: Message = {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "same" }],
      toolCalls,
    };
    const answered = (text: string): Message => ({
      role: "tool",
      result: {
        toolCallId: "same",
        toolName: "look",
        content: [{ type: "text", text }],
        isError: false,
        outcome: "success",
      },
    });
    const user: Message = { role: "user", content: "Go." };
    const history = [user, call, answered("one"), answered("one again"), user, call, answered("two"), user];
    await using server = await serve(() => streamed(protocol, { id: "end", text: "Done." }));
    const agent = new Agent({ name: "A", model: modelOver(protocol, server), tools: [noting([], "look")] });
    expect((await run(agent, history)).text).toBe("Done.");
    expect(server.received.flatMap(({ body }) => problemsOf(protocol, body))).toEqual([]);
    expect(server.received[0]?.text).not.toContain("one again");
  },
);

test("a session keeps each message once, however often a run is resumed or repeats what it wrote", async () => {
  const session = memorySession();
  const wait = tool({ name: "wait", input: empty, approval: true, execute: () => "waited" });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "wait" }] }, "Done.", "Again."]);
  const agent = new Agent({ name: "A", model, tools: [wait] });
  const paused = await run(agent, "Go.", { session });
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  await run(agent, [], { session, approvals });
  const { state } = await run(agent, "And?", { session });
  const roles = ["user", "assistant", "tool", "assistant", "user", "assistant"];
  expect(state.messages.map(({ role }) => role)).toEqual(roles);
  const { entries } = await session.load();
  expect(JSON.stringify(entries).split('"And?"')).toHaveLength(2);
  expect(JSON.stringify(entries).split('"waited"')).toHaveLength(2);
  expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index + 1));
});

test("a reader receives each call once", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "look", arguments: { n: 1 } }] }, "Done."]);
  const events = await eventsOf(stream(new Agent({ name: "A", model, tools: [noting([], "look")] }), "Go."));
  for (const type of ["tool-start", "tool-end"] as const)
    expect(events.filter((event) => event.type === type)).toHaveLength(1);
});
