import { isConstraint } from "./constraints.ts";
import { createReport } from "./diagnostics.ts";
import { functionDoc } from "./function-docs.ts";
import type { FunctionDescription } from "./functions.ts";
import type { Host, Node } from "./host.ts";
import type { Parameter } from "./signatures.ts";
import type { FunctionValue, WrappedValue } from "./use-sites-values.ts";
import { functionsWithin } from "./wrapped-sources.ts";

/** A description with a warning, where the functions that a wrapper gets have constraints, and nothing shows whose count. */
export function withLostConstraints(
  host: Host,
  description: FunctionDescription,
  value: FunctionValue | WrappedValue,
  parameters: readonly Parameter[],
  place: Node,
): FunctionDescription {
  if (description instanceof Error) return description;
  const names = new Set(parameters.map(({ name }) => name));
  const limiting = functionsWithin(host, value, parameters.length > 0).filter(({ node }) =>
    [...functionDoc(host, node).parameters].some(
      ([path, { tags }]) =>
        names.has(/^[^.[\]]*/.exec(path)?.[0]) && tags.some((tag) => isConstraint(tag.name)),
    ),
  );
  if (limiting.length === 0) return description;
  const report = createReport();
  const list = limiting.map(({ name }) => name || "a function").join(", ");
  report.warning(
    "",
    place,
    `the constraints in the comment of ${list} are left out, since others may get the arguments`,
  );
  return { ...description, warnings: [...(description.warnings ?? []), ...report.warnings] };
}
