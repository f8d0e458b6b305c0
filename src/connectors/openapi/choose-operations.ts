import { immediate } from "../../base/util/callbacks.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import type { OpenApiOptions, OperationFilter, OperationSummary } from "./options.ts";
import type { LeftOut, Operation } from "./types.ts";

/** The operations that the options choose, and the others, each with its reason. */
export function chooseOperations(
  operations: readonly Operation[],
  options: OpenApiOptions,
): { readonly chosen: readonly Operation[]; readonly leftOut: readonly LeftOut[] } {
  const chosen: Operation[] = [];
  const leftOut: LeftOut[] = [];
  for (const operation of operations) {
    const reason = reasonAgainst(operation, options);
    const { method, path, operationId } = operation;
    if (reason === undefined) chosen.push(operation);
    else leftOut.push({ method, path, ...(operationId !== undefined && { operationId }), reason });
  }
  return { chosen, leftOut };
}

function reasonAgainst(
  operation: Operation,
  { include, exclude, tags, deprecated }: OpenApiOptions,
): string | undefined {
  if (include && !matches(operation, include)) return "it is not among those of the option include";
  if (exclude && matches(operation, exclude)) return "the option exclude leaves it out";
  if (tags && !operation.tags.some((tag) => tags.includes(tag)))
    return "it has none of the tags of the option tags";
  if (operation.deprecated && deprecated !== true)
    return "it is deprecated, and the option deprecated is not set";
  return undefined;
}

function matches(operation: Operation, filter: OperationFilter): boolean {
  const { name, operationId, method, path, tags, deprecated } = operation;
  const summary: OperationSummary = {
    name,
    method,
    path,
    tags,
    deprecated,
    ...(operationId !== undefined && { operationId }),
  };
  if (typeof filter === "function")
    return immediate(filter(summary), () =>
      invalidOption("include and exclude of openapi() must return true or false, not a promise.", {
        option: "include",
      }),
    );
  const texts = [name, operationId ?? name, path, `${method} ${path}`];
  return filter.some((pattern) => {
    const expression =
      typeof pattern === "string"
        ? wildcard(pattern)
        : new RegExp(pattern, pattern.flags.replaceAll(/[gy]/g, ""));
    return texts.some((text) => expression.test(text));
  });
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
