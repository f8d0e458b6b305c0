import type { EvalCase, EvalOptions, Scorer } from "./types.ts";
import { endsWith } from "./scorers/agents.ts";
import { calls, neverCalls } from "./scorers/calls.ts";
import { goalMet } from "./scorers/goal.ts";
import { judge } from "./scorers/judge.ts";
import { outputIs } from "./scorers/output.ts";
import { stateIs } from "./scorers/state.ts";
import { textScorers } from "./scorers/text.ts";

/** A scorer for each expectation that a case states, then its own, then those of the evaluation. */
export function scorersOf(evalCase: EvalCase, evaluation: Pick<EvalOptions, "scorers">): readonly Scorer[] {
  const { calls: expectedCalls, never, agent, text, output, state, rubric, user } = evalCase;
  const isGoal = typeof user === "object" && "goal" in user;
  return [
    ...(expectedCalls ? [calls(expectedCalls)] : []),
    ...(never ? [neverCalls(...never)] : []),
    ...(agent === undefined ? [] : [endsWith(agent)]),
    ...(text === undefined ? [] : textScorers(text)),
    ...(output === undefined ? [] : [outputIs(output)]),
    ...(state === undefined ? [] : [stateIs(state)]),
    ...(isGoal ? [goalMet()] : []),
    ...(rubric === undefined ? [] : [judge(rubric)]),
    ...[...(evalCase.scorers ?? []), ...(evaluation.scorers ?? [])].map(named),
  ];
}

function named(each: NonNullable<EvalOptions["scorers"]>[number]): Scorer {
  return typeof each === "function" ? { name: each.name || "scorer", score: each } : each;
}
