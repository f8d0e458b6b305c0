import { describeValue, invalidOption } from "../../base/options/known-options.ts";
import { isObject } from "../../base/util/json.ts";
import { isPromiseLike } from "../../base/util/promise-like.ts";
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
  assertTalked(talked, "toCallTool");
  const expected: ExpectedCall = args === undefined ? tool : { tool, arguments: args };
  return judged({ include: [expected] }, talked, `a call of ${tool}`);
}

/** Exactly these tools are called, in this order. Handing over counts where it is named. */
export function toCallTools(talked: Talked, ...expected: readonly ExpectedCall[]): MatcherResult {
  assertTalked(talked, "toCallTools");
  return judged(expected, talked, "exactly these calls");
}

/** The lead is passed to that agent at some time. */
export function toHandOffTo(talked: Talked, agent: Named): MatcherResult {
  assertTalked(talked, "toHandOffTo");
  const led = leaders(talked);
  return result(
    led.slice(1).includes(nameOf(agent)),
    `a handoff to ${nameOf(agent)}`,
    `the lead went ${led.join(" → ")}`,
  );
}

/** That agent has the lead at the end. */
export function toEndWith(talked: Talked, agent: Named): MatcherResult {
  assertTalked(talked, "toEndWith");
  const last = nameOf(talked.agent);
  return result(last === nameOf(agent), `${nameOf(agent)} at the end`, `the last was ${last}`);
}

/** So large a share of an evaluation's runs passes, from 0 to 1; all of them by default. */
export function toPass(evaluated: EvalResult, share = 1): MatcherResult {
  if (!isObject(evaluated) || !isObject(evaluated.summary) || !Array.isArray(evaluated.cases))
    throw wrongValue("toPass", "the result of runEval()", evaluated);
  const { summary, cases } = evaluated;
  const failed = cases.filter(({ passRate }) => passRate < 1).map(({ name }) => name);
  return result(
    summary.passRate >= share,
    `a pass rate of at least ${share}`,
    `it is ${summary.passRate}; not always passed: ${failed.join(", ") || "none"}`,
  );
}

/** @throws ConfigurationError (`invalid-option`) for another value, such as a promise that is not awaited */
function assertTalked(talked: Talked, matcher: string): void {
  const value: unknown = talked;
  const agent = isObject(value) ? value["agent"] : undefined;
  const isNamed = typeof agent === "string" || (isObject(agent) && typeof agent["name"] === "string");
  if (!isObject(value) || !Array.isArray(value["messages"]) || !isNamed)
    throw wrongValue(matcher, "the result of a run, or a transcript", value);
}

function wrongValue(matcher: string, expected: string, value: unknown): Error {
  const hint = isPromiseLike(value) ? " Await it: expect(await run(...))." : "";
  return invalidOption(`${matcher}() expects ${expected}, and was passed ${describeValue(value)}.${hint}`, {
    option: matcher,
  });
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
