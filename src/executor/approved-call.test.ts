import { expect, test } from "vitest";
import { ApprovedCall, editNote } from "./approved-call.ts";

const call = { toolCallId: "c", toolName: "pay", arguments: '{"amount":5}' };

test("of edited arguments the model is shown 2,000 characters", () => {
  const noteOf = (length: number): string => editNote({ arguments: "x".repeat(length) });
  expect(noteOf(2_000)).toMatch(/ other arguments: x{2000}$/);
  expect(noteOf(2_001)).toMatch(/ other arguments: x{2000}…$/);
});

test("a call is made once, however often it is performed", async () => {
  const approved = new ApprovedCall<string>(call, {});
  let count = 0;
  const make = async (): Promise<string> => `paid ${(count += 1)}`;
  expect(approved.isUsed).toBe(false);
  expect([await approved.perform(make), await approved.perform(make)]).toEqual(["paid 1", "paid 1"]);
  expect(approved.isUsed).toBe(true);
});

test("only what a person wrote for the tool, and what was not made yet, is unseen", async () => {
  const edited = { ...call, arguments: '{"amount":1}' };
  expect(new ApprovedCall(call, {}).isUnseen(call)).toBe(false);
  const approved = new ApprovedCall<string>(call, { edited });
  expect([approved.isUnseen(call), approved.isUnseen({ ...call, toolName: "ask" })]).toEqual([true, false]);
  await approved.perform(async () => "paid");
  expect(approved.isUnseen(call)).toBe(false);
});

test("a call keeps the arguments that were permitted, unless it is of another tool or what a person wrote", () => {
  const approved = new ApprovedCall<string>(call, {});
  const changed = { ...call, arguments: '{"amount":9}' };
  expect(approved.asPermitted(changed)).toBe(call);
  expect(approved.asPermitted({ ...changed })).toBe(call);
  const another = { ...call, arguments: '{"amount":900}' };
  expect(approved.asPermitted(another)).toBe(another);
  expect([approved.isAnother(another), approved.isAnother(call)]).toEqual([true, false]);
  const other = { ...changed, toolName: "ask" };
  expect(approved.asPermitted(other)).toBe(other);
  expect(new ApprovedCall(call, { edited: call }).asPermitted(changed)).toBe(changed);
});
