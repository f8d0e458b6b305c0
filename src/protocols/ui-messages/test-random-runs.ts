import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage as AiMessage,
} from "ai";
import * as fc from "fast-check";
import { expect } from "vitest";
import { Agent, type RunResult, type RunState, stream, tool } from "../../index.ts";
import type { ApprovalDecision, PendingCall } from "../../message/run-state.ts";
import type { ExternalResult } from "../../run/types.ts";
import { FunctionModel, type ScriptedTurn } from "../../testing/index.ts";
import { partIdOf } from "./call-input.ts";
import { chunksOf, lastText, messageOf, visible } from "./test-stream.ts";
import { askUser, double, failing, refund } from "./test-tools.ts";
import { toUIMessages } from "./to-ui-messages.ts";

/** What happens in a random run. */
export interface RandomRun {
  readonly turns: readonly ScriptedTurn[];
  readonly innerTurns: readonly ScriptedTurn[];
  readonly deepTurns: readonly ScriptedTurn[];
  /** What becomes of calls that wait, one after the other: approved, denied, or left for the next round. */
  readonly answers: readonly ("yes" | "no" | "later")[];
  readonly toolCalls: boolean;
}

const text = fc.constantFrom("", "Hi.", "Let me see what I can do.", "{", "ä€😀");

const args = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ n: fc.integer({ min: 0, max: 9 }) }).map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: fc.constantFrom('{"n":"x"}', "{broken", '{"n":1,}', "[1]") },
);

function callOf(names: readonly string[]): fc.Arbitrary<{ toolName: string; arguments: string }> {
  return fc.record({ toolName: fc.constantFrom(...names), arguments: args }).map((each) => ({
    toolName: each.toolName,
    arguments: agentNames.has(each.toolName) ? '{"input":"go"}' : each.arguments,
  }));
}

const agentNames = new Set(["research", "dig"]);

function turnOf(names: readonly string[]): fc.Arbitrary<ScriptedTurn> {
  return fc
    .record(
      {
        text,
        reasoning: text,
        toolCalls: fc.array(callOf(names), { maxLength: 4 }),
        chunkSize: fc.integer({ min: 1, max: 9 }),
        finishReason: fc.constantFrom(
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          "length" as const,
        ),
        errorAfter: fc.constantFrom(
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          0,
          2,
          5,
        ),
      },
      { requiredKeys: ["toolCalls"] },
    )
    .map(({ finishReason, errorAfter, ...turn }) => ({
      ...turn,
      ...(finishReason !== undefined && { finishReason }),
      // Not the network's, which a run tries again after a while.
      ...(errorAfter !== undefined && { errorAfter, error: new Error("It broke.") }),
    }));
}

const plainTools = ["double", "failing", "refund", "askUser", "nope", "both"];

/** Random runs, with agents within agents. */
export const randomRun: fc.Arbitrary<RandomRun> = fc.record({
  turns: fc.array(turnOf([...plainTools, "research", "transfer_to_other", "transfer_to_first", "report"]), {
    maxLength: 4,
  }),
  innerTurns: fc.array(turnOf([...plainTools, "dig"]), { maxLength: 4 }),
  deepTurns: fc.array(turnOf(plainTools), { maxLength: 3 }),
  answers: fc.array(fc.constantFrom("yes" as const, "no" as const, "later" as const), { maxLength: 12 }),
  toolCalls: fc.boolean(),
});

const both = tool({
  name: "both",
  description: "Do both.",
  input: { type: "object", properties: {} },
  execute: async (_: unknown, context) =>
    [await context.call("double", { n: 1 }), await context.call("refund", { n: 2 })].join(),
});

const report = tool({
  name: "report",
  description: "Report.",
  input: { type: "object", properties: {} },
  final: true,
  execute: () => "The report.",
});

/** A model that plays a script, and then says that it is done. */
function modelOf(turns: readonly ScriptedTurn[]): FunctionModel {
  let next = 0;
  return new FunctionModel(() => turns[next++] ?? "Done.");
}

function agentOf({ turns, innerTurns, deepTurns }: RandomRun): Agent {
  const plain = [double, failing, refund, askUser, both];
  const deep = new Agent({ name: "Deep", tools: plain, model: modelOf(deepTurns) });
  const inner = new Agent({
    name: "Inner",
    tools: [...plain, deep.asTool({ name: "dig" })],
    model: modelOf(innerTurns),
  });
  const model = modelOf(turns);
  const tools = [...plain, report, inner.asTool({ name: "research" })];
  const other: Agent = new Agent({ name: "other", tools, model });
  return new Agent({ name: "first", tools, handoffs: [other], model });
}

/** What the program and the client answer to calls that wait. */
interface Answers {
  readonly approvals: readonly ApprovalDecision[];
  readonly results: readonly ExternalResult[];
}

/**
 * Plays a run to its end, over its pauses, with the AI SDK's client: at each stop its message must be that of the history, and its text
 * that of the result. @returns how many chunks there were.
 */
export async function expectSameMessage(random: RandomRun): Promise<number> {
  const agent = agentOf(random);
  const show = { toolCalls: random.toolCalls };
  const answers = [...random.answers];
  let message: AiMessage | undefined;
  let state: RunState | undefined;
  let pending: readonly PendingCall[] = [];
  let count = 0;
  let replies: Answers = { approvals: [], results: [] };
  for (let round = 0; round < 12; round++) {
    const running = state ? stream(agent, state, replies) : stream(agent, "Hello");
    const chunks = await chunksOf(running, {
      show,
      messageId: "m",
      ...(state && { isContinuation: true, pending }),
    });
    count += chunks.length;
    message = await messageOf(chunks, message);
    expectClosed(message);
    const result = await running.result.catch(() => undefined);
    if (!result) return count;
    expectSame(message, result, show);
    if (result.status !== "paused") return count;
    ({ state, pending } = result);
    replies = answersTo(pending, answers);
    message = answered(message, replies);
    expectSentOnce(message, pending, replies);
  }
  return count;
}

function expectSame(message: AiMessage, result: RunResult, show: { toolCalls: boolean }): void {
  const { state, pending } = result;
  const [, fromHistory] = toUIMessages(state.messages, pending, { show });
  const limits = { waiting: new Set(pending.map(partIdOf)), ...show };
  expect(comparable(message, limits)).toEqual(comparable(fromHistory ?? { parts: [] }, limits));
  if (result.status !== "paused") expectAllEnded(message);
  if (result.status === "completed") expect(lastText(message)).toBe(result.text);
}

/**
 * The texts and calls of a message, as far as a history has them: no calls within others, and without calls those that wait. Calls that
 * waited beside calls within others have a step of their own in a stream alone.
 */
function comparable(
  message: Pick<AiMessage, "parts">,
  { waiting, toolCalls }: { readonly waiting: ReadonlySet<string>; readonly toolCalls: boolean },
): object {
  const texts: object[] = [];
  const calls: [id: string, part: object][] = [];
  for (const part of visible(message)) {
    const { type, toolCallId: id }: { readonly type?: unknown; readonly toolCallId?: unknown } = part;
    if (typeof id !== "string") {
      if (type === "text" || type === "reasoning") texts.push(part);
    } else if (waiting.has(id) || (toolCalls && !id.includes("/"))) calls.push([id, part]);
  }
  return { texts, calls: calls.toSorted(([first], [second]) => first.localeCompare(second)) };
}

/** Once a run is over, every call has ended: a page asks for nothing more. */
function expectAllEnded({ parts }: AiMessage): void {
  const open = parts.filter((part) => "toolCallId" in part && !part.state.startsWith("output-"));
  expect(open).toEqual([]);
}

/** Whatever happens, no part is left in the middle. */
function expectClosed({ parts }: AiMessage): void {
  const open = parts.filter(
    (part) => "state" in part && (part.state === "streaming" || part.state === "input-streaming"),
  );
  expect(open).toEqual([]);
}

function answersTo(pending: readonly PendingCall[], answers: ("yes" | "no" | "later")[]): Answers {
  const approvals: ApprovalDecision[] = [];
  const results: ExternalResult[] = [];
  for (const [index, { approvalId, toolCallId }] of pending.entries()) {
    const answer = answers.shift() ?? "yes";
    const isLeft = answer === "later" && index > 0;
    if (isLeft) continue;
    if (approvalId !== undefined)
      approvals.push({ approvalId, decision: answer === "no" ? "deny" : "approve" });
    else
      results.push({
        toolCallId,
        content: answer === "no" ? "The tool failed." : { color: "blue" },
        isError: answer === "no",
      });
  }
  return { approvals, results };
}

/** The client's message, as `addToolApprovalResponse` and `addToolOutput` change it. */
function answered(message: AiMessage, { approvals, results }: Answers): AiMessage {
  const parts = message.parts.map((part) => {
    if (!("toolCallId" in part)) return part;
    const decision = approvals.find(({ approvalId }) => approvalId === part.approval?.id);
    if (decision && part.state === "approval-requested")
      return {
        ...part,
        state: "approval-responded",
        approval: { id: decision.approvalId, approved: decision.decision === "approve" },
      };
    const result = results.find(({ toolCallId }) => toolCallId === part.toolCallId);
    if (!result || part.state !== "input-available") return part;
    return result.isError
      ? { ...part, state: "output-error", errorText: result.content }
      : { ...part, state: "output-available", output: result.content };
  });
  return JSON.parse(JSON.stringify({ ...message, parts }));
}

/**
 * A page sends by itself once everything that waits is answered, and not before. The AI SDK does not send results of tools beside a call
 * that was denied in an earlier round.
 */
function expectSentOnce(message: AiMessage, pending: readonly PendingCall[], replies: Answers): void {
  const messages = [message];
  const isSent =
    lastAssistantMessageIsCompleteWithApprovalResponses({ messages }) ||
    lastAssistantMessageIsCompleteWithToolCalls({ messages });
  const isAnswered = replies.approvals.length + replies.results.length === pending.length;
  const hasDenied = message.parts.some((part) => "state" in part && part.state === "output-denied");
  const isRight = isSent === isAnswered || (hasDenied && !isSent);
  if (!isRight) expect.fail(`sent: ${isSent}, answered: ${isAnswered} ${pending.map(partIdOf).join()}`);
}
