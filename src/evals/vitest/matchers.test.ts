import { describe, expect, test } from "vitest";
import { run } from "../../run/run.ts";
import type { RunResult } from "../../run/result-types.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { defineEval } from "../define-eval.ts";
import { runEval } from "../run-eval.ts";
import { perfectModel } from "../stand-ins/perfect-model.ts";
import { wrongModel } from "../stand-ins/wrong-model.ts";
import { shopTeam } from "../test-shop.ts";
// oxlint-disable-next-line import/no-unassigned-import -- it adds to `expect`
import "./index.ts";

function refunded(): Promise<RunResult> {
  return run(shopTeam().triage, "Refund order 7", {
    model: new ScriptedModel([
      { toolCalls: [{ toolName: "transfer_to_refunds" }] },
      { toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] },
      "Done.",
    ]),
  });
}

/** What a failing expectation says. */
function failure(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return String(error);
  }
  return "";
}

describe("of the result of a run, one can expect", () => {
  test("that a tool is called, and with what", async () => {
    const result = await refunded();
    expect(result).toCallTool("refund");
    expect(result).toCallTool("refund", { order: 7 });
    expect(result).toCallTool("refund", { order: expect.any(Number) });
    expect(result).toCallTool("refund", (args: { order: number }) => args.order > 6);
    expect(result).toCallTool("transfer_to_refunds");
    expect(result).not.toCallTool("listItems");
    expect(result).not.toCallTool("refund", { order: 8 });
    expect(failure(() => expect(result).toCallTool("refund", { order: 8 }))).toContain(
      'expected a call of refund: missing refund({ order: 8 }) among refund({"order":7})',
    );
  });

  test("exactly the calls, without handoffs unless one is named", async () => {
    const result = await refunded();
    expect(result).toCallTools("refund");
    expect(result).toCallTools("transfer_to_refunds", "refund");
    expect(result).not.toCallTools();
    expect(result).not.toCallTools("refund", "refund");
  });

  test("whom the lead is passed to, and who has it at the end", async () => {
    const result = await refunded();
    expect(result).toHandOffTo("Refunds");
    expect(result).toEndWith(result.agent);
    expect(result).not.toHandOffTo("Sales");
    expect(result).not.toEndWith("Triage");
    expect(failure(() => expect(result).toHandOffTo("Sales"))).toContain("the lead went Triage → Refunds");
  });
});

test("of an evaluation, one can expect how much passes", async () => {
  const evaluation = defineEval({
    agent: shopTeam().triage,
    cases: [{ input: "Refund order 7", calls: ["refund"] }],
  });
  expect(await runEval(evaluation, { model: perfectModel })).toPass();
  const wrong = await runEval(evaluation, { model: wrongModel });
  expect(wrong).not.toPass(0.1);
  expect(wrong).toPass(0);
});

test("what is not awaited, or is something else, is named", () => {
  const promise = refunded();
  expect(() => expect(promise).toEndWith("A")).toThrow("toEndWith() expects the result of a run");
  expect(() => expect(promise).toCallTool("a")).toThrow("Await it: expect(await run(...)).");
  expect(() => expect({}).toHandOffTo("A")).toThrow("toHandOffTo() expects");
  expect(() => expect({ messages: [] }).not.toCallTools("a")).toThrow("toCallTools() expects");
  expect(() => expect(promise).toPass(0.9)).toThrow("toPass() expects the result of runEval()");
});
