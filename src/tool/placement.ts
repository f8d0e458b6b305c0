import { knownPlacement } from "../schema/attach/schemas.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import type { FunctionSchema, ParameterPlan } from "../schema/function-schema.ts";
import { isPlainObject } from "../base/util/json.ts";
import { describeFunction } from "./function-name.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { ToolContext } from "./tool-context.ts";

/** How a parameter gets its value; `absent`: it gets none. */
export type Placement = ParameterPlan | { readonly kind: "absent" };

const planKinds: ReadonlySet<unknown> = new Set(["property", "object", "rest", "context"]);

/**
 * What says how the arguments of a function are placed, by types alone: what a build has attached, or what was found of it. Never
 * the function's text, whose names a minifier changes.
 * @throws ConfigurationError if it is not known: nobody could say then where the context belongs.
 */
export function placementOf(
  fn: ToolFunction,
  finding: FunctionSchema | SchemaNotFoundError | undefined,
): FunctionSchema {
  const placed = knownPlacement(fn);
  if (placed) return placed;
  if (finding && !(finding instanceof SchemaNotFoundError)) return finding;
  const placement: unknown = finding?.data["placement"];
  if (isPlacement(placement)) return placement;
  const reason = finding ? `\n${finding.message}` : "";
  throw new ConfigurationError(
    `The parameters of ${describeFunction(fn)} are not known, so its own schema cannot be matched to them. Write tool({ name, description, input, execute: (args, context) => ... }) instead of tool(fn, { input }).${reason}`,
    { code: "invalid-tool", data: { ...finding?.data, function: fn.name }, cause: finding },
  );
}

function isPlacement(value: unknown): value is FunctionSchema {
  if (!isPlainObject(value) || typeof value["name"] !== "string") return false;
  const { parameters, inputSchema } = value;
  return isPlainObject(inputSchema) && Array.isArray(parameters) && parameters.every(isPlan);
}

function isPlan(value: unknown): value is ParameterPlan {
  if (!isPlainObject(value) || !planKinds.has(value["kind"])) return false;
  return value["kind"] === "context" || value["kind"] === "object" || typeof value["name"] === "string";
}

/** The arguments of a call, in the places that `placements` say. */
export function placeArguments(
  placements: readonly Placement[],
  input: unknown,
  context: ToolContext,
): unknown[] {
  const values = isPlainObject(input) ? input : {};
  const own = (name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);
  return placements.flatMap((placement): readonly unknown[] => {
    if (placement.kind === "context") return [context];
    if (placement.kind === "object") return [input];
    if (placement.kind === "absent") return [undefined];
    const value = own(placement.name);
    if (placement.kind === "property") return [value];
    return Array.isArray(value) ? value : [];
  });
}
