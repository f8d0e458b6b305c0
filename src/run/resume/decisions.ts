import { InvalidInputError } from "../../errors.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { isSameInput, shownInput } from "../../executor/policies/shown-input.ts";
import { findReferences, referenceKey } from "../../executor/references.ts";
import type { ApprovalDecision, PendingCall } from "../../message/run-state.ts";
import { formatPath } from "../../schema/format-path.ts";
import { parseArguments } from "../../schema/parse-arguments.ts";
import type { Schema } from "../../schema/types.ts";
import { describeValue } from "../../base/options/known-options.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { toStorable } from "../../base/util/storable.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { isAsWritten } from "./edited-input.ts";
import { assertKnownFields } from "./known-fields.ts";
import type { ToolTable } from "../../tool/table.ts";

/** A decision whose arguments are written as JSON. */
export interface Decision {
  readonly decision: "approve" | "deny";
  readonly reason: string | undefined;
  readonly arguments: string | undefined;
}

/** Decisions by their approval ids. */
export type Decisions = ReadonlyMap<string, Decision>;

/** The calls that a person can decide on. */
export interface DecidableCalls {
  /** Of tools of the active agent, whether the model or a tool made them. */
  readonly ofTools: readonly PendingCall[];
  /** Of agents within the run: each checks the decisions on its own calls. */
  readonly ofAgents: readonly PendingCall[];
}

/**
 * Reads `options.approvals`.
 * @param recorded - What was decided before, by approval ids.
 * @throws InvalidInputError before anything is executed, for a decision that cannot be carried out.
 */
export async function readDecisions(
  run: ActiveRun,
  { ofTools, ofAgents }: DecidableCalls,
  recorded: ReadonlyMap<string, ApprovalDecision>,
  loadTools: () => Promise<ToolTable>,
): Promise<Decisions> {
  const { approvals = [], executeTools } = run.config.options;
  if (!Array.isArray(approvals))
    throw new InvalidInputError("options.approvals must be an array of decisions.");
  if (approvals.length > 0 && executeTools === false)
    throw new InvalidInputError(
      "options.approvals decides on calls, but with executeTools: false none is made.",
    );
  const all = [...ofTools, ...ofAgents];
  const open = new Map(all.map((call) => [call.approvalId, call]));
  const foreign = new Set(ofAgents);
  const toolsOf = (call: PendingCall): typeof loadTools | undefined =>
    foreign.has(call) ? undefined : loadTools;
  const decisions = new Map<string, Decision>();
  for (const approval of approvals) {
    const call = open.get(assertDecision(approval).approvalId);
    if (!call) throw notPending(approval.approvalId, all);
    if (decisions.has(approval.approvalId))
      throw new InvalidInputError(`options.approvals decides twice on "${approval.approvalId}".`);
    assertUnchanged(approval, recorded.get(approval.approvalId));
    decisions.set(approval.approvalId, await toDecision(run, toolsOf(call), approval, call));
  }
  for (const [approvalId, approval] of recorded) {
    const call = open.get(approvalId);
    if (call && !decisions.has(approvalId))
      decisions.set(approvalId, await toDecision(run, toolsOf(call), approval, call));
  }
  return decisions;
}

/** A call may have been executed as it was decided first. */
function assertUnchanged(approval: ApprovalDecision, recorded: ApprovalDecision | undefined): void {
  if (!recorded || (recorded.decision === approval.decision && hasSameArguments(approval, recorded))) return;
  const { approvalId } = approval;
  const earlier = recorded.decision === "approve" ? "approved" : "denied";
  throw new InvalidInputError(
    `options.approvals decides on "${approvalId}", which was ${earlier} before. Leave it out to go on with that decision.`,
    { approvalId, decision: recorded.decision },
  );
}

function hasSameArguments(approval: ApprovalDecision, recorded: ApprovalDecision): boolean {
  const [first, second] = [approval, recorded].map(({ arguments: edited }) =>
    typeof edited === "string" ? edited : JSON.stringify(edited),
  );
  return first === second;
}

const fields = { approvalId: true, decision: true, reason: true, arguments: true } satisfies Record<
  keyof ApprovalDecision,
  true
>;

/**
 * Checks the form of a decision.
 * @param place - What has it.
 * @throws InvalidInputError
 */
export function assertDecision(decision: ApprovalDecision, place = "options.approvals"): ApprovalDecision {
  const isDecision = isPlainObject(decision) && typeof decision["approvalId"] === "string";
  if (!isDecision || (decision.decision !== "approve" && decision.decision !== "deny"))
    throw new InvalidInputError(
      `Each entry of ${place} must be { approvalId, decision: "approve" | "deny" }.`,
    );
  const { approvalId } = decision;
  // A misspelled one may be the arguments to be used: the call would be executed with those of the model.
  assertKnownFields(decision, fields, `The decision that ${place} has for "${approvalId}"`, {
    approvalId,
  });
  if (decision.arguments === null)
    throw new InvalidInputError(
      `The arguments that ${place} gives for "${approvalId}" are null. Leave them out to approve those that were shown, or pass an object.`,
      { approvalId },
    );
  const reason: unknown = decision.reason ?? "";
  if (typeof reason === "string") return decision;
  throw new InvalidInputError(
    `The reason that ${place} gives for "${approvalId}" must be a text, not ${describeValue(reason)}.`,
    { approvalId },
  );
}

function notPending(approvalId: string, pendingCalls: readonly PendingCall[]): InvalidInputError {
  const pending = pendingCalls.map((call) => call.approvalId ?? "");
  const choices = pendingCalls.map((call) => `${call.approvalId} (${call.toolName})`).join(", ");
  return new InvalidInputError(
    `options.approvals decides on "${approvalId}", which is not pending (pending: ${choices || "none"}).`,
    { approvalId, pending },
  );
}

/**
 * A decision as it is carried out.
 * @param loadTools - Loads the tool of the call, unless somebody else checks the arguments.
 * @throws InvalidInputError for arguments that the tool does not take.
 */
export async function toDecision(
  run: ActiveRun,
  loadTools: (() => Promise<ToolTable>) | undefined,
  { decision, arguments: edited, ...approval }: ApprovalDecision,
  call: PendingCall,
): Promise<Decision> {
  // JSON has no undefined: programs of other languages write null.
  const reason = approval.reason ?? undefined;
  if (decision === "deny" || edited === undefined) return { decision, reason, arguments: undefined };
  const text = typeof edited === "string" ? edited : toJsonText(edited, call);
  // A check of one's own may wait for a database.
  if (loadTools) await run.config.scope.race(assertFits(await loadTools(), call, text));
  else assertObjectText(call, text);
  return { decision, reason, arguments: text };
}

/** What JSON cannot carry would be left out: the call would be executed with other arguments than the person wrote. */
function toJsonText(edited: unknown, { toolCallId, toolName }: PendingCall): string {
  const { value, omissions } = toStorable(edited, "arguments");
  const [omission] = omissions;
  if (value !== undefined && !omission) return JSON.stringify(value);
  const what = omission ? `${omission.path} is ${omission.what}` : `they are ${describeValue(edited)}`;
  throw new InvalidInputError(
    `The arguments that options.approvals gives to ${toolName} are not JSON data: ${what}. Pass an object literal, or its JSON.`,
    { toolCallId },
  );
}

/** What can be known before the agent within the run is there: nothing may be executed before a mistake that shows by itself. */
function assertObjectText({ toolCallId, toolName }: PendingCall, text: string): void {
  const parsed = parseJson(text);
  if (isPlainObject(parsed)) return;
  throw new InvalidInputError(
    `The arguments that options.approvals gives to ${toolName} are not a JSON object: ${describeValue(parsed ?? text)}.`,
    { toolCallId },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Arguments may be what the model wrote, edited, or the input that was shown. Where the schema makes another input of that, nobody
 * knows which of them they are.
 */
async function assertReadOnce(
  { toolCallId, toolName }: PendingCall,
  input: unknown,
  schema: Schema,
): Promise<void> {
  const visibleInput = shownInput(input);
  const again = await parseArguments(JSON.stringify(visibleInput ?? {}), schema);
  if (visibleInput === undefined || !again.ok || isSameInput(shownInput(again.value), visibleInput)) return;
  throw new InvalidInputError(
    `The arguments that options.approvals gives to ${toolName} have two meanings, since its schema transforms what it has transformed once more. Deny the call with a reason, or do the transformation in the tool.`,
    { toolCallId },
  );
}

/** A person may have edited the input that was shown: the tool must not get another one than they wrote. */
function assertKept(call: PendingCall, text: string, input: unknown, schema: Schema): void {
  // Schemas of our own add defaults and change notations, and nothing else.
  if (!schema.validateAsync) return;
  const { toolCallId, toolName, edited } = call;
  const visibleInput = shownInput(input);
  const original = parseJson((edited ?? call).arguments);
  if (visibleInput === undefined || isAsWritten(parseJson(text), original, visibleInput)) return;
  throw new InvalidInputError(
    `The arguments that options.approvals gives to ${toolName} come to another input than was written, since its schema transforms them: ${JSON.stringify(visibleInput).slice(0, 200)}. Write what the schema leaves as it is, deny the call with a reason, or do the transformation in the tool.`,
    { toolCallId },
  );
}

/** A person decides on values: what a reference of the model has come to is in the input that they were shown. */
function assertNoReferences(
  { toolCallId, toolName, agent }: PendingCall,
  text: string,
  schema: Schema,
): void {
  // In what a tool passes to another, and where a tool has such a property of its own, it is a value.
  if (agent !== undefined || !text.includes(referenceKey)) return;
  if (JSON.stringify(schema.jsonSchema).includes(`"${referenceKey}"`)) return;
  const [reference] = findReferences(parseJson(text));
  if (!reference) return;
  throw new InvalidInputError(
    `The arguments that options.approvals gives to ${toolName} refer to a result: ${formatPath(reference.path)} is { "${referenceKey}": ${JSON.stringify(reference.text)} }. Write the value: edit \`input\` of the pending call, which has it, in place of its \`arguments\`.`,
    { toolCallId },
  );
}

/** The person who edited the arguments can fix them; the model could not. */
async function assertFits(toolTable: ToolTable, call: PendingCall, text: string): Promise<void> {
  const tool = toolTable.get(call.toolName);
  const schema = tool && usedTool(tool, toolTable).inputSchema;
  if (schema) assertNoReferences(call, text, schema);
  const parsed = schema && (await parseArguments(text, schema));
  if (!parsed) return;
  if (parsed.ok) {
    await assertReadOnce(call, parsed.value, schema);
    return assertKept(call, text, parsed.value, schema);
  }
  const issues = parsed.issues.map(({ path, message }) => `${formatPath(path)} ${message}`);
  throw new InvalidInputError(
    `The arguments that options.approvals gives to ${call.toolName} are wrong: ${issues.join("; ")}.`,
    { toolCallId: call.toolCallId, issues },
  );
}
