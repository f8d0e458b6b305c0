import { expect, test } from "vitest";
import { Agent, run, stream, tool, type RunEvent, type RunState, type RunStream } from "skein";
import { ScriptedModel } from "skein/testing";
import { streamed, type Answer } from "../providers/answers.ts";
import { serve, type Reply } from "../providers/local-server.ts";
import { modelOver, protocols, type Protocol } from "../providers/protocols.ts";
import { eventsOf, flawsOf, later, noting, number, outcomesOf, watchRejections, watchTimers } from "./kit.ts";

const whole: Answer = {
  id: "b",
  text: "I look, once more.",
  calls: [{ id: "two", name: "look", arguments: '{"n": 2, "note": "some words"}' }],
};
const isDelta =
  (type: RunEvent["type"]) =>
  (event: RunEvent): boolean =>
    event.type === type;

interface State {
  /** The second answer; the first one has called a tool that has finished. */
  readonly reply: (protocol: Protocol) => Reply;
  /** When to cancel, by the events of the second turn; by default once its request has come. */
  readonly at?: (event: RunEvent) => boolean;
  /** The timer that the run waits for, in milliseconds. */
  readonly timer?: number;
}

/** The beginning of the answer, up to the piece that has `words`; then nothing more comes. */
function upTo(protocol: Protocol, words: string): Reply {
  const { pieces } = streamed(protocol, whole);
  const last = pieces.findIndex((piece) => piece.includes(words));
  expect(last).toBeGreaterThanOrEqual(0);
  return { pieces: pieces.slice(0, last + 1), end: "never" };
}

/** What a run may be waiting for. */
const states: Readonly<Record<string, State>> = {
  "the headers of an answer": { reply: () => ({ pieces: [], end: "never" }) },
  "more of an answer's text": { reply: (protocol) => upTo(protocol, "I loo"), at: isDelta("text-delta") },
  "more of a call's arguments": {
    reply: (protocol) => upTo(protocol, "note"),
    at: isDelta("tool-input-delta"),
  },
  "the time to try again": {
    reply: () => ({
      status: 503,
      type: "application/json",
      headers: { "retry-after": "50" },
      pieces: ['{"error":{"message":"busy"}}'],
    }),
    timer: 50_000,
  },
  "a tool": { reply: (protocol) => streamed(protocol, whole), at: isDelta("tool-start") },
};

const cases = protocols.flatMap((protocol) =>
  Object.entries(states).map(([name, state]) => [protocol, name, state] as const),
);

test.each(cases)("%s: a run that waits for %s ends at once, whole and once", async (protocol, _, state) => {
  const rejections = watchRejections();
  const timers = watchTimers();
  const done: string[] = [];
  const secondCall = later<void>();
  const first: Answer = { id: "a", calls: [{ id: "one", name: "pay", arguments: '{"n":1}' }] };
  await using server = await serve((index) => {
    if (index === 1) secondCall.resolve();
    return index === 0 ? streamed(protocol, first) : state.reply(protocol);
  });
  const look = tool({ name: "look", input: number, execute: () => new Promise(() => undefined) });
  const agent = new Agent({ name: "A", tools: [noting(done, "pay"), look] });
  const running = stream(agent, "Go.", { model: modelOver(protocol, server) });
  let turn = 0;
  const reading = eventsOf(running, (event) => {
    if (event.type === "turn-start") turn = event.turn;
    if (turn === 2 && state.at?.(event)) running.cancel();
  });
  await secondCall.promise;
  if (!state.at) {
    while (state.timer !== undefined && !timers.open().includes(state.timer))
      await new Promise((resolve) => setImmediate(resolve));
    running.cancel();
  }
  const result = await running.result;
  expect(result).toMatchObject({ status: "cancelled", finishReason: "cancelled", pending: [] });
  expect(outcomesOf(result)[0]).toBe("pay: success");
  await expectWhole(running, await reading);
  timers.stop();
  expect(timers.open()).toEqual([]);
  expect(server.received).toHaveLength(2);
  const next = new ScriptedModel(["Fine."]);
  const stored: RunState = JSON.parse(JSON.stringify(result.state));
  expect((await run(agent, stored, { model: next })).text).toBe("Fine.");
  expect(done).toEqual(["pay 1"]);
  expect(await rejections()).toEqual([]);
});

test("a run that is paused is over: cancelling it changes nothing, and it can be resumed", async () => {
  const done: string[] = [];
  const pay = tool({ name: "pay", input: number, approval: true, execute: () => `${done.push("pay")} done` });
  const call = (toolName: string) => ({ toolName, arguments: { n: 1 } });
  const model = new ScriptedModel([{ toolCalls: [call("look"), call("pay")] }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [noting(done, "look"), pay] });
  const running = stream(agent, "Go.");
  const paused = await running.result;
  running.cancel();
  expect(paused).toMatchObject({ status: "paused", pending: [{ toolName: "pay" }] });
  expect(await running.result).toBe(paused);
  const events = await eventsOf(running);
  expect(events.filter(({ type }) => type === "run-end")).toEqual([events.at(-1)]);
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  const controller = new AbortController();
  controller.abort();
  // A run that is cancelled before it begins has carried out no decision.
  const stopped = await run(agent, paused.state, { approvals, signal: controller.signal });
  expect(stopped.status).toBe("cancelled");
  expect(stopped.state.pending).toEqual(paused.state.pending);
  // It is kept, though.
  expect((await run(agent, stopped.state)).text).toBe("Done.");
  expect(done).toEqual(["look 1", "pay"]);
});

/** One terminal event, which tells what the run gives back, and a history in which nothing is open. */
async function expectWhole(running: RunStream, events: readonly RunEvent[]): Promise<void> {
  const result = await running.result;
  expect(events.filter(({ type }) => type === "run-end")).toEqual([events.at(-1)]);
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: result.status });
  expect(flawsOf(result.state.messages)).toEqual([]);
}
