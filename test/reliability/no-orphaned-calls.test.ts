import { expect, test } from "vitest";
import { Agent, run, tool, type Message, type RunEvent, type RunResult, type Toolset } from "skein";
import { ScriptedModel } from "skein/testing";
import { streamed } from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { modelOver, protocols } from "../providers/protocols.ts";
import { problemsOf } from "../providers/rules.ts";
import { flawsOf, later, noting, number } from "./kit.ts";

const call = (toolName: string) => ({ toolName, arguments: { n: 1 } });
const script = [
  { reasoning: "hm", text: "One moment.", chunkSize: 4, toolCalls: ["fast", "slow", "gone"].map(call) },
  "Done.",
];

/** A run that is cancelled by its event `at`, and how many events it had. */
async function cancelledAt(at: number): Promise<{ readonly result: RunResult; readonly events: number }> {
  const controller = new AbortController();
  const slow = tool({
    name: "slow",
    input: number,
    execute: () => new Promise((resolve) => void setTimeout(resolve, 1, "slow is done")),
  });
  const agent = new Agent({ name: "A", model: new ScriptedModel(script), tools: [noting([], "fast"), slow] });
  let events = 0;
  const onEvent = (): void => void (events++ === at && controller.abort());
  return { result: await run(agent, "Go.", { signal: controller.signal, onEvent }), events };
}

test("wherever a run is cancelled, every provider takes its history, and it is the same each time", async () => {
  const { result: whole, events } = await cancelledAt(-1);
  expect(whole).toMatchObject({ status: "completed", text: "Done." });
  const histories = new Map<string, readonly Message[]>();
  // With its last event a run is over, and the one before belongs to its last turn.
  for (let at = 0; at < events - 2; at++) {
    const { status, pending, state } = (await cancelledAt(at)).result;
    expect({ at, status, pending }).toEqual({ at, status: "cancelled", pending: [] });
    expect((await cancelledAt(at)).result.state.messages).toEqual(state.messages);
    expect(flawsOf(state.messages)).toEqual([]);
    histories.set(JSON.stringify(state.messages), state.messages);
  }
  expect([...histories.keys()].some((history) => history.includes('"outcome":"cancelled"'))).toBe(true);
  for (const protocol of protocols) {
    await using server = await serve(() => streamed(protocol, { id: "next", text: "Fine." }));
    const agent = new Agent({ name: "A", model: modelOver(protocol, server), tools: [noting([], "fast")] });
    for (const messages of histories.values()) {
      const input: readonly Message[] = [...messages, { role: "user", content: "And now?" }];
      expect((await run(agent, input)).text).toBe("Fine.");
    }
    expect(server.received.flatMap(({ body }) => problemsOf(protocol, body))).toEqual([]);
  }
});

test("calls that a cancelled run has not come to are answered as well", async () => {
  const done: string[] = [];
  const model = new ScriptedModel([{ toolCalls: [call("fast"), call("fast")] }]);
  const agent = new Agent({ name: "A", model, tools: [noting(done, "fast")] });
  const paused = await run(agent, "Go.", { executeTools: false });
  expect(paused.pending).toHaveLength(2);
  const controller = new AbortController();
  const onEvent = ({ type }: RunEvent): void => {
    if (type === "tool-start") controller.abort();
  };
  const { signal } = controller;
  const cancelled = await run(agent, paused.state, { signal, onEvent });
  expect(cancelled).toMatchObject({ status: "cancelled", pending: [] });
  expect(flawsOf(cancelled.state.messages)).toEqual([]);
  expect(done).toEqual([]);
});

test("a run that is cancelled before it goes on leaves the calls of its state open, for one that does", async () => {
  const done: string[] = [];
  const model = new ScriptedModel([{ toolCalls: [call("fast"), call("fast")] }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [noting(done, "fast")] });
  const paused = await run(agent, "Go.", { executeTools: false });
  const cancelled = await run(agent, paused.state, { signal: AbortSignal.abort() });
  expect(cancelled.status).toBe("cancelled");
  expect(cancelled.state.pending).toEqual(paused.state.pending);
  expect((await run(agent, cancelled.state)).text).toBe("Done.");
  expect(done).toHaveLength(2);
});

test("so are calls of a run whose tools are not known when it is cancelled", async () => {
  const listing = later<void>();
  const silent: Toolset = {
    name: "silent",
    tools: ({ messages }) => {
      if (messages.length === 1) return Promise.resolve([tool({ name: "look", input: number })]);
      listing.resolve();
      return new Promise(() => undefined);
    },
  };
  const controller = new AbortController();
  const model = new ScriptedModel([{ toolCalls: [call("look")] }]);
  const agent = new Agent({ name: "A", model, tools: [silent] });
  const paused = await run(agent, "Go.");
  expect(paused.status).toBe("paused");
  const resumed = run(agent, paused.state, { signal: controller.signal });
  await listing.promise;
  controller.abort();
  const { status, pending, state } = await resumed;
  expect({ status, pending }).toEqual({ status: "cancelled", pending: [] });
  expect(flawsOf(state.messages)).toEqual([]);
});

test("and so are those that a person was to decide on", async () => {
  const controller = new AbortController();
  const pay = tool({ name: "pay", input: number, approval: true, execute: () => "paid" });
  const stop = tool({ name: "stop", input: number, execute: () => controller.abort() });
  const events: RunEvent[] = [];
  const model = new ScriptedModel([{ toolCalls: [call("pay"), call("stop")] }]);
  const cancelled = await run(new Agent({ name: "A", model, tools: [pay, stop] }), "Go.", {
    signal: controller.signal,
    onEvent: (event) => void events.push(event),
  });
  expect(cancelled).toMatchObject({ status: "cancelled", pending: [] });
  expect(flawsOf(cancelled.state.messages)).toEqual([]);
  const of = (type: "tool-start" | "tool-end"): number =>
    events.filter((event) => event.type === type).length;
  expect(of("tool-end")).toBe(of("tool-start"));
});
