import { expect, test } from "vitest";
import type { Message } from "../message/messages.ts";
import { earlierResults } from "./earlier-results.ts";

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
  const find = earlierResults({ messages: counted([...history, resultOf("d")], reads), memory });
  expect(new Set(reads)).toEqual(new Set(["2", "3"]));
  expect(["a", "d", "e"].map((id) => find(id)?.toolCallId)).toEqual(["a", "d", undefined]);
});

test("a history that has become another one is read again", () => {
  const memory = new Map();
  earlierResults({ messages: [resultOf("a"), resultOf("b")], memory });
  const find = earlierResults({ messages: [resultOf("c")], memory });
  expect(["a", "b", "c"].map((id) => find(id)?.toolCallId)).toEqual([undefined, undefined, "c"]);
});

test("a result that was replaced in its place is what it is now", () => {
  const memory = new Map();
  const last = resultOf("b");
  earlierResults({ messages: [resultOf("a"), last], memory });
  const find = earlierResults({ messages: [resultOf("a", "left out"), last], memory });
  expect(find("a")?.content).toEqual([{ type: "text", text: "left out" }]);
});
