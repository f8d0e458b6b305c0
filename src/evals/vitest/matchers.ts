import type { Message } from "../../message/messages.ts";
import type { ExpectedCall, ExpectedCalls, ExpectedValue } from "../expectations.ts";
import { handoffsIn, madeCalls } from "../made-calls.ts";
import type { EvalResult } from "../results.ts";
import { judgeCalls } from "../scorers/calls.ts";

/** What can be expected of: the result of a run, or a transcript. */
export interface Talked {
  readonly messages: readonly Message[];
  /** Who has the lead at the end. */
  readonly agent: string | { readonly name: string };
}

/** What a matcher of vitest returns. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** An agent, or its name. */
type Named = string | { readonly name: string };

/** A tool of that name is called, with these arguments if any are given: see `ExpectedValue`. */
export function toCallTool(talked: Talked, tool: string, args?: ExpectedValue): MatcherResult {
  const expected: ExpectedCall = args === undefined ? tool : { tool, arguments: args };
  return judged({ include: [expected] }, talked, `a call of ${tool}`);
}

/** Exactly these tools are called, in this order. Handing over counts where it is named. */
export function toCallTools(talked: Talked, ...expected: readonly ExpectedCall[]): MatcherResult {
  return judged(expected, talked, "exactly these calls");
}

/** The lead is passed to that agent at some time. */
export function toHandOffTo(talked: Talked, agent: Named): MatcherResult {
  const led = leaders(talked);
  return result(
    led.slice(1).includes(nameOf(agent)),
    `a handoff to ${nameOf(agent)}`,
    `the lead went ${led.join(" → ")}`,
  );
}

/** That agent has the lead at the end. */
export function toEndWith(talked: Talked, agent: Named): MatcherResult {
  const last = nameOf(talked.agent);
  return result(last === nameOf(agent), `${nameOf(agent)} at the end`, `the last was ${last}`);
}

/** So large a share of an evaluation's runs passes, from 0 to 1; all of them by default. */
export function toPass({ summary, cases }: EvalResult, share = 1): MatcherResult {
  const failed = cases.filter(({ passRate }) => passRate < 1).map(({ name }) => name);
  return result(
    summary.passRate >= share,
    `a pass rate of at least ${share}`,
    `it is ${summary.passRate}; not always passed: ${failed.join(", ") || "none"}`,
  );
}

function judged(expected: ExpectedCalls, { messages, agent }: Talked, wish: string): MatcherResult {
  const { pass, reason } = judgeCalls(expected, madeCalls(messages, handoffsIn(messages, nameOf(agent))));
  return result(pass, wish, reason ?? "");
}

function leaders({ messages, agent }: Talked): readonly string[] {
  const led = messages.flatMap((message) =>
    message.role === "assistant" && message.agent !== undefined ? [message.agent] : [],
  );
  return [...led, nameOf(agent)].filter((name, index, all) => name !== all[index - 1]);
}

function result(pass: boolean, wish: string, reason: string): MatcherResult {
  return { pass, message: () => (pass ? `expected not: ${wish}` : `expected ${wish}: ${reason}`) };
}

function nameOf(agent: Named): string {
  return typeof agent === "string" ? agent : agent.name;
}
