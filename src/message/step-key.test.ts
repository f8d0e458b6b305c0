import { expect, test } from "vitest";
import { calleeOfStep, printStep, runIdWithin, type StepKey } from "./step-key.ts";

const call: StepKey = { runId: "r", turn: 2, kind: "tool", id: "call_1" };
const helper: StepKey = { runId: "r", turn: 2, kind: "run", id: "Helper", parent: call };

test("a step is printed with its turn and those around it", () => {
  expect(printStep({ runId: "r", turn: 0, kind: "run", id: "" })).toBe("run");
  expect(printStep({ runId: "r", turn: 1, kind: "model", id: "" })).toBe("turn-1/model");
  expect(printStep(call)).toBe("turn-2/tool/call_1");
  expect(printStep({ ...call, id: "call_1/add/1", parent: call })).toBe(
    "turn-2/tool/call_1/tool/call_1%2Fadd%2F1",
  );
  const within = { runId: runIdWithin(helper), turn: 1, kind: "model", id: "", parent: helper } as const;
  expect(printStep(within)).toBe("turn-2/tool/call_1/run/Helper/turn-1/model");
});

test("names that look like other steps are told apart", () => {
  const odd: StepKey = { ...helper, id: "Helper/turn-1/model" };
  const model: StepKey = { runId: "r", turn: 1, kind: "model", id: "", parent: helper };
  expect(printStep(odd)).not.toBe(printStep(model));
  expect(printStep({ ...helper, id: "a%2Fb" })).not.toBe(printStep({ ...helper, id: "a/b" }));
});

test("the id of a run within another says where it runs, and is the same when that is started again", () => {
  expect(runIdWithin(helper)).toBe("r/turn-2/tool/call_1/run/Helper");
  const deeper: StepKey = { runId: runIdWithin(helper), turn: 1, kind: "tool", id: "call_1", parent: helper };
  expect(runIdWithin({ ...deeper, kind: "run", id: "Other", parent: deeper })).toBe(
    "r/turn-2/tool/call_1/run/Helper/turn-1/tool/call_1/run/Other",
  );
});

test("a step that a person has decided on is another than the one that asked", () => {
  expect(printStep({ ...call, decided: true })).toBe("turn-2/tool/call_1/decided");
});

test("what a step within a call runs is read from its text, whatever its name, and from nothing else", () => {
  const print = (id: string): string => printStep({ ...helper, id });
  const fingerprint = "0123456789abcdef";
  expect(calleeOfStep(print(`Helper/${fingerprint}`))).toBe("Helper");
  expect(calleeOfStep(print(`a/b%\nc/${fingerprint}/12`))).toBe("a/b%\nc");
  for (const other of [
    "Helper",
    `Helper/${fingerprint}0`,
    `Helper/${fingerprint}/x`,
    `Helper/${fingerprint}/`,
  ])
    expect(calleeOfStep(print(other))).toBeUndefined();
  expect(calleeOfStep("turn-1/tool/%E0")).toBeUndefined();
});
