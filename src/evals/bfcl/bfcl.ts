import { ConfigurationError } from "../../errors.ts";
import { defineEval, type Evaluation } from "../define-eval.ts";
import type { EvalOptions } from "../types.ts";
import { type BfclEntry, type BfclFunction, readAnswers, readFunctions, readQuestions } from "./format.ts";
import { type BfclWorld, multiTurnCase } from "./multi-turn.ts";
import { categoryOf, singleTurnCase } from "./single-turn.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** Files of the Berkeley Function-Calling Leaderboard, as text. */
export interface BfclOptions extends Pick<EvalOptions, "name" | "runs"> {
  /** Such as `BFCL_v4_simple_python.json`. */
  readonly questions: string;
  /** The file of the same name under `possible_answer`; there is none for irrelevance and relevance. */
  readonly answers?: string;
  /** Multi-turn: the files of `multi_turn_func_doc`, by the class that they are of (`GorillaFileSystem`). */
  readonly functions?: Readonly<Record<string, string>>;
  /** Multi-turn: what the functions do. Without it, calls are compared instead of what they lead to. */
  readonly world?: BfclWorld;
}

const optionNames = {
  questions: true,
  answers: true,
  functions: true,
  world: true,
  name: true,
  runs: true,
} satisfies Record<keyof BfclOptions, true>;

/**
 * An evaluation made of the leaderboard's files (https://gorilla.cs.berkeley.edu/leaderboard.html): the categories simple, multiple,
 * parallel, parallel multiple, irrelevance and relevance, live or not, compared as the leaderboard compares syntax trees; and
 * multi-turn. One answer settles a question of one turn: its functions are never executed.
 *
 * @throws ConfigurationError (`bfcl-file`) for what does not have the leaderboard's form, and for functions in Java and JavaScript.
 */
export function bfcl(options: BfclOptions): Evaluation {
  assertKnownOptions(options, optionNames, "bfcl()");
  const { questions, answers = "", functions = {}, world, name, runs } = options;
  const entries = readQuestions(questions);
  const right = readAnswers(answers);
  const [first] = entries;
  if (!first) throw fileError("there is no question.");
  const foreign = entries.find(({ id }) => /(?:^|_)java(?:script)?_/.test(id));
  if (foreign) throw fileError(`${foreign.id} is about another language: only Python's types are known.`);
  const common = { name: name ?? categoryOf(first), ...(runs !== undefined && { runs }) };
  if (entries.some(({ classes }) => classes.length > 0)) {
    const docs = new Map(Object.entries(functions).map(([key, text]) => [key, readFunctions(text)] as const));
    const cases = new Map(
      entries.map((entry) => {
        const multiTurn = multiTurnCase(entry, right.get(entry.id), functionsOf(entry, docs), world);
        return [entry.id, multiTurn] as const;
      }),
    );
    const none = (): never => {
      throw fileError("the case is not one of the file's.");
    };
    return defineEval({
      ...common,
      agent: none,
      cases: [...cases.values()].map(({ evalCase }) => evalCase),
      setup: (evalCase) => cases.get(evalCase.name ?? "")?.setup() ?? none(),
      // As on the leaderboard, the calls of an answer are executed in order: one may depend on what another has changed.
      run: { concurrency: 1 },
    });
  }
  const cases = new Map(
    entries.map((entry) => [entry.id, singleTurnCase(entry, right.get(entry.id))] as const),
  );
  return defineEval({
    ...common,
    agent: (evalCase) => {
      const agent = cases.get(evalCase.name ?? "")?.agent;
      if (!agent) throw fileError("the case is not one of the file's.");
      return agent;
    },
    cases: [...cases.values()].map(({ evalCase }) => evalCase),
    run: { executeTools: false, maxTurns: 1 },
  });
}

function functionsOf(
  { id, classes, functions }: BfclEntry,
  docs: ReadonlyMap<string, readonly BfclFunction[]>,
): readonly BfclFunction[] {
  const missing = classes.find((name) => !docs.has(name));
  if (missing !== undefined)
    throw fileError(`${id} needs the functions of ${missing}: functions: { ${missing}: text }.`);
  return [...functions, ...classes.flatMap((name) => docs.get(name) ?? [])];
}

function fileError(problem: string): ConfigurationError {
  return new ConfigurationError(`bfcl(): ${problem}`, { code: "bfcl-file" });
}
