/** Answers of thousands of calls: a run that is cancelled meanwhile ends, and what else the process does goes on. */
import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";

const input = { type: "object", properties: { n: { enum: ["one", "two"] } }, required: ["n"] } as const;

test.each([
  ["wrong arguments", "count", '{"n":"three"}'],
  ["unknown tools", "cuont", "{}"],
  ["references", "count", '{"n":{"$result":"nowhere"}}'],
])("a run is cancelled among calls with %s, and none after that is read", async (_kind, toolName, args) => {
  const toolCalls = Array.from({ length: 5_000 }, (_, index) => ({
    toolName,
    toolCallId: `c${index}`,
    arguments: args,
  }));
  const count = tool({ name: "count", input, execute: () => 1 });
  const agent = new Agent({ name: "A", model: new ScriptedModel([{ toolCalls }, "Done."]), tools: [count] });
  const stop = new AbortController();
  let ended = 0;
  const { status, messages } = await run(agent, "Go", {
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === "tool-end" && (ended += 1) === 1) setTimeout(() => stop.abort());
    },
  });
  expect(status).toBe("cancelled");
  // Eight calls go on at once, each of which gives a turn after 256 calls at most.
  const outcomes = messages.flatMap((message) => (message.role === "tool" ? [message.result.outcome] : []));
  expect(outcomes).toHaveLength(5_000);
  expect(
    outcomes.filter((outcome) => outcome === "cancelled" || outcome === "not-executed").length,
  ).toBeGreaterThan(2_000);
});
