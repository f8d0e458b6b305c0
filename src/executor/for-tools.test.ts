import { expect, test } from "vitest";
import { Agent, executeToolCalls, run, tool, type ToolContext } from "skein";
import { ScriptedModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;
const inner = tool({ name: "inner", input, callers: "tools", execute: () => "of inner" });
const left = tool({ name: "left", input, callers: "tools" });
const outer = tool({
  name: "outer",
  input,
  execute: (_: unknown, { call }: ToolContext) => call("inner", {}),
});

test("models do not see a tool that only tools may call, and tools call it", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer" }] }, "Done."]);
  const { messages } = await run(new Agent({ name: "A", model, tools: [inner, left, outer] }), "Go.");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["outer"]);
  expect(messages[1]).toMatchObject({ result: { content: [{ text: "of inner" }] } });
});

test("a model's own call of one is a call of an unknown tool, also where the program would execute it", async () => {
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "inner" }, { toolName: "left" }, { toolName: "none" }] },
    "Done.",
  ]);
  const { messages, status } = await run(new Agent({ name: "A", model, tools: [inner, left, outer] }), "Go.");
  expect(status).toBe("completed");
  const texts = messages.flatMap((message) =>
    message.role === "tool" ? [JSON.stringify([message.result.outcome, message.result.content])] : [],
  );
  const words = (name: string) =>
    JSON.stringify([
      "unknown-tool",
      [
        {
          type: "text",
          text: `There is no tool named "${name}". The tools are: "outer". Call one of them, or answer without a tool.`,
        },
      ],
    ]);
  expect(texts).toEqual([words("inner"), words("left"), words("none")]);
});

test("outside a run, too", async () => {
  const [result] = await executeToolCalls([{ toolCallId: "1", toolName: "inner", arguments: "{}" }], [inner]);
  expect(result?.outcome).toBe("unknown-tool");
});
