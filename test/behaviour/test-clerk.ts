import { expect } from "vitest";
import {
  Agent,
  InvalidInputError,
  tool,
  type ApprovalDecision,
  type JsonValue,
  type RunResult,
  type RunState,
  type ToolPolicy,
  type ToolResult,
} from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";

/** An agent, its model, and what its tools did. */
export interface Team {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly done: string[];
}

/** The arguments of `pay`. */
export const amounts = {
  type: "object",
  properties: { amount: { type: "number" } },
  required: ["amount"],
} as const;

/** What a model says. */
export type Turns = ConstructorParameters<typeof ScriptedModel>[0];

/** An agent with a tool that pays, once it is approved, and one that looks, and what both did. */
export function team(turns: Turns, policy: ToolPolicy<{ amount: number }> = { approval: true }): Team {
  const done: string[] = [];
  const pay = tool({
    name: "pay",
    input: amounts,
    ...policy,
    execute: ({ amount }: { amount: number }) => `${done.push(`pay ${amount}`)} done`,
  });
  const look = tool({
    name: "look",
    input: { type: "object", properties: {} },
    execute: () => `${done.push("look")} done`,
  });
  const model = new ScriptedModel(turns);
  return { agent: new Agent({ name: "Clerk", model, tools: [pay, look] }), model, done };
}

/** A call that pays. */
export const pay = (amount: JsonValue): ScriptedToolCall => ({ toolName: "pay", arguments: { amount } });

/** A call that looks. */
export const look: ScriptedToolCall = { toolName: "look" };

/** What storing a state and reading it again makes of it. */
export const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state));

/** What the decisions of a paused run have to refer to. */
export const idsOf = ({ pending }: Pick<RunResult, "pending">): string[] =>
  pending.map(({ approvalId }) => approvalId ?? "none");
/** The option that decides on all that a paused run waits for. */
export const decide = (
  paused: Pick<RunResult, "pending">,
  decision: "approve" | "deny" = "approve",
  more: Partial<ApprovalDecision> = {},
): { approvals: ApprovalDecision[] } => ({
  approvals: idsOf(paused).map((approvalId) => ({ approvalId, decision, ...more })),
});

/** The results of a run's calls. */
export const resultsOf = ({ messages }: Pick<RunResult, "messages">): ToolResult[] =>
  messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));

/** What the model reads of them. */
export const textsOf = (result: Pick<RunResult, "messages">): string[] =>
  resultsOf(result).map(({ content }) =>
    content.map((part) => ("text" in part ? part.text : "")).join(" | "),
  );

/** What a run that must not go on throws. */
export const failure = (promise: Promise<unknown>): Promise<InvalidInputError> =>
  promise.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => (error instanceof InvalidInputError ? error : Promise.reject(error)),
  );
