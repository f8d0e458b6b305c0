/**
 * What most runs do without, loaded by those that use it. Beside these, the core imports dynamically what all runs share
 * (runner.ts), calls outside runs (execute-outside.ts), and what depends on the platform (`#reflection`, `#model-resolution`, `#offload`).
 */
import type * as InOrder from "../executor/execute-in-order.ts";
import type * as LeftCalls from "../executor/leave-call.ts";
import type * as OfferedTools from "../executor/offered-tools.ts";
import type * as Policies from "../executor/policies/index.ts";
import type { CallFeatures } from "../executor/types.ts";
import type { MaybePromise } from "../base/util/maybe-promise.ts";
import type * as KeepNames from "../tool/keep-names.ts";
import type * as CallerTools from "./caller-tools.ts";
import type * as Compaction from "./compaction/compact.ts";
import type * as GeneratedOutput from "./output/generate-output.ts";
import type * as Output from "./output/typed-output.ts";
import type * as EventStream from "./public/event-stream.ts";
import type * as ToolCheck from "./resume/assert-tools.ts";
import type * as ExternalResults from "./resume/external-results.ts";
import type * as State from "./resume/open-state.ts";
import type * as StateClaims from "./session/claim-resumed.ts";
import type * as OpenedSessions from "./session/open-session.ts";
import type { AroundSteps } from "./steps/around-steps.ts";
import type * as BlockedRuns from "./turn/blocked.ts";
import type * as Repeats from "./turn/repeats.ts";
import type * as LaterAnswers from "./turn/later-answer.ts";
import type * as EnvironmentModel from "./turn/environment-model.ts";
import type * as AgentRuns from "./within/run-within.ts";

let sessions: typeof OpenedSessions | undefined;

/** Conversations that are kept in a session: at once if they are loaded, since each run of a server has one. */
export function loadSessions(): MaybePromise<typeof OpenedSessions> {
  return sessions ?? import("./session/open-session.ts").then((loaded) => (sessions = loaded));
}

/** A run as a response of a server. */
export function loadEventStream(): Promise<typeof EventStream> {
  return import("./public/event-stream.ts");
}

/** Whether the calls of a durable run that wait have their tools. */
export function loadToolCheck(): Promise<typeof ToolCheck> {
  return import("./resume/assert-tools.ts");
}

/** Claims on the pending calls of a state. */
export function loadStateClaims(): Promise<typeof StateClaims> {
  return import("./session/claim-resumed.ts");
}

let steps: AroundSteps | undefined;

/** Steps with middleware around them: at once if they are loaded, since each step needs them. */
export function loadSteps(): MaybePromise<AroundSteps> {
  return steps ?? import("./steps/around-steps.ts").then(({ aroundSteps }) => (steps = aroundSteps));
}

let laterAnswers: typeof LaterAnswers | undefined;

/** Models that answer later: at once if they are loaded, since each turn of a durable run needs them. */
export function loadLaterAnswers(): MaybePromise<typeof LaterAnswers> {
  return laterAnswers ?? import("./turn/later-answer.ts").then((loaded) => (laterAnswers = loaded));
}

/** Decisions on calls, and states that are signed. */
export function loadDecisions(): Promise<typeof State> {
  return import("./resume/open-state.ts");
}

/** Results of calls that were executed elsewhere. */
export function loadResults(): Promise<typeof ExternalResults> {
  return import("./resume/external-results.ts");
}

/** What tools do by other tools and agents. */
export function loadAgentRuns(): Promise<typeof AgentRuns> {
  return import("./within/run-within.ts");
}

/** The model that the environment names. */
export function loadEnvironmentModel(): Promise<typeof EnvironmentModel> {
  return import("./turn/environment-model.ts");
}

/** Histories that are made shorter. */
export function loadCompaction(): Promise<typeof Compaction> {
  return import("./compaction/compact.ts");
}

/** Answers that must match a schema. */
export function loadOutput(): Promise<typeof Output> {
  return import("./output/typed-output.ts");
}

/** An answer of `generate()` that must match a schema. */
export function loadGeneratedOutput(): Promise<typeof GeneratedOutput> {
  return import("./output/generate-output.ts");
}

/** Calls that a model makes again and again. */
export function loadRepeats(): Promise<typeof Repeats> {
  return import("./turn/repeats.ts");
}

/** The ends of runs that a guard blocks. */
export function loadBlocked(): Promise<typeof BlockedRuns> {
  return import("./turn/blocked.ts");
}

/** Tools that not everybody may use, or that require others. */
export function loadOfferedTools(): Promise<typeof OfferedTools> {
  return import("../executor/offered-tools.ts");
}

/** Tools that the program which started the run executes. */
export function loadCallerTools(): Promise<typeof CallerTools> {
  return import("./caller-tools.ts");
}

/** Tools of toolsets whose lists have changed during a run. */
export function loadKeepNames(): Promise<typeof KeepNames> {
  return import("../tool/keep-names.ts");
}

/** Policies of tools, and their caches. */
export function loadPolicies(): Promise<typeof Policies> {
  return import("../executor/policies/index.ts");
}

function loadInOrder(): Promise<typeof InOrder> {
  return import("../executor/execute-in-order.ts");
}

function loadLeftCalls(): Promise<typeof LeftCalls> {
  return import("../executor/leave-call.ts");
}

/** Bench row "policies: a call answered from the cache": importing again costs more than most policies do. */
let policies: typeof Policies | undefined;

/** What few calls need. */
export const callFeatures: CallFeatures = {
  withPolicies(tool, perform) {
    if (policies) return policies.withPolicies(tool, perform);
    return loadPolicies().then((loaded) => {
      policies = loaded;
      return loaded.withPolicies(tool, perform);
    });
  },
  async readBody(body, signal) {
    return (await import("../executor/read-body.ts")).readBody(body, signal);
  },
  async describeBug(toolName, error) {
    return (await import("../executor/describe-bug.ts")).describeBug(toolName, error);
  },
  async executeInOrder(calls, scope, concurrency) {
    return (await loadInOrder()).executeInOrder(calls, scope, concurrency);
  },
  async leaveCall(call, tool, scope) {
    return (await loadLeftCalls()).leaveCall(call, tool, scope);
  },
  async waitForResult(ready) {
    return (await loadLeftCalls()).waitForResult(ready);
  },
  async loadWaits() {
    return (await import("../executor/waits.ts")).waits;
  },
};
