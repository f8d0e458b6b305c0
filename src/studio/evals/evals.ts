import { AsyncLocalStorage } from "node:async_hooks";
import { errorMessage } from "../../base/util/error-message.ts";
import { baselineOf } from "../../evals/compare-results.ts";
import { type Evaluation, inputText } from "../../evals/define-eval.ts";
import type { CaseResult, EvalResult } from "../../evals/results.ts";
import { addGlobalMiddleware } from "../../run/steps/global-middleware.ts";
import type { Middleware } from "../../run/steps/middleware.ts";
import { notFound, Refusal } from "../../server/refusal.ts";
import type { RunRing } from "../ring.ts";
import { describeEval, describeTries, outlineEval } from "./describe-evals.ts";
import type { EvalFiles, EvalsSource } from "./evals-source.ts";
import type { EvalCaseView, EvalsView, EvalTry } from "./views.ts";

/** How many runs of a case are remembered. */
const mostTries = 10;

/** An evaluation as the page has it: with results, with a definition, or both. */
interface Listed {
  readonly name: string;
  readonly result?: EvalResult;
  readonly baseline?: EvalResult;
  readonly evaluation?: Evaluation;
}

/** The evaluations of the studio, and what it has run of them again. */
export class Evals {
  readonly #source: EvalsSource | undefined;
  readonly #ring: RunRing;
  /** Runs of cases by the studio, the newest first. */
  readonly #again = new Map<string, readonly EvalTry[]>();
  readonly #ended = new AbortController();
  /** The outermost runs that a run of a case has started. */
  readonly #started = new AsyncLocalStorage<string[]>();

  constructor(source: EvalsSource | undefined, ring: RunRing) {
    this.#source = source;
    this.#ring = ring;
  }

  /** Ends the runs of cases. */
  close(): void {
    this.#ended.abort();
  }

  async list(): Promise<EvalsView> {
    try {
      const listed = await this.#listed();
      return {
        evals: listed.map(({ name, result, baseline, evaluation }) =>
          result
            ? describeEval(result, baseline, evaluation !== undefined)
            : outlineEval({ name, cases: evaluation?.cases ?? [] }),
        ),
      };
    } catch (error) {
      // The evaluations can be run all the same.
      return { problem: errorMessage(error), evals: this.#evaluations().map(outlineEval) };
    }
  }

  /**
   * @param index - That of the evaluation in the list.
   * @throws Refusal (404)
   */
  async describeCase(index: number, name: string): Promise<EvalCaseView> {
    const { result, baseline, evaluation, name: evaluationName } = await this.#find(index);
    const caseOf = (of: EvalResult | undefined): CaseResult | undefined =>
      of?.cases.find((each) => each.name === name);
    const [now, before] = [caseOf(result), caseOf(baseline)];
    const definition = evaluation?.cases.find((each) => each.name === name);
    if (!now && !before && !definition) throw notFound("The case");
    return {
      evaluation: evaluationName,
      name,
      input: now?.input ?? before?.input ?? (definition ? inputText(definition) : ""),
      tags: now?.tags ?? definition?.tags ?? [],
      isLoaded: definition !== undefined,
      tries: [
        ...(this.#again.get(keyOf(evaluationName, name)) ?? []),
        ...(result ? describeTries("results", result, name) : []),
        ...(baseline ? describeTries("baseline", baseline, name) : []),
      ],
    };
  }

  /**
   * Runs a case once, and scores it.
   * @throws Refusal (404, 409)
   */
  async runAgain(index: number, name: string): Promise<void> {
    const { evaluation } = await this.#find(index);
    const evalCase = evaluation?.cases.find((each) => each.name === name);
    if (!this.#source || !evaluation || !evalCase)
      throw new Refusal(409, "not-loaded", "No loaded file defines the case.");
    const runIds: string[] = [];
    const one = { ...evaluation, cases: [evalCase], runs: 1 };
    const { run } = this.#source;
    const endWatching = addGlobalMiddleware(() => this.#watch);
    const result = await this.#started.run(runIds, () => run(one, this.#ended.signal)).finally(endWatching);
    const runId = runIds.find((id) => this.#ring.get(id));
    const key = keyOf(evaluation.name, name);
    const tries = describeTries("again", result, name).map((each): EvalTry => ({
      ...each,
      ...(runId !== undefined && { runId }),
    }));
    this.#again.set(key, [...tries, ...(this.#again.get(key) ?? [])].slice(0, mostTries));
  }

  readonly #watch: Middleware = {
    run: ({ runId, parent }, next) => {
      if (!parent) this.#started.getStore()?.push(runId);
      return next();
    },
  };

  async #find(index: number): Promise<Listed> {
    const listed = (await this.#listed().catch(() => this.#evaluations().map(unrun)))[index];
    if (!listed) throw notFound("The evaluation");
    return listed;
  }

  /** Those with results first, then those that were not run yet. */
  async #listed(): Promise<readonly Listed[]> {
    const { results, baseline }: EvalFiles = (await this.#source?.read()) ?? { results: [], baseline: [] };
    const evaluations = this.#evaluations();
    const names = new Set(results.map(({ name }) => name));
    return [
      ...results.map((result): Listed => {
        const before = baselineOf(result, baseline);
        const evaluation = evaluations.find(({ name }) => name === result.name);
        return {
          name: result.name,
          result,
          ...(before && { baseline: before }),
          ...(evaluation && { evaluation }),
        };
      }),
      ...evaluations.filter(({ name }) => !names.has(name)).map(unrun),
    ];
  }

  #evaluations(): readonly Evaluation[] {
    return this.#source?.evaluations() ?? [];
  }
}

function unrun(evaluation: Evaluation): Listed {
  return { name: evaluation.name, evaluation };
}

function keyOf(evaluation: string, name: string): string {
  return JSON.stringify([evaluation, name]);
}
