import { expect, test } from "vitest";
import { Agent, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { workTool } from "./test-calls.ts";

const callOf = (id: string) => ({ toolName: "work", arguments: { id } });

test("a successful result ends the run and is its text", async () => {
  const model = new ScriptedModel([{ toolCalls: [callOf("a")] }]);
  const agent = new Agent({ name: "A", model, tools: [workTool(({ id }) => `done ${id}`, { final: true })] });
  const { status, text, messages } = await run(agent, "go");
  expect([status, text]).toEqual(["completed", "done a"]);
  expect(messages.at(-1)).toMatchObject({ role: "tool" });
  model.assertComplete();
});

test("of several in a batch the last one counts", async () => {
  const model = new ScriptedModel([{ toolCalls: [callOf("a"), callOf("b")] }]);
  const agent = new Agent({ name: "A", model, tools: [workTool(({ id }) => id, { final: true })] });
  expect((await run(agent, "go")).text).toBe("b");
});

test("an error does not end the run: the model may try again", async () => {
  const model = new ScriptedModel([{ toolCalls: [callOf("a")] }, { toolCalls: [callOf("b")] }]);
  const execute = ({ id }: { id: string }): string => {
    if (id === "a") throw new Error("not that one");
    return id;
  };
  const agent = new Agent({ name: "A", model, tools: [workTool(execute, { final: true })] });
  expect((await run(agent, "go")).text).toBe("b");
  model.assertComplete();
});
