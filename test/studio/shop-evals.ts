/** Results of an evaluation of the shop, beside a baseline, for the tests of how pages look. */
import { defineEval } from "skein/evals";
import type { EvalResult, RunRecord } from "../../src/evals/results.ts";
import type { EvalsSource } from "../../src/studio/evals/evals-source.ts";
import { shop } from "./shop.ts";

const usage = { inputTokens: 1_200, outputTokens: 80, totalTokens: 1_280 };

function record(run: number, amount: number): RunRecord {
  const pass = amount === 120;
  const reason = `expected pay({ amount: 120 }), got pay({ amount: ${amount} })`;
  return {
    run,
    pass,
    score: pass ? 1 : 0.5,
    scores: [
      { scorer: "agent", score: 1, pass: true },
      { scorer: "calls", score: pass ? 1 : 0, pass, ...(!pass && { reason }) },
    ],
    status: "completed",
    text: `I have paid ${amount} euros back to you.`,
    agent: "Refunds",
    calls: [
      { tool: "transfer_to_refunds", arguments: {}, outcome: "success" },
      { tool: "pay", arguments: { order: 7, amount }, outcome: "success" },
    ],
    messages: [],
    turns: 3,
    usage,
    cost: 0.0042,
    durationMs: 1_840,
  };
}

function results(amounts: readonly number[], startedAt: string): EvalResult {
  const runs = amounts.map((amount, run) => record(run, amount));
  const passed = runs.filter(({ pass }) => pass).length;
  const passRate = passed / runs.length;
  const interval = [0.1, 0.9] as const;
  return {
    version: 1,
    name: "Refunds of the shop",
    model: "scripted",
    startedAt,
    durationMs: 5_000,
    runs: runs.length,
    summary: {
      cases: 1,
      runs: runs.length,
      passed,
      errors: 0,
      passRate,
      interval,
      passHat: [passRate],
      scorers: {},
      usage,
      cost: 0.0126,
      latency: { median: 1_840, p95: 1_900 },
    },
    cases: [
      {
        name: "A broken order is paid back",
        input: "Order 7 is broken. I want my money back.",
        tags: ["money"],
        passed,
        passRate,
        interval,
        runs,
      },
    ],
    warnings: [],
  };
}

/** Two evaluations of the shop: one with results, and one that was not run yet. */
export function shopEvals(): EvalsSource {
  const [agent] = shop();
  const other = defineEval({ name: "Hand-offs", agent, cases: [{ input: "Hello", agent: "Triage" }] });
  return {
    evaluations: () => [other],
    read: () =>
      Promise.resolve({
        results: [results([120, 90, 120], "2026-11-30T06:00:00.000Z")],
        baseline: [results([120, 120], "2026-11-03T09:30:00.000Z")],
      }),
    run: () => Promise.reject(new Error("not in this test")),
  };
}
