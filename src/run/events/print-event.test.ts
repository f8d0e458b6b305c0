import { afterEach, expect, test, vi } from "vitest";
import type { RunEvent } from "../types.ts";
import { printEvent } from "./print-event.ts";

afterEach(() => void vi.restoreAllMocks());

/** What is printed of events. */
function printed(...events: readonly RunEvent[]): unknown[] {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  for (const event of events) printEvent(event);
  return print.mock.calls.flat();
}

const warning = (message: string): RunEvent => ({ index: 7, type: "warning", agent: "A", message });

test("an event is one line with its number, its agent, its type and the rest of it", () => {
  expect(printed(warning("Mind the gap."))).toEqual(['[skein 7] A: warning {"message":"Mind the gap."}']);
});

test("of a long event 500 characters are printed", () => {
  const words = (length: number): string => "x".repeat(length - '{"message":""}'.length);
  expect(printed(warning(words(500)), warning(words(501)))).toEqual([
    `[skein 7] A: warning {"message":"${words(500)}"}`,
    `[skein 7] A: warning {"message":"${words(501)}"…`,
  ]);
});

test("deltas are left out, also those of an agent within the run", () => {
  const delta = { index: 1, type: "text-delta", agent: "B", text: "Hi" } as const;
  const within: RunEvent = { index: 2, type: "agent-event", agent: "A", parentToolCallId: "c", event: delta };
  expect(printed(delta, within)).toEqual([]);
});

test("what a tool threw follows its event, also within an agent", () => {
  const error = new Error("no");
  const result = { toolCallId: "c", toolName: "t", content: [], isError: true, outcome: "error" } as const;
  const end = { index: 1, type: "tool-end", agent: "B", result, durationMs: 1, error } as const;
  const within: RunEvent = { index: 2, type: "agent-event", agent: "A", parentToolCallId: "c", event: end };
  const lines = [expect.stringMatching(/^\[skein 1\] B: tool-end /), error];
  expect(printed(end)).toEqual(lines);
  vi.restoreAllMocks();
  expect(printed(within)).toEqual([expect.stringMatching(/^\[skein 2\] A: agent-event /), error]);
  vi.restoreAllMocks();
  const { error: _, ...success } = end;
  expect(printed(success)).toHaveLength(1);
});

test("the end of a run is its type alone", () => {
  const error = new Error("no");
  expect(printed({ index: 3, type: "run-end", agent: "A", status: "failed", error })).toEqual([
    expect.stringMatching(/^\[skein 3\] A: run-end[^{]*$/),
  ]);
});
