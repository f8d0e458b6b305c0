export { baselineOf, type CaseChange, compareResults, type Comparison } from "./compare-results.ts";
export { defineEval, type Evaluation, isEvaluation, type NamedCase } from "./define-eval.ts";
export {
  describeExpected,
  exactly,
  type ExpectedCall,
  type ExpectedCalls,
  type ExpectedText,
  type ExpectedValue,
  fits,
  isExpected,
  like,
  type Matcher,
  oneOf,
  optional,
} from "./expectations.ts";
export { madeCalls, type MadeCall, type RunCall } from "./made-calls.ts";
export type * from "./results.ts";
export { type EvalProgress, runEval, type RunEvalOptions } from "./run-eval.ts";
export type { EvalModel } from "./run-once.ts";
export { endsWith, handsOffTo } from "./scorers/agents.ts";
export {
  calls,
  callsInAnyOrder,
  callsInclude,
  callsInOrder,
  neverCalls,
  noCalls,
  noCorrections,
  sameCalls,
} from "./scorers/calls.ts";
export { goalMet } from "./scorers/goal.ts";
export { judge, type JudgeOptions, means } from "./scorers/judge.ts";
export { costAtMost, latencyAtMost, tokensAtMost, turnsAtMost } from "./scorers/limits.ts";
export { outputIs } from "./scorers/output.ts";
export { pairwise, type PairwiseOptions } from "./scorers/pairwise.ts";
export { policy } from "./scorers/policy.ts";
export { stateIs, stateUnchanged } from "./scorers/state.ts";
export { textContains, textEquals, textMatches } from "./scorers/text.ts";
export { perfectModel } from "./stand-ins/perfect-model.ts";
export { perfectJudge, wrongJudge } from "./stand-ins/stand-in-judges.ts";
export { wrongModel } from "./stand-ins/wrong-model.ts";
export { passHat, wilsonInterval } from "./statistics.ts";
export type * from "./types.ts";
export { bfcl, type BfclOptions } from "./bfcl/bfcl.ts";
export type { BfclEntry, BfclFunction, BfclMessage, BfclType } from "./bfcl/format.ts";
export type { BfclEnvironment, BfclWorld } from "./bfcl/multi-turn.ts";
