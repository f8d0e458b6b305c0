import { expect, test } from "vitest";
import { Agent, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { streamed } from "../providers/answers.ts";
import { protocols } from "../providers/protocols.ts";
import { noting, outcomesOf, resultOf, runOver } from "./kit.ts";

test.each(protocols)(
  "a call of an answer that was cut by its length is never executed: %s",
  async (protocol) => {
    const done: string[] = [];
    const calls = [{ id: "one", name: "write", arguments: '{"n":1}' }];
    const reply = streamed(protocol, { id: "cut", text: "I write.", calls, finish: "length" });
    const result = resultOf((await runOver(protocol, [reply], [noting(done, "write")])).outcome);
    expect(done).toEqual([]);
    expect(result).toMatchObject({ status: "incomplete", finishReason: "length", pending: [] });
    expect(outcomesOf(result)).toEqual(["write: not-executed"]);
  },
);

test("nor is one of an answer whose stream ends without its end: that is an error", async () => {
  const done: string[] = [];
  const turn = { toolCalls: [{ toolName: "write", arguments: { n: 1 } }], cut: true } as const;
  const agent = new Agent({ name: "A", model: new ScriptedModel([turn]), tools: [noting(done, "write")] });
  await expect(run(agent, "Go.")).rejects.toMatchObject({ code: "malformed-response" });
  expect(done).toEqual([]);
});
