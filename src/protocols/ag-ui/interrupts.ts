import type { JsonObject } from "../../base/util/json.ts";
import { toJson } from "../../base/util/to-json.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { publicProblem } from "../../run/public/public-error.ts";
import type { AgentReader, LocatedCall } from "./agent-reader.ts";
import { type LaneCall, ownerField } from "./lane-call.ts";
import type { AgUiInterrupt } from "./types.ts";

/** What the ids of interrupts begin with that ask for the results of calls within others. */
export const resultPrefix = "result:";

/**
 * The answer to an approval, as AG-UI recommends it (https://docs.ag-ui.com/concepts/interrupts): `editedArgs` replaces all arguments.
 */
const approvalSchema: JsonObject = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    reason: { type: "string", description: "Why not. The model reads it." },
    editedArgs: { type: "object", description: "All arguments, to be used instead of the model's." },
  },
  required: ["approved"],
};

/** What a paused run waits for: what asks for an answer, and by agent, who within the run has asked. */
export interface Waiting {
  readonly interrupts: readonly AgUiInterrupt[];
  readonly byAgent: ReadonlyMap<string, readonly string[]>;
}

/**
 * Has the client see the calls that wait, and says what it is asked. For calls that it executes itself there is no interrupt.
 * @param problem - Why an answer was not carried out.
 */
export function waitingFor(pending: readonly PendingCall[], main: AgentReader, problem?: unknown): Waiting {
  const before = problem === undefined ? "" : `${publicProblem(problem).message} `;
  const interrupts: AgUiInterrupt[] = [];
  const byAgent = new Map<string, readonly string[]>();
  const others = new Set<LaneCall>();
  for (const call of pending) {
    const located = locate(call, main, others);
    if (located) others.add(located.call);
    if (located) located.lane.calls.reveal(located.call, call);
    const interrupt = interruptOf(call, located);
    if (!interrupt) continue;
    interrupts.push({ ...interrupt, message: before + interrupt.message });
    const agent = interrupt.subagentRunId ?? "";
    byAgent.set(agent, [...(byAgent.get(agent) ?? []), interrupt.id]);
  }
  return { interrupts, byAgent };
}

/** The call as the client has it, or is to get it; none where nobody knows what the client has. */
function locate(
  call: PendingCall,
  main: AgentReader,
  others: ReadonlySet<LaneCall>,
): LocatedCall | undefined {
  const located = main.locate(call, others);
  if (located) return located;
  const { lane } = main;
  const isNamed = call.approvalId !== undefined || call.parentToolCallId === undefined;
  return isNamed ? { call: lane.beginPending(call), lane } : undefined;
}

function interruptOf(pending: PendingCall, located: LocatedCall | undefined): AgUiInterrupt | undefined {
  const { toolCallId, toolName, approvalId, parentToolCallId } = pending;
  const place = { ...(located && placeOf(located)), metadata: { skein: inputOf(pending) } };
  if (approvalId !== undefined) {
    const message = `Allow the call of ${toolName}?`;
    return { id: approvalId, reason: "tool_call", message, responseSchema: approvalSchema, ...place };
  }
  if (parentToolCallId === undefined) return undefined;
  const id = resultPrefix + toolCallId;
  const message = `What is the result of ${toolName}?`;
  return { id, reason: "input_required", message, responseSchema: {}, ...place };
}

function placeOf({ call }: LocatedCall): Pick<AgUiInterrupt, "toolCallId" | "subagentRunId"> {
  return { toolCallId: call.wireId, ...ownerField(call) };
}

/** The call as the tool would get it: defaults are filled in. */
function inputOf({ toolName, input }: PendingCall): JsonObject {
  return { toolName, ...(input !== undefined && { input: toJson(input).value }) };
}
