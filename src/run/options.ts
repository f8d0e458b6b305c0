import type { AnyAgent } from "../agent/agent.ts";
import { isCompleteAgent } from "../agent/handoff.ts";
import { ConfigurationError } from "../errors.ts";
import { assertModel } from "../model/check-settings.ts";
import { assertAtLeast, assertCount } from "../base/options/at-least.ts";
import { assertSecret } from "../base/options/assert-secret.ts";
import {
  assertKnownOptions,
  describeArgument,
  describeValue,
  invalidOption,
  type OtherNames,
} from "../base/options/known-options.ts";
import { isObject } from "../base/util/json.ts";
import { assertMiddleware } from "../tool/check-middleware.ts";
import { assertOutput } from "../tool/output.ts";
import type { RunOptions } from "./types.ts";

const optionNames = {
  context: true,
  maxTurns: true,
  maxTokens: true,
  maxCost: true,
  maxToolCalls: true,
  maxCorrections: true,
  maxRepeats: true,
  model: true,
  output: true,
  executeTools: true,
  signal: true,
  timeout: true,
  concurrency: true,
  results: true,
  approvals: true,
  stateSecret: true,
  agents: true,
  debug: true,
  onEvent: true,
  journal: true,
  runId: true,
  middleware: true,
  session: true,
  compaction: true,
  tracing: true,
} satisfies Record<keyof RunOptions, true>;

/** What the AI SDK and Mastra call them. */
const otherNames: OtherNames = {
  maxSteps: "maxTurns",
  stopWhen: "maxTurns",
  abortSignal: "signal",
  memory: "session",
};

/** It is part of every idempotency key of the run. */
const longestRunId = 200;

/** @throws ConfigurationError (`invalid-agent`) unless it is an agent. */
export function assertAgent(agent: AnyAgent): void {
  if (isCompleteAgent(agent)) return;
  throw new ConfigurationError(
    `The first argument must be an Agent, not ${describeArgument(agent)}. Write run(new Agent({ ... }), "Hello").`,
    {
      code: "invalid-agent",
    },
  );
}

/** Options that are used late, or never in some runs: the type or the method of each, what it must be, and what to do. */
const lateOptions: readonly (readonly [keyof RunOptions, string, string, string])[] = [
  ["executeTools", "boolean", "true or false", ""],
  ["onEvent", "function", "a function", ""],
  ["signal", "addEventListener", "an AbortSignal", " Pass controller.signal."],
  ["journal", "step", "a journal with a function `step`", ""],
  ["agents", "flatMap", "a list of agents", ""],
  ["results", "flatMap", "a list of results", ""],
  ["session", "load", 'a session, such as fileSession("chat.jsonl")', ""],
];

/**
 * @param place the function that was called, such as `run()`.
 * @throws ConfigurationError for the first invalid option of a run.
 */
export function assertRunOptions(options: RunOptions, place: string): void {
  assertKnownOptions(options, optionNames, place, otherNames);
  assertModel(options.model, place);
  assertOutput(options.output, place);
  assertMiddleware(options.middleware, place, true);
  for (const [option, expected, rule, remedy] of lateOptions) {
    const value: unknown = options[option];
    if (value === undefined || typeof value === expected) continue;
    if (typeof Object(value)[expected] === "function") continue;
    throw invalidOption(`options.${option} must be ${rule}, not ${describeValue(value)}.${remedy}`, {
      option,
    });
  }
  for (const [index, agent] of (options.agents ?? []).entries())
    if (!isCompleteAgent(agent))
      throw invalidOption(`options.agents[${index}] must be an agent, not ${describeValue(agent)}.`, {
        option: "agents",
      });
  assertRunId(options.runId);
  assertTracing(options.tracing);
  assertSecret(options);
  assertCount("maxTurns", options.maxTurns, 0);
  assertAtLeast("maxTokens", options.maxTokens, 0);
  assertCount("maxToolCalls", options.maxToolCalls, 0);
  assertCount("maxCorrections", options.maxCorrections, 1);
  assertCount("maxRepeats", options.maxRepeats, 2);
  assertCount("concurrency", options.concurrency, 1);
  assertAtLeast("timeout", options.timeout, 0);
}

function assertTracing(tracing: unknown): void {
  if (tracing === undefined || tracing === false || isObject(tracing)) return;
  throw invalidOption(
    `options.tracing must be false or options, such as { content: "tools" }, not ${describeValue(tracing)}.`,
    { option: "tracing" },
  );
}

function assertRunId(runId: unknown): void {
  if (runId === undefined || (typeof runId === "string" && runId !== "" && runId.length <= longestRunId))
    return;
  throw invalidOption(`options.runId must be a text of 1 to ${longestRunId} characters.`, {
    option: "runId",
  });
}
