import { InvalidInputError } from "../../errors.ts";
import { finalize, thrownResult } from "../../executor/finalize.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import { withinPolicies } from "../../executor/policies/index.ts";
import type { ExecutionObserver, ExecutionScope, SettledCall } from "../../executor/types.ts";
import type { AnyAgent } from "../../agent/agent.ts";
import { describeValue } from "../../base/options/known-options.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";
import { result as toolReturn } from "../../tool/result.ts";
import { ToolTable } from "../../tool/table.ts";
import { isDeeperThan } from "../../base/util/is-deeper-than.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { toStorable } from "../../base/util/storable.ts";
import { isWait } from "../../message/waits.ts";
import type { StepKey } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { remembersSteps } from "../steps/perform-step.ts";
import { type StoredCall, toStoredCall } from "../steps/stored-call.ts";
import { appendResults } from "../turn/append-results.ts";
import type { ExternalResult } from "../types.ts";
import { findCallingAgent } from "./agents-of-state.ts";
import { assertKnownFields } from "./known-fields.ts";
import { assertResumed } from "./signature.ts";

/** What is needed of a run to finish calls of an agent. */
export interface ResultsNeed {
  /** All tools of an agent, those included that the caller may not use. */
  readonly loadTools: (agent: AnyAgent) => Promise<ToolTable>;
  /** What calls of these tools are executed in. */
  readonly scopeWith: (toolTable: ToolTable) => ExecutionScope;
  /** Has it remembered what came of a call, or returns what is remembered. */
  readonly remember: (key: StepKey, perform: () => Promise<StoredCall>) => Promise<StoredCall>;
}

/** Appends the results of calls that were executed elsewhere, as the policies of their tools have them. */
export async function takeResults(
  run: ActiveRun,
  results: readonly ExternalResult[],
  { loadTools, scopeWith, remember }: ResultsNeed,
): Promise<void> {
  for (const result of results) assertResult(result);
  for (const { toolCallId, toolName } of run.config.resumed?.pending ?? [])
    for (const result of results)
      if (result.toolCallId === toolCallId && isWait({ toolName }))
        assertWhole(result.content, `The result that options.results has for the call "${toolCallId}"`);
  const calls = new Map(run.conversation.pending.map((call) => [call.toolCallId, call]));
  if (!results.some(({ toolCallId }) => calls.has(toolCallId))) return;
  const scope = scopeWith(await toolsOfCalls(run, loadTools));
  for (const external of results) {
    const call = calls.get(external.toolCallId);
    if (!call) continue;
    const { result, final } = await takenOnce(run, call, scope, remember, () =>
      resultElsewhere(call, external, scope),
    );
    appendResults(run, [final ? { ...result, final } : result]);
  }
}

/** What an agent within the run takes is kept at once: it acts on that, and what is passed later must not take its place. */
async function takenOnce(
  run: ActiveRun,
  call: ToolCall,
  scope: ExecutionScope,
  remember: ResultsNeed["remember"],
  take: () => Promise<SettledCall>,
): Promise<Pick<SettledCall, "result" | "final">> {
  if (!run.config.parent || !remembersSteps(run)) return take();
  const key = stepOfCall(call, scope);
  const stored = await remember(key, async () => toStoredCall(run, await take(), false));
  return "waiting" in stored ? take() : stored;
}

/** The tools that the open calls are of; none where nobody knows the agent that made them. */
async function toolsOfCalls(run: ActiveRun, loadTools: ResultsNeed["loadTools"]): Promise<ToolTable> {
  // No function of the program is to be called with the context of a state that was changed.
  await assertResumed(run);
  const agent = findCallingAgent(run);
  if (!agent) return new ToolTable();
  if (run.config.resumed)
    for (const { toolName } of run.conversation.pending) run.toolNames.assume(agent.name, toolName);
  return loadTools(agent);
}

/** What comes of a call that was executed elsewhere: its result passes what stands around those of the tool itself. */
export async function resultElsewhere(
  call: ToolCall,
  { content, isError = false }: ExternalResult,
  scope: ExecutionScope,
  depth = 0,
): Promise<SettledCall> {
  // A tool that waits gets what came as it is.
  const isPlain = depth > 0 && isWait(call);
  const fields = !isPlain && isParts(content) ? { content } : { value: content };
  const finish = (observer: ExecutionObserver): SettledCall => {
    const warn = observer.warn.bind(observer);
    const { result, cut } = finalize(call, toolReturn({ ...fields, isError }), warn);
    return { result, ...(cut && { cut }) };
  };
  const listed = scope.toolTable.get(call.toolName);
  if (!listed) return finish(scope.observer);
  const tool = usedTool(listed, scope.toolTable);
  const within = withinPolicies(tool, (ready) => finish(ready.scope.observer), ["result"]);
  try {
    const outcome = await within({ call, tool, input: undefined, scope, depth });
    if ("result" in outcome) return outcome;
    throw new TypeError("a result from elsewhere waits for something");
  } catch (error) {
    return { result: thrownResult(call, error), error };
  }
}

const fields = { toolCallId: true, content: true, isError: true } satisfies Record<
  keyof ExternalResult,
  true
>;

/** What is left out or misspelled would be ignored: the model would receive a success that was none. */
function assertResult(result: ExternalResult): void {
  const { toolCallId, content } = result;
  const isError: unknown = result.isError ?? false;
  const thing = `The result that options.results has for the call "${toolCallId}"`;
  assertKnownFields(result, fields, thing, { toolCallId });
  if (content === undefined)
    throw new InvalidInputError(
      `${thing} has no content. Pass a text, parts, or another JSON value; null if there is none.`,
      { toolCallId },
    );
  assertResultParts(content, `the result that options.results has for the call "${toolCallId}"`);
  if (typeof isError !== "boolean")
    throw new InvalidInputError(
      `${thing} has an isError that is ${describeValue(isError)}. Pass true or false.`,
      { toolCallId },
    );
}

/** @throws InvalidInputError for a list of parts that has one which no model can be sent; any other value passes. */
export function assertResultParts(content: unknown, place: string): void {
  if (isParts(content)) assertParts(content, place);
}

function isParts(content: unknown): content is readonly Part[] {
  return Array.isArray(content) && content.every(isPart);
}

function isPart(value: unknown): boolean {
  return isPlainObject(value) && ["text", "image", "file"].includes(String(value.type));
}

/** The longest value that a tool can wait for, as JSON, and how deep it may be: as results of tools. */
const longestValue = 1_048_576;
const deepestValue = 100;

/** @throws InvalidInputError for a value that a tool which waits for it would not get as it is. */
export function assertWhole(content: unknown, what: string): void {
  const { omissions } = toStorable(content, "its value");
  const [omission] = omissions;
  const problem = omission
    ? `must be JSON, but ${omission.path} is ${omission.what}`
    : isDeeperThan(content, deepestValue)
      ? `is nested more than ${deepestValue} levels deep`
      : JSON.stringify(content).length > longestValue
        ? `is longer than ${longestValue} characters`
        : undefined;
  if (problem !== undefined)
    throw new InvalidInputError(`${what} ${problem}. Store it elsewhere, and pass what leads to it.`);
}
