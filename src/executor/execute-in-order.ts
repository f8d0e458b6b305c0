import type { AssistantMessage, ToolCall, ToolResult } from "../message/messages.ts";
import { invalidArgumentsMessage } from "../schema/feedback.ts";
import { parseArguments } from "../schema/parse-arguments.ts";
import type { Issue, Schema } from "../schema/types.ts";
import { Semaphore } from "../base/util/semaphore.ts";
import { TimeSlice } from "../base/util/time-slice.ts";
import type { ToolTable } from "../tool/table.ts";
import { earlierResults } from "./earlier-results.ts";
import { executeOrLeave } from "./execute-call.ts";
import { usedTool } from "./policies/deprecated.ts";
import { isMasked } from "./policies/mask.ts";
import {
  findReferences,
  namesOf,
  noPart,
  partOf,
  referenceKey,
  referenceRoom,
  severalCalls,
  substitute,
  targetOf,
  type Reference,
  type ResultPart,
  type Target,
} from "./references.ts";
import { correctionOf, refusal } from "./refusal.ts";
import type { BatchOutcome, ExecutionScope } from "./types.ts";

/** A call, and what it has to wait for. */
interface Plan {
  readonly call: ToolCall;
  /** The arguments, if there are references in them. */
  readonly value: unknown;
  readonly references: readonly Reference[];
  /** The calls of the batch that it refers to, by id. */
  readonly needs: ReadonlySet<string>;
}

/** Finds the call, and the part of its result, that the text of a reference means. */
type FindTarget = (text: string) => Target | undefined;

/** The result of a call of the answer, or of an earlier one. */
type ResultOf = (toolCallId: string) => ToolResult | undefined;

const anything: Schema = { jsonSchema: {}, validate: (value) => ({ ok: true, value }) };

/**
 * Executes calls whose arguments refer to each other's results, `{ "$result": "call_1/path/to" }`: each once those it refers
 * to have succeeded, side by side where that is possible, at most `concurrency` at once. Results of earlier answers can be
 * referred to by the id of the call. A reference that does not resolve is an error result for the model. The outcomes are in call order.
 */
export async function executeInOrder(
  calls: readonly ToolCall[],
  outer: ExecutionScope,
  concurrency: number,
): Promise<readonly BatchOutcome[]> {
  const isInterrupted = (id: string): boolean => mayHaveBegun(id) && outer.isInterrupted?.(id) === true;
  const scope: ExecutionScope = { ...outer, mayHaveBegun, isInterrupted };
  const earlierResult = earlierResults(scope);
  const results = resultsOfBatch(scope);
  const resultOf: ResultOf = (id) => results.get(id) ?? earlierResult(id);
  const names = namesOf(siblings(calls, scope), (id) => earlierResult(id) !== undefined);
  const find: FindTarget = (text) => targetOf(text, (name) => names.get(name) ?? (resultOf(name) && name));
  const batch = new Set(calls.map(({ toolCallId }) => toolCallId));
  const plans = await Promise.all(calls.map((call) => planOf(call, scope, batch, find)));
  const byId = new Map(plans.map((plan) => [plan.call.toolCallId, plan]));
  const semaphore = new Semaphore(concurrency);
  const slice = new TimeSlice();
  const room = referenceRoom();
  const outcomes = new Map<Plan | undefined, Promise<BatchOutcome>>();
  const { ordered, stuck } = inOrder(plans);
  const unbegun = new Set(stuck.map(({ call }) => call.toolCallId));
  for (const plan of stuck)
    outcomes.set(plan, Promise.resolve(refuse(circle(plan.call, scope), scope, plan.call)));
  for (const plan of ordered) outcomes.set(plan, follow(plan));
  return Promise.all(plans.flatMap((plan) => outcomes.get(plan) ?? []));

  function mayHaveBegun(id: string): boolean {
    return !unbegun.has(id) && outer.mayHaveBegun?.(id) === true;
  }

  /** Whether a reference that leads nowhere never did: a result that is kept was the same in an earlier process. */
  function neverLed(text: string): boolean {
    const target = find(text);
    return !target || !isOneOf(batch, target) || outer.isJournaled === true;
  }

  async function follow({ call, value, references, needs }: Plan): Promise<BatchOutcome> {
    const needed = await Promise.all([...needs].map(async (id) => outcomes.get(byId.get(id))));
    // What has waited for a call that has not begun has not begun itself.
    if (![...needs].every(mayHaveBegun)) unbegun.add(call.toolCallId);
    for (const [index, id] of [...needs].entries()) {
      const outcome = needed[index];
      if (!outcome || !("result" in outcome)) return { blocked: call };
      if (outcome.isUnstarted && !scope.signal?.aborted) return { blocked: call };
      if (outcome.result.isError) {
        return refuse(
          refusal(call, `its arguments refer to ${id}, which failed.`, "not-executed", scope),
          scope,
          call,
        );
      }
      results.set(id, outcome.result);
    }
    return semaphore.run(() => perform({ call, value, references }));
  }

  /** Executes a call that has all it needs, once timers and signals have had their turn. */
  async function perform({ call, value, references }: Omit<Plan, "needs">): Promise<BatchOutcome> {
    const pause = slice.next();
    if (pause) await pause;
    if (references.length === 0 || scope.signal?.aborted) return executeOrLeave(call, scope);
    const filled = substitute(value, references, (text) => partFor(find(text), resultOf, scope), room);
    if ("issues" in filled) {
      if ([...filled.unresolved].some(neverLed)) unbegun.add(call.toolCallId);
      return refuse(correction(call, filled.issues, scope), scope, call);
    }
    const places = references.map(({ path }) => path);
    const source = { call, filled: { ...call, arguments: filled.text }, places };
    return executeOrLeave(source.filled, { ...scope, source });
  }
}

/** The results of the answer's other calls, by the ids of their calls. */
function resultsOfBatch({ batchResults = [] }: ExecutionScope): Map<string, ToolResult> {
  return new Map(
    batchResults.flatMap((message) =>
      message.role === "tool" ? [[message.result.toolCallId, message.result] as const] : [],
    ),
  );
}

/** All calls of the answer: some of them may have been executed before the run was paused. */
function siblings(calls: readonly ToolCall[], { messages }: ExecutionScope): readonly ToolCall[] {
  const answer = messages.findLast((message): message is AssistantMessage => message.role === "assistant");
  const ids = new Set(answer?.toolCalls.map(({ toolCallId }) => toolCallId));
  return answer && calls.every(({ toolCallId }) => ids.has(toolCallId)) ? answer.toolCalls : calls;
}

async function planOf(
  call: ToolCall,
  { toolTable }: ExecutionScope,
  batch: ReadonlySet<string>,
  find: FindTarget,
): Promise<Plan> {
  const plain: Plan = { call, value: undefined, references: [], needs: new Set() };
  const schema = toolTable.get(call.toolName)?.inputSchema.jsonSchema;
  // A tool that has such a property itself means something else by it.
  if (!call.arguments.includes(referenceKey) || JSON.stringify(schema)?.includes(`"${referenceKey}"`))
    return plain;
  const parsed = await parseArguments(call.arguments, anything);
  if (!parsed.ok) return plain;
  const references = findReferences(parsed.value);
  const ids = references.flatMap(({ text }) => {
    const { toolCallId } = find(text) ?? {};
    return typeof toolCallId === "string" && batch.has(toolCallId) ? toolCallId : [];
  });
  return { call, value: parsed.value, references, needs: new Set(ids) };
}

function isOneOf(ids: ReadonlySet<string>, { toolCallId }: Target): boolean {
  return toolCallId !== severalCalls && ids.has(toolCallId);
}

/** The calls with those before them that they need; what is stuck needs itself, or others that are. */
function inOrder(plans: readonly Plan[]): {
  readonly ordered: readonly Plan[];
  readonly stuck: readonly Plan[];
} {
  const missing = new Map(plans.map((plan) => [plan, plan.needs.size]));
  const neededBy = new Map<string, Plan[]>();
  for (const plan of plans) {
    for (const id of plan.needs) {
      const others = neededBy.get(id);
      if (others) others.push(plan);
      else neededBy.set(id, [plan]);
    }
  }
  const ordered = plans.filter(({ needs }) => needs.size === 0);
  // A list that grows while it is walked.
  for (const { call } of ordered) {
    for (const plan of neededBy.get(call.toolCallId) ?? []) {
      const left = (missing.get(plan) ?? 0) - 1;
      missing.set(plan, left);
      if (left === 0) ordered.push(plan);
    }
  }
  const done = new Set(ordered);
  return { ordered, stuck: plans.filter((plan) => !done.has(plan)) };
}

function partFor(target: Target | undefined, resultOf: ResultOf, { toolTable }: ExecutionScope): ResultPart {
  if (!target) return noPart("refers to an unknown call: begin with the id of a call");
  const { toolCallId, steps } = target;
  if (toolCallId === severalCalls)
    return noPart(
      "begins with the id of more than one call: name one of this answer by its place, from 1 on",
    );
  const result = resultOf(toolCallId);
  if (!result) return noPart(`refers to ${toolCallId}, which has no result yet`);
  if (result.isError) return noPart(`refers to ${toolCallId}, which failed`);
  if (result.isCut)
    return noPart(`refers to ${toolCallId}, whose result was too long to be kept: get less of it at once`);
  if (result.isPruned)
    return noPart(`refers to ${toolCallId}, an old result that was left out: call the tool again`);
  return partOf(result, { toolCallId, steps }, mayBeMasked(result, toolTable));
}

/** Of a tool that is not there any more, nobody knows. */
function mayBeMasked({ toolName }: ToolResult, toolTable: ToolTable): boolean {
  const tool = toolTable.get(toolName);
  return !tool || isMasked(tool) || isMasked(usedTool(tool, toolTable));
}

function circle(call: ToolCall, scope: ExecutionScope): ToolResult {
  const message = "they refer, directly or not, to calls that refer to each other";
  return correction(call, [{ path: [], message }], scope);
}

function correction(call: ToolCall, issues: readonly Issue[], scope: ExecutionScope): ToolResult {
  const text = invalidArgumentsMessage(call.toolName, issues, call.arguments);
  return correctionOf(call, text, "invalid-arguments", scope);
}

function refuse(result: ToolResult, { observer }: ExecutionScope, call: ToolCall): BatchOutcome {
  observer.start(call);
  observer.end({ result }, 0);
  return { result };
}
