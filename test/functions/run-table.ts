import type { ToolSchema } from "skein";
import { checkTheme } from "./check-theme.ts";
import { developed, themes } from "./table/index.ts";

/** What came of the whole table. */
export interface TableOutcome {
  readonly passed: number;
  /** `theme: row: what is not as expected`. */
  readonly failures: string[];
  /** What the model sees of each row's function, by `theme: row`. */
  readonly schemas: Readonly<Record<string, ToolSchema>>;
}

/**
 * Runs the table.
 * @param options.isBuilt - Whether schemas were attached by a build: only what a build can see is run then, and functions
 * may have lost their names.
 */
export async function runTable({
  isBuilt = false,
}: { readonly isBuilt?: boolean } = {}): Promise<TableOutcome> {
  const failures: string[] = [];
  const schemas: Record<string, ToolSchema> = {};
  let passed = 0;
  for (const theme of isBuilt ? themes : [...themes, ...developed]) {
    for (const outcome of await checkTheme(theme, isBuilt)) {
      const name = `${theme.name}: ${outcome.title}`;
      if (outcome.schema !== undefined) schemas[name] = outcome.schema;
      if (outcome.failures.length === 0) passed += 1;
      failures.push(...outcome.failures.map((failure) => `${name}: ${failure}`));
    }
  }
  return { passed, failures, schemas };
}
