import { ConfigurationError } from "../../errors.ts";
import { type Evaluation, isEvaluation } from "../../evals/define-eval.ts";
import { assertFile, importModule } from "../load-module.ts";

/**
 * The evaluations that modules export, alone or in lists.
 * @throws ConfigurationError (`eval-file`) for a module without one, and for two of one name; (`module-file`)
 */
export async function loadEvaluations(files: readonly string[]): Promise<readonly Evaluation[]> {
  const places = new Map<string, string>();
  const found: Evaluation[] = [];
  for (const file of files) {
    await assertFile(file);
    const exported = Object.values(await importModule(file)).flat();
    // One that is exported by two names is one.
    const evaluations = [...new Set(exported.filter(isEvaluation))];
    if (evaluations.length === 0)
      throw evalError(
        `${file} exports no evaluation. Write: export const evaluation = defineEval({ agent, cases })`,
      );
    for (const evaluation of evaluations) {
      const { name } = evaluation;
      const other = places.get(name);
      if (other !== undefined)
        throw evalError(
          `${other} and ${file} both have an evaluation called ${name}: give one of them another name.`,
        );
      places.set(name, file);
      found.push(evaluation);
    }
  }
  return found;
}

function evalError(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "eval-file" });
}
