/** What takes the place of an old result is a note for the model, and nothing else. */
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { empty } from "./test-nested.ts";

test("what was left out of a result is not passed to another tool in its place", async () => {
  const read = tool({ name: "read", input: empty, execute: () => "clause ".repeat(600) });
  const sent: unknown[] = [];
  const input = { type: "object", properties: { body: { type: "string" } } } as const;
  const send = tool({ name: "send", input, execute: ({ body }: { body?: string }) => `${sent.push(body)}` });
  const reads = Array.from({ length: 4 }, () => ({ toolCalls: [{ toolName: "read" }] }));
  const call = { toolName: "send", arguments: { body: { $result: "call_1" } } };
  const model = new ScriptedModel([...reads, { toolCalls: [call] }, "Sent."]);
  const agent = new Agent({ name: "A", model, tools: [read, send] });
  const compaction = { maxTokens: 2_500, pruneResults: { keepLast: 1 } };
  const { messages } = await run(agent, "Send what you have read first.", { compaction });
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  expect(sent).toEqual([]);
  expect(results.at(-1)?.outcome).toBe("invalid-arguments");
  expect(JSON.stringify(results.at(-1)?.content)).toContain(
    "refers to call_1, an old result that was left out: call the tool again",
  );
});
