import { expect, test } from "vitest";
import type { Message } from "../message/messages.ts";
import { earlierResults, forgetResults } from "./earlier-results.ts";

function resultOf(toolCallId: string, text = toolCallId): Message {
  const content = [{ type: "text", text }] as const;
  return { role: "tool", result: { toolCallId, toolName: "f", content, isError: false, outcome: "success" } };
}

/** A history that counts what is read of it, but for its last message. */
function counted(messages: readonly Message[], reads: string[]): readonly Message[] {
  return new Proxy(messages, {
    get: (target, key, receiver) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads.push(key);
      const value: unknown = Reflect.get(target, key, receiver);
      return value;
    },
  });
}

test("of a history that grows, only what is new is read", () => {
  const memory = new Map();
  const history = [resultOf("a"), resultOf("b"), resultOf("c")];
  earlierResults({ messages: history, memory });
  const reads: string[] = [];
  const results = earlierResults({ messages: counted([...history, resultOf("d")], reads), memory });
  expect([...results.keys()]).toEqual(["a", "b", "c", "d"]);
  expect(new Set(reads)).toEqual(new Set(["2", "3"]));
});

test("a history that has become another one is read again", () => {
  const memory = new Map();
  earlierResults({ messages: [resultOf("a"), resultOf("b")], memory });
  expect([...earlierResults({ messages: [resultOf("c")], memory }).keys()]).toEqual(["c"]);
  const pruned = [resultOf("c", "left out")];
  forgetResults(memory);
  expect(earlierResults({ messages: pruned, memory }).get("c")).toEqual(
    pruned.flatMap((message) => (message.role === "tool" ? [message.result] : []))[0],
  );
});
