import { isAgent } from "../tool/agent-like.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { assertCalls, assertNames } from "./check-calls.ts";
import { scorersOf } from "./default-scorers.ts";
import type { EvalCase, EvalOptions, EvalRunOptions } from "./types.ts";

/** A registered symbol, so that two copies of the package know each other's evaluations. */
const evaluationBrand: unique symbol = Symbol.for("skein.evaluation");

/** An evaluation, made by `defineEval`: run it with `runEval` or the command `skein eval`. */
export interface Evaluation extends EvalOptions {
  readonly name: string;
  /** With a name each, none twice. */
  readonly cases: readonly NamedCase[];
  readonly [evaluationBrand]: true;
}

/** A case that has a name. */
export interface NamedCase extends EvalCase {
  readonly name: string;
}

/** The most characters of a name that is made of the input. */
const longestName = 80;

const optionNames = {
  name: true,
  agent: true,
  cases: true,
  scorers: true,
  runs: true,
  context: true,
  setup: true,
  state: true,
  concurrency: true,
  approvals: true,
  judge: true,
  run: true,
} satisfies Record<keyof EvalOptions, true>;

const caseOptionNames = {
  name: true,
  input: true,
  user: true,
  context: true,
  calls: true,
  never: true,
  agent: true,
  text: true,
  output: true,
  state: true,
  rubric: true,
  scorers: true,
  tags: true,
  perfect: true,
  wrong: true,
} satisfies Record<keyof EvalCase, true>;

const runOptionNames = {
  maxTurns: true,
  maxTokens: true,
  maxCost: true,
  maxToolCalls: true,
  maxCorrections: true,
  maxRepeats: true,
  executeTools: true,
  timeout: true,
  concurrency: true,
} satisfies Record<keyof EvalRunOptions, true>;

/**
 * An agent and the cases to try it on.
 * @throws ConfigurationError for an option that is not known, a case that states nothing to score, and no case at all.
 */
export function defineEval(options: EvalOptions): Evaluation {
  const { agent, cases, runs = 1 } = options;
  const name = options.name ?? (isAgent(agent) ? agent.name : "evaluation");
  const place = `the evaluation ${name}`;
  assertKnownOptions(options, optionNames, place);
  if (options.run !== undefined) assertKnownOptions(options.run, runOptionNames, `run of ${place}`);
  if (!isAgent(agent) && typeof agent !== "function")
    throw invalidOption(`${place} needs an agent, or a function that returns one for a case.`, {
      option: "agent",
    });
  if (!Array.isArray(cases) || cases.length === 0)
    throw invalidOption(`${place} needs cases: cases: [{ input: "Hello", text: "hello" }].`, {
      option: "cases",
    });
  if (!Number.isInteger(runs) || runs < 1)
    throw invalidOption(`runs of ${place} must be a whole number of at least 1, not ${runs}.`, {
      option: "runs",
    });
  const named = withNames(cases);
  for (const each of named) assertCase(each, options, place);
  return Object.freeze({ ...options, name, cases: named, [evaluationBrand]: true as const });
}

/** Whether a value was made by `defineEval`. */
export function isEvaluation(value: unknown): value is Evaluation {
  return typeof value === "object" && value !== null && evaluationBrand in value;
}

/** What the user says first, as text. */
export function inputText({ input, user }: EvalCase): string {
  if (typeof input === "string") return input;
  if (input !== undefined && !Array.isArray(input))
    throw invalidOption(
      `The input of a case must be a text or a list of messages, not ${describeValue(input)}.`,
      {
        option: "input",
      },
    );
  const message = input?.findLast(({ role }) => role === "user");
  if (message && "content" in message) {
    return typeof message.content === "string" ? message.content : JSON.stringify(message.content);
  }
  if (typeof user === "object") return "goal" in user ? user.goal : (user[0] ?? "");
  return "";
}

function withNames(cases: readonly EvalCase[]): readonly NamedCase[] {
  const counts = new Map<string, number>();
  return cases.map((each, index) => {
    const text = inputText(each).replaceAll(/\s+/g, " ").trim();
    const short = text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text;
    const name = each.name ?? (short || `case ${index + 1}`);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...each, name: count === 1 ? name : `${name} (${count})` };
  });
}

function assertCase(each: NamedCase, options: EvalOptions, place: string): void {
  const where = `the case "${each.name}" of ${place}`;
  assertKnownOptions(each, caseOptionNames, where);
  assertCalls(each.calls, where);
  assertNames(each.never, where);
  if (each.input === undefined && each.user === undefined && options.setup === undefined)
    throw invalidOption(`${where} has no input. Set an input, or a user with a goal.`, {
      option: "input",
    });
  if (scorersOf(each, options).length === 0)
    throw invalidOption(
      `${where} states nothing to score: say what is called (calls), who answers (agent) or what (text, output, state), or give scorers.`,
      { option: "scorers" },
    );
}
