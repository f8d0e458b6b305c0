import { expect, test } from "vitest";
import { callsWithin, decidableCalls } from "./nested-work.ts";
import type { NestedWork, PendingCall, RunState } from "./run-state.ts";
import { noUsage } from "./usage.ts";

const call = (toolCallId: string, more: Partial<PendingCall> = {}): PendingCall => ({
  toolCallId,
  toolName: "pay",
  arguments: "{}",
  ...more,
});

function paused(agent: string, pending: readonly PendingCall[]): RunState {
  return {
    version: 1,
    runId: "r",
    agent,
    messages: [],
    context: {},
    turn: 1,
    pending,
    usage: noUsage,
    status: "paused",
  };
}

const work: NestedWork = {
  toolCallId: "outer",
  steps: [
    { step: "done", value: "ok" },
    { step: "failed", error: "no" },
    { step: "call", waiting: call("inner", { approvalId: "1" }) },
    { step: "run", state: paused("Clerk", [call("own"), call("deep", { agent: "Boss" })]) },
  ],
};

test("the calls within a call are those that wait, each with its agent, the call around it and an id of its own", () => {
  expect(callsWithin(work)).toEqual([
    call("inner", { approvalId: "1", parentToolCallId: "outer" }),
    call("own", { toolCallId: "run/own", agent: "Clerk", parentToolCallId: "outer" }),
    call("deep", { toolCallId: "run/deep", agent: "Boss", parentToolCallId: "outer" }),
  ]);
});

test("a person decides on the calls within a call in its place, and on the call itself where nothing in it waits", () => {
  const pending = [call("before"), call("outer"), call("finished")];
  const nested: NestedWork[] = [work, { toolCallId: "finished", steps: [{ step: "done", value: 1 }] }];
  expect(decidableCalls(pending, nested)).toEqual([call("before"), ...callsWithin(work), call("finished")]);
  expect(decidableCalls(pending, [])).toEqual(pending);
});
