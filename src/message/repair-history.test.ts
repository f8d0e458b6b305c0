import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message, ToolMessage } from "./messages.ts";
import type { AssistantPart, Part } from "./parts.ts";
import { callIdsOf, repairHistory } from "./repair-history.ts";

const user = (content: string | Part[]): Message => ({ role: "user", content });
const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });
const at = (toolCallId: string): AssistantPart => ({ type: "tool-call", toolCallId });

function answer(...ids: string[]): AssistantMessage {
  const toolCalls = ids.map((toolCallId) => ({ toolCallId, toolName: "f", arguments: "{}" }));
  return { role: "assistant", content: ids.map(at), toolCalls };
}

function result(toolCallId: string, words = "ok"): ToolMessage {
  const content = [text(words)];
  return { role: "tool", result: { toolCallId, toolName: "f", content, isError: false, outcome: "success" } };
}

const unfinished = (toolCallId: string): unknown =>
  expect.objectContaining({ result: expect.objectContaining({ toolCallId, outcome: "cancelled" }) });

describe("calls and results", () => {
  test("a call without a result gets one, before anybody speaks and at the end", () => {
    const calls = answer("a", "b");
    expect(repairHistory([calls, result("b"), user("Go on."), answer("c")])).toEqual([
      calls,
      result("b"),
      unfinished("a"),
      user("Go on."),
      answer("c"),
      unfinished("c"),
    ]);
  });

  test("what is not a part stays where it stands, for the provider to refuse", () => {
    const stored: AssistantMessage = { ...answer("a"), content: [null as never, at("a"), at("lost")] };
    expect(repairHistory([stored, result("a")])).toEqual([
      { ...stored, content: [null, at("a")] },
      result("a"),
    ]);
  });

  test("a result that comes late is moved behind its call", () => {
    expect(repairHistory([answer("a"), user("Well?"), answer("b"), result("a"), result("b")])).toEqual([
      answer("a"),
      result("a"),
      user("Well?"),
      answer("b"),
      result("b"),
    ]);
  });

  test("drops a second result, and turns one without a call into a user message", () => {
    const history = [result("z", "lost"), answer("a"), result("a", "1"), result("a", "2")];
    expect(repairHistory(history)).toEqual([
      user([text("A result of f, whose call is not in this conversation:"), text("lost")]),
      answer("a"),
      result("a", "1"),
    ]);
  });

  test("a result without a call and without a name is one of a tool, and empty parts of it are dropped", () => {
    const image: Part = { type: "image", url: "https://example.com/a.png" };
    const { result: lost } = result("z");
    const message: Message = {
      role: "tool",
      result: { ...lost, toolName: "", content: [text(""), image] },
    };
    expect(repairHistory([message])).toEqual([
      user([text("A result of a tool, whose call is not in this conversation:"), image]),
    ]);
  });

  test("an id that is used again is another one, in its result too", () => {
    const history = [answer("a"), result("a", "1"), answer("a", "a"), result("a", "2"), result("a", "3")];
    expect(repairHistory(history)).toEqual([
      answer("a"),
      result("a", "1"),
      answer("a_2", "a_3"),
      result("a_2", "2"),
      result("a_3", "3"),
    ]);
  });

  test("ten thousand calls of one id cost no more than others", () => {
    const history = Array.from({ length: 10_000 }, () => [answer("a"), result("a")]).flat();
    const repaired = repairHistory(history);
    expect(repaired.at(-1)).toEqual(result("a_10000"));
    expect(repaired).toHaveLength(history.length);
  });
});

describe("what says nothing", () => {
  test("is dropped, the user's last word excepted", () => {
    const said = { ...answer("a"), content: [text(""), text("Hm."), at("a"), at("a"), at("nobody")] };
    const history = [user(""), said, result("a"), answer(), { role: "system", content: "" } as const];
    expect(repairHistory([...history, user([text(""), text("Hi")]), user("")])).toEqual([
      { ...said, content: [text("Hm."), at("a")] },
      result("a"),
      user([text("Hi")]),
      user(""),
    ]);
  });

  test("stays where its provider wants to see it again", () => {
    const providerData = { provider: "p", data: { signature: "s" } };
    const content: AssistantPart[] = [{ type: "reasoning", text: "", providerData }, text("4")];
    const history = [{ role: "assistant", content, toolCalls: [] }] as const;
    expect(repairHistory(history)).toBe(history);
  });

  test("reasoning whose answer is lost goes with it", () => {
    const lost: Message = {
      role: "assistant",
      content: [{ type: "reasoning", text: "Hm", providerData: { provider: "p", data: { id: "rs_1" } } }],
      toolCalls: [],
    };
    expect(repairHistory([user("4?"), lost, user("Well?")])).toEqual([user("4?"), user("Well?")]);
  });
});

const id = fc.constantFrom("", "a", "b", "a_2", "__proto__", "c d");
const word = fc.constantFrom("", " ", "Hello");
const providerData = fc.option(fc.constant({ provider: "p", data: { signature: "s" } }), { nil: undefined });
const spoken = fc
  .record({ type: fc.constantFrom("text" as const, "reasoning" as const), text: word, providerData })
  .map(({ providerData: data, ...part }) => ({ ...part, ...(data && { providerData: data }) }));
const image = fc.constant({ type: "image" as const, url: "https://a.example/x.png" });
const parts = fc.array(fc.oneof(spoken, image), { maxLength: 3 });
const place = id.map(at);
const toolCall = id.map((toolCallId) => ({ toolCallId, toolName: "f", arguments: "{}" }));
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant("system" as const), content: word }),
  fc.record({ role: fc.constant("user" as const), content: fc.oneof(word, parts) }),
  fc.record({
    role: fc.constant("assistant" as const),
    content: fc.array(fc.oneof(spoken, image, place), { maxLength: 4 }),
    toolCalls: fc.array(toolCall, { maxLength: 3 }),
  }),
  fc.tuple(id, parts).map(([toolCallId, content]): Message => ({
    role: "tool",
    result: { toolCallId, toolName: "f", content, isError: false, outcome: "success" },
  })),
);
const histories = fc.array(message, { maxLength: 12 });

/** What of a history a provider would refuse, found by another way than the repair's. */
function problemsOf(history: readonly Message[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  for (const [index, entry] of history.entries()) {
    if (entry.role === "tool") {
      const found = open.indexOf(entry.result.toolCallId);
      if (found < 0) problems.push(`${index}: a result of nothing`);
      open = open.filter((_, place) => place !== found);
      continue;
    }
    if (open.length > 0) problems.push(`${index}: calls are open`);
    const isLastWord = entry.role === "user" && index === history.length - 1;
    if (entry.content.length === 0 && !isLastWord && entry.role !== "assistant")
      problems.push(`${index}: empty`);
    if (entry.role !== "assistant") continue;
    open = entry.toolCalls.map(({ toolCallId }) => toolCallId);
    for (const used of open) {
      if (seen.has(used)) problems.push(`${index}: ${used} again`);
      seen.add(used);
    }
    const placed = entry.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    if (new Set(placed).size < placed.length || placed.some((used) => !open.includes(used)))
      problems.push(`${index}: references to no call`);
    if (open.length === 0 && entry.content.every((part) => part.type === "reasoning"))
      problems.push(`${index}: no answer`);
  }
  return open.length > 0 ? [...problems, "open at the end"] : problems;
}

describe("a message that was changed after its history was repaired", () => {
  test("is repaired again: one that is empty now is dropped", () => {
    const first = { role: "user" as const, content: "One" };
    const history: Message[] = [first, user("Two"), user("Three")];
    expect(repairHistory(history)).toBe(history);
    first.content = "";
    expect(repairHistory([...history, user("Four")])).toEqual([user("Two"), user("Three"), user("Four")]);
  });

  test("is repaired again: a result that is of another call now leaves its call open", () => {
    const changed = { ...result("a") };
    const history: Message[] = [answer("a"), changed, user("And?")];
    expect(repairHistory(history)).toBe(history);
    changed.result = result("lost").result;
    expect(repairHistory([...history, user("Well?")])).toContainEqual(unfinished("a"));
  });
});

describe("answers that were cut off", () => {
  const question = { role: "user", content: "Well?" } as const;
  const cutAnswer = (text: string): Message => ({
    role: "assistant",
    content: [{ type: "text", text }],
    toolCalls: [],
    truncated: true,
  });
  const whole: Message = { role: "assistant", content: [{ type: "text", text: "Whole." }], toolCalls: [] };

  test.each([
    ["at the end, however many, they are left out", [question, cutAnswer("a"), cutAnswer("b")], [question]],
    ["the answer that was given instead counts", [question, cutAnswer("a"), whole], [question, whole]],
    [
      "the one that the user replied to counts",
      [question, cutAnswer("a"), cutAnswer("b"), question],
      [question, cutAnswer("b"), question],
    ],
  ])("%s", (_, history, repaired) => {
    expect(repairHistory(history)).toEqual(repaired);
  });

  test("the same holds for a history that grows", () => {
    const history: Message[] = [question];
    const lengths = [cutAnswer("a"), cutAnswer("b"), question, cutAnswer("c"), whole].map((message) => {
      history.push(message);
      return repairHistory([...history]).length;
    });
    expect(lengths).toEqual([1, 1, 3, 3, 4]);
  });
});

describe("any list of messages", () => {
  test("a history that grows is repaired as if it had come at once, and so are its branches", () => {
    fc.assert(
      fc.property(histories, histories, histories, (begin, one, other) => {
        for (let length = 0; length <= begin.length; length++) repairHistory(begin.slice(0, length));
        for (const history of [
          begin,
          [...begin, ...one],
          [...begin, ...other],
          [...begin, ...one, ...other],
        ]) {
          const afresh = structuredClone(history);
          expect(repairHistory(history)).toEqual(repairHistory(afresh));
          const ids = afresh.flatMap((said) => (said.role === "assistant" ? said.toolCalls : []));
          expect(callIdsOf(history)).toEqual(new Set(ids.map(({ toolCallId }) => toolCallId)));
        }
      }),
    );
  });

  test("becomes a history that providers take, and what is one stays itself", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const before = structuredClone(history);
        const repaired = repairHistory(history);
        expect(problemsOf(repaired)).toEqual([]);
        expect(repairHistory(repaired)).toBe(repaired);
        expect(history).toEqual(before);
      }),
      { numRuns: 2_000 },
    );
  });

  test("keeps each result once whose call is there, and every word", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const words = (messages: readonly Message[]): number =>
          messages
            .flatMap((entry) =>
              entry.role === "user" && typeof entry.content === "string" ? [entry.content] : [],
            )
            .filter((content) => content !== "").length;
        expect(words(repairHistory(history))).toBe(words(history));
        const calls = (messages: readonly Message[]): number =>
          messages.flatMap((entry) => (entry.role === "assistant" ? entry.toolCalls : [])).length;
        const repaired = repairHistory(history);
        expect(calls(repaired)).toBe(calls(history));
        expect(repaired.filter((entry) => entry.role === "tool")).toHaveLength(calls(history));
      }),
      { numRuns: 1_000 },
    );
  });
});
