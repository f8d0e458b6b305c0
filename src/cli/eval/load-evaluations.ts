import { ConfigurationError } from "../../errors.ts";
import { type Evaluation, isEvaluation } from "../../evals/define-eval.ts";
import { assertFile, importModule } from "../load-module.ts";

/**
 * The evaluations that modules export, alone or in lists.
 * @throws ConfigurationError (`eval-file`) for a module without one, and for two of one name; (`module-file`)
 */
export async function loadEvaluations(files: readonly string[]): Promise<readonly Evaluation[]> {
  const places = new Map<string, string>();
  // One that is exported twice is one.
  const exportedEvals = new Set<Evaluation>();
  for (const file of files) {
    await assertFile(file);
    const exported = Object.values(await importModule(file)).flat();
    const evaluations = exported.filter(isEvaluation);
    if (evaluations.length === 0)
      throw evalError(
        `${file} exports no evaluation. Write: export const evaluation = defineEval({ agent, cases })`,
      );
    for (const evaluation of evaluations) {
      if (exportedEvals.has(evaluation)) continue;
      const { name } = evaluation;
      const other = places.get(name);
      if (other !== undefined)
        throw evalError(`${other} and ${file} both have an evaluation called ${name}. Rename one of them.`);
      places.set(name, file);
      exportedEvals.add(evaluation);
    }
  }
  return [...exportedEvals];
}

function evalError(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "eval-file" });
}
