import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { FunctionModel } from "../../testing/index.ts";
import { tool } from "../../tool/define.ts";
import { transcript } from "./test-chat.ts";

test("an approved call is executed by the tool of the agent that made it, which has handed off since", async () => {
  const executed: string[] = [];
  const refund = (who: string, approval: boolean): ReturnType<typeof tool> =>
    tool({
      name: "refund",
      input: { type: "object", properties: {} },
      approval,
      execute: () => executed.push(who),
    });
  const sales = new Agent({
    name: "Sales",
    model: new FunctionModel(() => "Sold."),
    tools: [refund("Sales", false)],
  });
  const triage = new Agent({
    name: "Triage",
    model: new FunctionModel(() => ({
      toolCalls: [{ toolName: "refund" }, { toolName: "transfer_to_sales" }],
    })),
    tools: [refund("Triage", true)],
    handoffs: [sales],
  });
  expect(await transcript(triage, ["refund, then sell", "y"])).toContain("Sold.");
  expect(executed).toEqual(["Triage"]);
});
