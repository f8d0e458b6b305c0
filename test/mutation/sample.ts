/**
 * A checker for Stryker that lets a sample of the mutants pass, the same one for the same seed. Stryker reports the others as
 * "CompileError", and runs no test for them.
 */
import { createHash } from "node:crypto";

/** What a mutant is, as Stryker tells its checkers. */
interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: unknown;
}

/** The options of Stryker, with ours. */
export interface SampleOptions {
  readonly sample: { readonly seed: string; readonly size: number };
}

class SampleChecker {
  static readonly inject = ["options"] as const;
  readonly #options: SampleOptions["sample"];
  #chosen: ReadonlySet<string> = new Set();

  constructor({ sample }: SampleOptions) {
    this.#options = sample;
  }

  init(): void {
    // Nothing to prepare.
  }

  /** Receives all mutants at once, before any is checked. */
  group(mutants: readonly Mutant[]): string[][] {
    const { seed, size } = this.#options;
    const ranked = mutants
      .map((mutant) => ({ id: mutant.id, rank: rankOf(mutant, seed) }))
      .sort((one, other) => (one.rank < other.rank ? -1 : 1));
    this.#chosen = new Set(ranked.slice(0, size).map(({ id }) => id));
    return [mutants.map(({ id }) => id)];
  }

  check(mutants: readonly Mutant[]): Record<string, object> {
    const passed = { status: "passed" };
    const omitted = { status: "compileError", reason: "not in the sample" };
    return Object.fromEntries(mutants.map(({ id }) => [id, this.#chosen.has(id) ? passed : omitted]));
  }
}

/** By what the mutant changes, so that a change elsewhere in the file does not change the sample by much. */
function rankOf({ fileName, mutatorName, replacement, location }: Mutant, seed: string): string {
  const file = fileName.replace(/^.*\/src\//, "");
  return createHash("sha256")
    .update(JSON.stringify([seed, file, mutatorName, replacement, location]))
    .digest("hex");
}

/** What Stryker looks for in a plugin. */
export const strykerPlugins: readonly object[] = [
  { kind: "Checker", name: "sample", injectableClass: SampleChecker },
];
