import type { Artifact, StreamResponse, Task, TaskState, TaskStatus } from "@a2a-js/sdk";
import type { DurableReport, DurableStatus, StoredError } from "../../durable/stored-run.ts";
import type { StoredEvent } from "../../durable/stored-event.ts";
import type { DurableResult, RunInfo } from "../../durable/types.ts";
import type { PendingCall } from "../../message/run-state.ts";
import type { Message } from "../../message/messages.ts";
import { publicProblem } from "../../run/public/public-error.ts";
import type { Encoder } from "../../protocols/kit/source.ts";
import { dataPart, historyOf, howToDecide, nameOfCall, newMessage, textPart } from "./messages.ts";
import type { Sdk } from "./sdk.ts";

/** Which task it is, and in which conversation. */
export interface TaskName {
  readonly taskId: string;
  readonly contextId: string;
}

/** The answer is one artifact: each turn that has text replaces that of the turn before. */
const answerId = "answer";
const outputId = "output";

/** A run as a task. */
export function taskOf(
  sdk: Sdk,
  name: TaskName,
  run: RunInfo & Partial<Pick<DurableResult, "text" | "output" | "pending" | "ended">>,
  messages: readonly Message[],
): Task {
  const { text = "", output } = run;
  return {
    id: name.taskId,
    contextId: name.contextId,
    status: statusOf(sdk, name, { ...run, time: run.updatedAt }),
    artifacts: artifactsOf(text, output),
    history: historyOf(sdk, messages, name),
    metadata: undefined,
  };
}

/** Translates the events of a run to updates of its task. */
export class TaskUpdates implements Encoder<StreamResponse> {
  readonly #sdk: Sdk;
  readonly #name: TaskName;
  #isAppending = false;
  /** The answer as far as the client has it. */
  #text: string;

  /** @param task - As the client has it. */
  constructor(sdk: Sdk, { id, contextId, artifacts }: Task) {
    this.#sdk = sdk;
    this.#name = { taskId: id, contextId };
    const content = artifacts.find(({ artifactId }) => artifactId === answerId)?.parts[0]?.content;
    this.#text = content?.$case === "text" ? content.value : "";
  }

  encode(event: StoredEvent | { readonly type: string; readonly text?: string }): readonly StreamResponse[] {
    switch (event.type) {
      case "turn-start":
      case "turn-restart":
        this.#isAppending = false;
        return [];
      case "text-delta":
        return this.#add(event.text ?? "");
      case "run-end":
        return "status" in event ? this.#end(event) : [];
      default:
        return [];
    }
  }

  fail(): readonly StreamResponse[] {
    // The task goes on: a client may subscribe to it again.
    return [];
  }

  #add(text: string): readonly StreamResponse[] {
    const append = this.#isAppending;
    this.#isAppending = true;
    this.#text = append ? this.#text + text : text;
    return [this.#artifact({ ...artifact(answerId), parts: [textPart(text)] }, append, false)];
  }

  #end({
    status,
    result,
    error,
  }: Extract<StoredEvent, { readonly type: "run-end" }>): readonly StreamResponse[] {
    const report: Partial<DurableReport> = result ?? {};
    const { text = "", output, pending = [] } = report;
    // What was streamed may be less than the answer, where the reader joined late, or of an answer that failed.
    const isOther = text !== this.#text;
    const durable =
      status === "paused" || status === "completed" || status === "cancelled" ? status : "failed";
    return [
      ...(isOther ? [this.#artifact({ ...artifact(answerId), parts: [textPart(text)] }, false, true)] : []),
      ...(output === undefined
        ? []
        : [this.#artifact({ ...artifact(outputId), parts: [dataPart(output)] }, false, true)]),
      {
        payload: {
          $case: "statusUpdate",
          value: {
            ...this.#name,
            status: statusOf(this.#sdk, this.#name, { status: durable, pending, error, ended: status }),
            metadata: undefined,
          },
        },
      },
    ];
  }

  #artifact(value: Artifact, append: boolean, lastChunk: boolean): StreamResponse {
    return {
      payload: {
        $case: "artifactUpdate",
        value: { ...this.#name, artifact: value, append, lastChunk, metadata: undefined },
      },
    };
  }
}

/** Whether nothing more comes of a task. */
export function isTerminal(status: DurableStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function artifactsOf(text: string, output: unknown): Artifact[] {
  return [
    ...(text === "" ? [] : [{ ...artifact(answerId), parts: [textPart(text)] }]),
    ...(output === undefined ? [] : [{ ...artifact(outputId), parts: [dataPart(output)] }]),
  ];
}

function artifact(artifactId: string): Artifact {
  return { artifactId, name: artifactId, description: "", parts: [], metadata: undefined, extensions: [] };
}

/** How a run stands. */
interface Standing {
  readonly status: DurableStatus;
  readonly pending?: readonly PendingCall[] | undefined;
  /** Why it failed, or why an answer was not carried out. */
  readonly error?: StoredError | undefined;
  /** What ended it. */
  readonly ended?: string | undefined;
  readonly time?: Date;
}

function statusOf(sdk: Sdk, name: TaskName, standing: Standing): TaskStatus {
  const { time = new Date() } = standing;
  const parts = partsOfStatus(standing);
  return {
    state: stateOf(sdk, standing),
    message:
      parts.length === 0
        ? undefined
        : newMessage({
            messageId: `${name.taskId}-status-${time.getTime()}`,
            ...name,
            role: sdk.a2a.Role.ROLE_AGENT,
            parts,
          }),
    timestamp: time.toISOString(),
  };
}

/** What a client has to know of a status: which calls wait, or why there is no answer, in a word. */
function partsOfStatus({ status, pending = [], error, ended }: Standing): ReturnType<typeof textPart>[] {
  if (status === "failed") return [textPart(`The task failed${ended === undefined ? "" : ` (${ended})`}.`)];
  if (status !== "paused") return [];
  if (pending.length === 0)
    return [textPart("The task waits for something else than you, and goes on by itself.")];
  const calls = pending.map(({ toolCallId, toolName, approvalId, input }) => ({
    toolCallId,
    toolName,
    ...(approvalId !== undefined && { approvalId }),
    ...(input !== undefined && { input }),
  }));
  const names = pending.map(nameOfCall).join(", ");
  return [
    ...(error ? [textPart(publicProblem(error).message)] : []),
    textPart(`These calls wait: ${names}. ${howToDecide}`),
    dataPart({ pending: calls }),
  ];
}

function stateOf({ a2a: { TaskState } }: Sdk, { status, pending = [] }: Standing): TaskState {
  switch (status) {
    case "queued":
      return TaskState.TASK_STATE_SUBMITTED;
    case "running":
    case "stuck":
      return TaskState.TASK_STATE_WORKING;
    case "paused":
      // A client has nothing to do with a clock, a webhook or another run.
      return pending.length > 0 ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_WORKING;
    case "completed":
      return TaskState.TASK_STATE_COMPLETED;
    case "failed":
      return TaskState.TASK_STATE_FAILED;
    case "cancelled":
      return TaskState.TASK_STATE_CANCELED;
  }
}
