/** `compaction: { summarize: true }`: the model that is called sums up what goes. */
import { expect, test } from "vitest";
import { Agent, run, tool, type Message } from "skein";
import { FunctionModel, ScriptedModel, type TurnFunction } from "skein/testing";

const fetchPage = tool({
  name: "fetchPage",
  input: { type: "object", properties: {} },
  execute: () => "page ".repeat(200),
});
const compaction = { maxTokens: 2_000, summarize: true } as const;

/** What a model answers that reads twelve pages and then says what summary it has of them. Who has no tools is to sum up. */
function reader(name: string): TurnFunction {
  let pages = 0;
  return ({ messages, tools }) => {
    if (!tools) return `Notes of ${name}`;
    if ((pages += 1) <= 12) return { toolCalls: [{ toolName: "fetchPage" }] };
    return JSON.stringify(messages.find(isSummary));
  };
}

const isSummary = (message: Message): boolean => message.role === "user" && message.summaryOf !== undefined;

test("the agent's own model sums up", async () => {
  const agent = new Agent({ name: "A", model: new FunctionModel(reader("its model")), tools: [fetchPage] });
  const { text, warnings } = await run(agent, "Read", { compaction });
  expect(text).toContain("earlier messages]\\nNotes of its model");
  expect(warnings).toEqual([]);
});

test("the model of the run sums up in place of the agent's", async () => {
  const agent = new Agent({ name: "A", model: new ScriptedModel([]), tools: [fetchPage] });
  const { text } = await run(agent, "Read", { compaction, model: new FunctionModel(reader("the run")) });
  expect(text).toContain("Notes of the run");
});

test("an agent used as a tool is summed up by its own model, or by that of its caller", async () => {
  const call = { toolCalls: [{ toolName: "inner", arguments: { input: "Read" } }] };
  const inner = new Agent({
    name: "Inner",
    model: new FunctionModel(reader("the inner model")),
    tools: [fetchPage],
  });
  const outer = new Agent({
    name: "Outer",
    model: new ScriptedModel([call, "done"]),
    tools: [inner.asTool()],
  });
  const { agentRuns } = await run(outer, "Read", { compaction });
  expect(JSON.stringify(agentRuns[0]?.messages.at(-1))).toContain("Notes of the inner model");

  const reading = reader("the caller");
  const model = new FunctionModel((request) => {
    if (request.tools?.[0]?.name !== "inner") return reading(request);
    return request.messages.length === 1 ? call : "done";
  });
  const borrowing = new Agent({ name: "Inner", tools: [fetchPage] });
  const caller = new Agent({ name: "Outer", model, tools: [borrowing.asTool()] });
  const within = (await run(caller, "Read", { compaction })).agentRuns[0];
  expect(JSON.stringify(within?.messages.at(-1))).toContain("Notes of the caller");
});
