/** A result that was truncated for one agent can be read on by the next one, whose own tools truncate nothing. */
import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { FunctionModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;
const whole = "0123456789".repeat(50);
const fetchPage = tool({ name: "fetchPage", input, maxResultChars: 100, execute: () => whole });
const next = new Agent({ name: "Next" });
const first = new Agent({ name: "First", tools: [fetchPage], handoffs: [next] });

/** Fetches the page, hands off, reads on; notes the tools that each request offers. */
function readingModel(offered: string[][]): FunctionModel {
  return new FunctionModel(({ messages, tools = [] }) => {
    offered.push(tools.map(({ name }) => name));
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    const [page] = results;
    if (!page) return { toolCalls: [{ toolName: "fetchPage", arguments: {} }] };
    if (results.length === 1) return { toolCalls: [{ toolName: "transfer_to_next", arguments: {} }] };
    if (results.length > 2) return "Done.";
    const args = { toolCallId: page.toolCallId, from: 200 };
    return { toolCalls: [{ toolName: "read_result", arguments: args }] };
  });
}

test("after a handoff, read_result is there and finds the result", async () => {
  const offered: string[][] = [];
  const model = readingModel(offered);
  const { messages, agent } = await run(first, "Go.", { model });
  expect(agent.name).toBe("Next");
  const last = messages.flatMap((message) => (message.role === "tool" ? [message.result] : [])).at(-1);
  expect(last).toMatchObject({ toolName: "read_result", outcome: "success" });
  expect(last?.content[0]).toMatchObject({
    text: expect.stringMatching(/^\[characters 200 to \d+, \d+ more/),
  });
  expect(offered.map((names) => names.includes("read_result"))).toEqual([true, true, true, true]);
});

test("an agent in whose history nothing was truncated has no such tool", async () => {
  const offered: string[][] = [];
  const model = new FunctionModel(({ tools = [] }) => {
    offered.push(tools.map(({ name }) => name));
    return "Done.";
  });
  await run(next, "Go.", { model });
  expect(offered).toEqual([[]]);
});
