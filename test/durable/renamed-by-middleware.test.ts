/** A middleware names a call otherwise than its model did: a durable run goes on with the tool that was reached. */
import { Agent, type Middleware, tool, type Tool } from "skein";
import { memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { approve } from "./agents.ts";
import { testRuns } from "./test-runs.ts";

const input = { type: "object", properties: {} } as const;

/** Models call tools by names that only the middleware has. */
const renaming: Middleware = {
  tool: (call, _info, next) => next({ ...call, toolName: call.toolName.replace(/^old_/, "") }),
};

const caller = (name: string, toolName: string, ...tools: readonly Tool[]): Agent =>
  new Agent({
    name,
    description: name,
    tools,
    model: new FunctionModel(({ messages }) =>
      messages.length > 1 ? "Done." : { toolCalls: [{ toolName, arguments: { input: "Pay." } }] },
    ),
  });

test.each([
  ["the call that waits", "old_pay", (pay: Tool) => caller("Desk", "old_pay", pay)],
  [
    "the call of an agent within which one waits",
    "old_payer",
    (pay: Tool) => caller("Desk", "old_payer", caller("Payer", "pay", pay).asTool({ name: "payer" })),
  ],
])("%s", async (_, name, build) => {
  const paid: string[] = [];
  const pay = tool({ name: "pay", input, approval: true, execute: () => void paid.push(name) });
  const runs = testRuns(memoryStore(), { agents: [build(pay)], runOptions: { middleware: [renaming] } });
  void runs.work();
  const handle = await runs.start("Desk", "Pay.", { id: "r" });
  expect(await handle.result()).toMatchObject({ status: "paused" });
  await approve(handle);
  expect(await handle.result()).toMatchObject({ status: "completed", text: "Done." });
  expect(paid).toEqual([name]);
  await runs.close();
});
