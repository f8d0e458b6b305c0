/** A summary may be of any length: what is kept of it leaves room for the conversation. */
import { expect, test } from "vitest";
import { Agent, type Compaction, type Message, run } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

const long = "The user wants a kite. ".repeat(100_000);

test.each<[string, () => Compaction["summarize"]]>([
  ["a function", () => () => long],
  ["a model", () => new ScriptedModel([long])],
])("a summary by %s that is longer than its room is cut, marked, and the run warns", async (_, summarize) => {
  const history = Array.from({ length: 40 }, (__, index): Message => ({
    role: "user",
    content: `${index} ${"word ".repeat(100)}`,
  }));
  const requests: (readonly Message[])[] = [];
  const model = new FunctionModel(({ messages }) => {
    requests.push(messages);
    return "Yes.";
  });
  const by = summarize();
  const compaction = { maxTokens: 2_000, ...(by && { summarize: by }) };
  const { text, warnings } = await run(new Agent({ name: "A", model }), history, { compaction });
  expect(text).toBe("Yes.");
  const [summary = ""] = (requests[0] ?? []).flatMap((message) =>
    message.role === "user" && message.summaryOf ? [JSON.stringify(message.content)] : [],
  );
  expect(summary.length).toBeLessThan(2_000 * 4);
  expect(summary).toMatch(/characters left out\]/);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The summary of the history was longer than the room for it, and was cut to \d+ char/,
    ),
  ]);
});
