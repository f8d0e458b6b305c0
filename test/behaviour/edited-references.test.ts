/** A person who edits arguments that refer to results writes values: the tool must not get the reference in place of one. */
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";

const paid: unknown[] = [];

function desk(): Agent {
  const find = tool({
    name: "find",
    input: { type: "object" },
    execute: () => ({ account: { iban: "DE1" } }),
  });
  const pay = tool({
    name: "pay",
    approval: true,
    input: { type: "object", properties: { to: { type: "object" }, n: { type: "number" } } },
    execute: (input: unknown) => `paid ${paid.push(input)}`,
  });
  const toolCalls = [
    { toolCallId: "f", toolName: "find", arguments: {} },
    { toolCallId: "p", toolName: "pay", arguments: { to: { $result: "f/account" }, n: 1 } },
  ];
  return new Agent({ name: "Desk", model: new ScriptedModel([{ toolCalls }, "Done."]), tools: [find, pay] });
}

test("an edit that keeps a reference is refused, and one of the input that was shown is carried out", async () => {
  const agent = desk();
  const { state, pending } = await run(agent, "Go.");
  const [call] = pending;
  const { approvalId = "", arguments: text = "{}", input } = { ...call };
  expect(input).toEqual({ to: { iban: "DE1" }, n: 1 });
  const approve = (edited: object | string) =>
    run(agent, state, { approvals: [{ approvalId, decision: "approve", arguments: edited }] });
  const refusal =
    'The arguments that options.approvals gives to pay refer to a result: $.to is { "$result": "f/account" }.';
  await expect(approve({ ...JSON.parse(text), n: 2 })).rejects.toThrow(refusal);
  await expect(approve(text)).rejects.toThrow(refusal);
  expect(paid).toEqual([]);
  expect((await approve({ ...Object(input), n: 2 })).status).toBe("completed");
  expect(paid).toEqual([{ to: { iban: "DE1" }, n: 2 }]);
});
