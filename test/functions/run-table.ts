import type { ToolSchema } from "skein";
import { checkTheme } from "./check-theme.ts";
import type { Theme } from "./row.ts";
import { diagnosed, themes } from "./table/index.ts";

/** What came of the whole table. */
export interface TableOutcome {
  readonly passed: number;
  /** `theme: row: what is not as expected`. */
  readonly failures: string[];
  /** What the model sees of each row's function, by `theme: row`. */
  readonly schemas: Readonly<Record<string, ToolSchema>>;
}

/** Runs the table: what must work and, where functions are described as the program runs, what must be refused. */
export async function runTable(
  options: { readonly isBuilt?: boolean; readonly only?: readonly Theme[] } = {},
): Promise<TableOutcome> {
  const failures: string[] = [];
  const schemas: Record<string, ToolSchema> = {};
  let passed = 0;
  for (const theme of options.only ?? (options.isBuilt ? themes : [...themes, ...diagnosed])) {
    for (const outcome of await checkTheme(theme)) {
      const name = `${theme.name}: ${outcome.title}`;
      if (outcome.schema !== undefined) schemas[name] = outcome.schema;
      if (outcome.failures.length === 0) passed += 1;
      failures.push(...outcome.failures.map((failure) => `${name}: ${failure}`));
    }
  }
  return { passed, failures, schemas };
}
