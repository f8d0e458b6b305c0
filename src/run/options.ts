import type { AnyAgent } from "../agent/agent.ts";
import { isCompleteAgent } from "../agent/handoff.ts";
import { ConfigurationError } from "../errors.ts";
import { assertModel } from "../model/check-settings.ts";
import { assertKnownOptions, invalidOption } from "../base/options/known-options.ts";
import { assertMiddleware } from "../tool/check-middleware.ts";
import { assertOutput } from "../tool/output.ts";
import type { RunOptions } from "./types.ts";

const optionNames = {
  context: true,
  maxTurns: true,
  maxTokens: true,
  maxCost: true,
  maxCorrections: true,
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
  middleware: true,
  session: true,
  compaction: true,
} satisfies Record<keyof RunOptions, true>;

/** @throws ConfigurationError (`invalid-agent`) unless it is an agent. */
export function assertAgent(agent: AnyAgent): void {
  if (isCompleteAgent(agent)) return;
  const received = agent === null ? "null" : typeof agent;
  throw new ConfigurationError(
    `The first argument must be an Agent, not ${received}: run(new Agent({ ... }), "Hello").`,
    {
      code: "invalid-agent",
    },
  );
}

/** @throws ConfigurationError for the first invalid option of a run. */
export function assertRunOptions(options: RunOptions): void {
  assertKnownOptions(options, optionNames, "run()");
  assertModel(options.model, "run()");
  assertOutput(options.output, "run()");
  assertMiddleware(options.middleware, "run()", true);
  atLeast("maxTurns", options.maxTurns, 0);
  atLeast("maxCorrections", options.maxCorrections, 1);
  atLeast("concurrency", options.concurrency, 1);
  atLeast("timeout", options.timeout, 0);
}

function atLeast(option: string, value: number | undefined, least: number): void {
  if (value === undefined || value >= least) return;
  throw invalidOption(`${option} must be a number of at least ${least}, not ${value}.`, { option });
}
