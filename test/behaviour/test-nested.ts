/** Agents and tools that call others, for tests of what waits within calls. */
import {
  Agent,
  type ApprovalDecision,
  type JsonObject,
  type RunOptions,
  type RunResult,
  tool,
  type Tool,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { beforeEachTest } from "../hooks.ts";
import { memoryJournal } from "./test-journal.ts";

export const empty = { type: "object", properties: {} } as const;

/** What was done in a test, and the idempotency key of each call that did it. */
export const effects: string[] = [];
export const keys: string[] = [];
beforeEachTest(() => {
  effects.length = 0;
  keys.length = 0;
});

export function does(name: string, options: { approval?: boolean; mask?: boolean } = {}): Tool {
  return tool({
    name,
    description: name,
    input: { type: "object", properties: { amount: { type: "number" } } },
    ...options,
    execute: ({ amount }: { amount?: number }, context) => {
      effects.push(amount === undefined ? name : `${name} ${amount}`);
      keys.push(context.idempotencyKey);
      return `${name} is done`;
    },
  });
}

/** Makes the calls one after the other, each in an answer of its own, and then answers with what the tools said. */
export function calls(
  ...names: readonly (string | { toolName: string; arguments: JsonObject })[]
): FunctionModel {
  return new FunctionModel(({ messages }) => {
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    const next = names[results.length];
    if (next === undefined) return `Results: ${results.map(({ content }) => JSON.stringify(content)).join()}`;
    const call = typeof next === "string" ? { toolName: next, arguments: { input: "Go." } } : next;
    return { toolCalls: [{ toolCallId: `id_${results.length}`, ...call }] };
  });
}

export const pay = { toolName: "pay", arguments: { amount: 5 } };

export function clerk(name = "Clerk"): Agent {
  return new Agent({
    name,
    model: calls("look", pay, "note"),
    tools: [does("look"), does("pay", { approval: true }), does("note")],
  });
}

export function boss(
  tools: NonNullable<ConstructorParameters<typeof Agent>[0]["tools"]> = [clerk().asTool()],
): Agent {
  return new Agent({ name: "Boss", model: calls("clerk"), tools });
}

export function decide(
  { pending }: Pick<RunResult, "pending">,
  decision: ApprovalDecision["decision"] = "approve",
  more: Partial<ApprovalDecision> = {},
): ApprovalDecision[] {
  return pending.map(({ approvalId = "" }) => ({ approvalId, decision, ...more }));
}

export function plain<T>(value: T): T {
  const copy: T = JSON.parse(JSON.stringify(value));
  return copy;
}

/** What keeps a run between its two halves. */
export const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a state", () => ({})],
  ["a signed state", () => ({ stateSecret: "0123456789abcdef" })],
  ["a session", () => ({ session: memorySession() })],
  ["a journal", () => ({ journal: memoryJournal() })],
];
