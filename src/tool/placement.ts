import { knownPlacement } from "../attach/schemas.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import type { FunctionSchema, ParameterPlan } from "../schema/function-schema.ts";
import { isPlainObject } from "../util/json.ts";
import { describeFunction } from "./function-name.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { ToolContext } from "./tool-context.ts";

/** How a parameter gets its value; `absent`: it gets none. */
export type Placement = ParameterPlan | { readonly kind: "absent" };

const planKinds: ReadonlySet<unknown> = new Set(["property", "object", "rest", "context"]);

/**
 * The parameters of a function, by types alone: what a build has attached, or what was found of it. Never by the function's
 * text, whose names a minifier changes.
 * @throws ConfigurationError if they are not known: nobody could say then where the context belongs.
 */
export function parametersOf(
  fn: ToolFunction,
  found: FunctionSchema | SchemaNotFoundError | undefined,
): readonly ParameterPlan[] {
  const known = knownPlacement(fn);
  if (known) return known;
  if (found && !(found instanceof SchemaNotFoundError)) return found.parameters;
  const parameters = found?.data["parameters"];
  if (Array.isArray(parameters) && parameters.every(isPlan)) return parameters;
  const reason = found ? `\n${found.message}` : "";
  throw new ConfigurationError(
    `The parameters of ${describeFunction(fn)} are not known, so its own schema cannot be matched to them. Write tool({ name, description, input, execute: (args, context) => ... }) instead of tool(fn, { input }).${reason}`,
    { code: "invalid-tool", data: { ...found?.data, function: fn.name }, cause: found },
  );
}

function isPlan(value: unknown): value is ParameterPlan {
  if (!isPlainObject(value) || !planKinds.has(value["kind"])) return false;
  return value["kind"] === "context" || value["kind"] === "object" || typeof value["name"] === "string";
}

/**
 * How a function is called whose schema is another than that of its signature: the schema's properties go to the parameters of
 * their names. If no parameter has the name of one, the first takes the whole object. The context is only ever injected.
 * @throws ConfigurationError for properties that no parameter takes.
 */
export function placeByNames(
  tool: string,
  parameters: readonly ParameterPlan[],
  properties: Readonly<Record<string, unknown>>,
): readonly Placement[] {
  if (parameters.some(({ kind }) => kind === "object")) return parameters;
  const names = parameters.flatMap((parameter) => ("name" in parameter ? [parameter.name] : []));
  const isProperty = (name: string): boolean => Object.hasOwn(properties, name);
  const takesWhole = !names.some(isProperty);
  const missing = Object.keys(properties).filter((property) => !names.includes(property));
  if (missing.length > 0 && (!takesWhole || names.length === 0)) {
    const list = names.length === 0 ? "it has none" : names.join(", ");
    throw new ConfigurationError(
      `The schema of the tool ${tool} has the properties ${missing.join(", ")}, which its function has no parameters for (${list}): name them alike, or take one object.`,
      { code: "invalid-tool", data: { tool, missing } },
    );
  }
  const first = parameters.findIndex(({ kind }) => kind !== "context");
  return parameters.map((parameter, index) => {
    if (parameter.kind === "context" || parameter.kind === "object") return parameter;
    if (takesWhole && index === first) return { kind: "object" };
    return isProperty(parameter.name) ? parameter : { kind: "absent" };
  });
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
