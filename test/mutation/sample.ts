/**
 * Plugins for Stryker. A checker lets a sample of each room's mutants pass, the same one for the same seed; Stryker reports the
 * others as "CompileError", and runs no test for them. A reporter writes a line for each mutant at once: a run takes its time.
 */
import { createHash } from "node:crypto";
import { matchesGlob, relative } from "node:path";

/** What a mutant is, as Stryker passes it to its plugins. */
interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** The options of Stryker, with ours. */
export interface SampleOptions {
  readonly sample: {
    readonly seed: string;
    /** How many mutants of each room. */
    readonly size: number;
    /** The sources of each room. */
    readonly rooms: readonly (readonly string[])[];
  };
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
    const { seed, size, rooms } = this.#options;
    const chosen = rooms.flatMap((sources) =>
      mutants
        .filter(({ fileName }) => sources.some((source) => matchesGlob(pathOf(fileName), source)))
        .map((mutant) => ({ id: mutant.id, rank: rankOf(mutant, seed) }))
        .sort((one, other) => (one.rank < other.rank ? -1 : 1))
        .slice(0, size),
    );
    this.#chosen = new Set(chosen.map(({ id }) => id));
    return [mutants.map(({ id }) => id)];
  }

  check(mutants: readonly Mutant[]): Record<string, object> {
    const passed = { status: "passed" };
    const omitted = { status: "compileError", reason: "not in the sample" };
    return Object.fromEntries(mutants.map(({ id }) => [id, this.#chosen.has(id) ? passed : omitted]));
  }
}

class LineReporter {
  static readonly inject = [] as const;

  onMutantTested({ status, fileName, location, mutatorName }: Mutant & { readonly status: string }): void {
    if (status === "CompileError" || status === "Ignored") return;
    const { line, column } = location.start;
    process.stdout.write(`${status} ${pathOf(fileName)}:${line}:${column} ${mutatorName}\n`);
  }
}

function pathOf(file: string): string {
  return relative(process.cwd(), file);
}

function rankOf({ fileName, mutatorName, replacement, location }: Mutant, seed: string): string {
  return createHash("sha256")
    .update(JSON.stringify([seed, pathOf(fileName), mutatorName, replacement, location]))
    .digest("hex");
}

/** What Stryker looks for in a plugin. */
export const strykerPlugins: readonly object[] = [
  { kind: "Checker", name: "sample", injectableClass: SampleChecker },
  { kind: "Reporter", name: "lines", injectableClass: LineReporter },
];
