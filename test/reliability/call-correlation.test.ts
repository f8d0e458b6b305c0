import { expect, test } from "vitest";
import type { RunEvent } from "skein";
import {
  chatChunk,
  chatEnd,
  eventsOf,
  framed,
  streamed,
  type AnswerCall,
  type WireEvent,
} from "../providers/answers.ts";
import { noting, resultOf, runOver } from "./kit.ts";

const call = (
  id: string | undefined,
  name: string | undefined,
  input: string,
  index?: number,
): WireEvent => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  function: { ...(name !== undefined && { name }), arguments: input },
});

/** Two calls, `one` of 1 and `two` of 2, as servers tell them that keep to the protocol less than others. */
const oddities: Readonly<Record<string, readonly WireEvent[]>> = {
  "no index at all": [
    call("a", "one", '{"n"'),
    call(undefined, undefined, ":1}"),
    call("b", "two", '{"n"'),
    call(undefined, undefined, ":2}"),
  ],
  "one index for all": [call("a", "one", '{"n":1}', 0), call("b", "two", '{"n":2}', 0)],
  "one index for all, and arguments that come later": [
    call("a", "one", "", 0),
    call(undefined, undefined, '{"n":1}', 0),
    call("b", "two", "", 0),
    call(undefined, undefined, '{"n":2}', 0),
  ],
  "ids that are empty": [call("", "one", '{"n":1}', 0), call("", "two", '{"n":2}', 1)],
  "pieces that alternate": [
    call("a", "one", "", 0),
    call("b", "two", "", 1),
    call(undefined, undefined, '{"n"', 0),
    call(undefined, undefined, '{"n"', 1),
    call(undefined, undefined, ":1}", 0),
    call(undefined, undefined, ":2}", 1),
  ],
  "names that come last": [
    call("a", undefined, '{"n":1}', 0),
    call("b", undefined, '{"n":2}', 1),
    call(undefined, "one", "", 0),
    call(undefined, "two", "", 1),
  ],
  "another id with each piece": [
    call("a1", "one", '{"n"', 0),
    call("a2", undefined, ":1}", 0),
    call("b1", "two", '{"n"', 1),
    call("b2", undefined, ":2}", 1),
  ],
};

test.each(Object.entries(oddities))("calls do not cross, with %s", async (_, entries) => {
  const done: string[] = [];
  const events = entries.map((entry) => chatChunk("a", { tool_calls: [entry] }));
  const pieces = framed("chat", [...events, ...chatEnd("a", "tool_calls")]);
  const end = streamed("chat", { id: "b", text: "Done." });
  const tools = [noting(done, "one"), noting(done, "two")];
  const { heard, onEvent } = listener();
  expect(resultOf((await runOver("chat", [{ pieces }, end], tools, { onEvent })).outcome).text).toBe("Done.");
  expect(done).toEqual(["one 1", "two 2"]);
  expect([...heard.values()]).toEqual(['{"n":1}', '{"n":2}']);
});

test("nor where each event of a response has another item's id", async () => {
  const done: string[] = [];
  const calls: AnswerCall[] = [
    { id: "a", name: "one", arguments: '{"n":1}' },
    { id: "b", name: "two", arguments: '{"n":2}' },
  ];
  const events = eventsOf("responses", { id: "r", calls }).map((event, index) => ({
    ...event,
    ...("item_id" in event && { item_id: `rotated_${index}` }),
    ...("item" in event && { item: { ...Object(event["item"]), id: `rotated_${index}` } }),
  }));
  const replies = [
    { pieces: framed("responses", events) },
    streamed("responses", { id: "b", text: "Done." }),
  ];
  const tools = [noting(done, "one"), noting(done, "two")];
  const { heard, onEvent } = listener();
  expect(resultOf((await runOver("responses", replies, tools, { onEvent })).outcome).text).toBe("Done.");
  expect(done).toEqual(["one 1", "two 2"]);
  expect([...heard.values()]).toEqual(['{"n":1}', '{"n":2}']);
});

/** Gathers the pieces of arguments that a run tells, by the calls that they are said to belong to. */
function listener(): { readonly heard: ReadonlyMap<string, string>; onEvent(event: RunEvent): void } {
  const heard = new Map<string, string>();
  return {
    heard,
    onEvent: (event) => {
      if (event.type !== "tool-input-delta") return;
      heard.set(event.toolCallId, (heard.get(event.toolCallId) ?? "") + event.text);
    },
  };
}
