import type { SchemaNotFoundError } from "../../errors.ts";
import type { ParameterPlan } from "../../schema/function-schema.ts";
import { createReport, signatureError, type Report } from "./diagnostics.ts";
import type { FunctionNode } from "./function-nodes.ts";
import type { Host, Node, Signature } from "./host.ts";
import { declaredParameters, signatureParameters, type Parameter } from "./signatures.ts";
import { namesToolContext } from "./named-contexts.ts";
import { isToolContext } from "./tool-context.ts";
import { holdsContext } from "./types/context-within.ts";
import { has } from "./types/conversion.ts";

/** A parameter that takes a `ToolContext`, or what holds one. */
export interface ContextPlace {
  readonly index: number;
  /** As messages name it. */
  readonly name: string;
  /** What messages point to. */
  readonly node: Node;
  readonly isRest: boolean;
}

/** Where the declarations of a function take a `ToolContext`: the code behind overloads takes what callers of each may pass. */
export function contextPlaces(host: Host, fn: FunctionNode): readonly ContextPlace[] {
  return [fn, ...otherDeclarations(host, fn)].flatMap((each) => ownContextPlaces(host, each));
}

/** The same of one declaration alone. */
export function ownContextPlaces(host: Host, fn: FunctionNode): readonly ContextPlace[] {
  return placesOf(host, declaredParameters(host, fn));
}

/** The same of a signature of a type. */
export function signatureContextPlaces(
  host: Host,
  signature: Signature,
  place: Node,
): readonly ContextPlace[] {
  return placesOf(host, signatureParameters(host, signature, place));
}

function placesOf(host: Host, parameters: readonly Parameter[]): readonly ContextPlace[] {
  return parameters.flatMap((parameter, index): readonly ContextPlace[] => {
    if (!takesContext(host, parameter)) return [];
    const { declaration, node, isRest } = parameter;
    const place = {
      index,
      name: declaration?.name.getText() ?? parameter.name ?? "",
      node: declaration ?? node,
    };
    const elements = isRest ? elementPlaces(host, parameter, index) : [];
    return elements.length > 0
      ? elements.map((element) => ({ ...place, ...element }))
      : [{ ...place, isRest }];
  });
}

/** Which elements of a rest tuple take a context: of `...args: [string, ToolContext]`, the second. */
function elementPlaces(
  host: Host,
  { type }: Parameter,
  index: number,
): readonly Pick<ContextPlace, "index" | "isRest">[] {
  const tuple = has(type, host.flags.TypeParameter) ? host.constraintOf(type) : type;
  const elements = (tuple && host.tupleElements(tuple)) ?? [];
  const firstRest = elements.findIndex(({ kind }) => kind === "rest");
  return elements.flatMap((element, offset) => {
    if (!isToolContext(host, element.type) && !holdsContext(host, element.type)) return [];
    // What follows a rest of any length may stand anywhere from there on.
    const isRest = firstRest >= 0 && offset >= firstRest;
    return [{ index: index + (isRest ? firstRest : offset), isRest }];
  });
}

function takesContext(host: Host, { type, declaration }: Parameter): boolean {
  if (isToolContext(host, type) || holdsContext(host, type)) return true;
  return declaration?.type !== undefined && namesToolContext(host, declaration.type);
}

function otherDeclarations(host: Host, fn: FunctionNode): readonly FunctionNode[] {
  const { syntax } = host;
  const name = "name" in fn ? fn.name : undefined;
  const symbol =
    name === undefined || !syntax.isFunctionLikeDeclaration(fn) ? undefined : host.symbolAt(name);
  const declarations = symbol === undefined ? [] : host.declarationsOf(symbol);
  return declarations
    .filter((each) => syntax.isFunctionLikeDeclaration(each))
    .filter((each) => each !== fn && each.kind === fn.kind);
}

/**
 * The context that a function takes, and a type by which it is called has not: by the type, a model would fill it. Method
 * parameters are compared both ways, so TypeScript allows it.
 * @param bound - How many of the function's first parameters are filled already.
 */
export function undeclaredContext(
  host: Host,
  places: readonly ContextPlace[],
  used: readonly Parameter[],
  bound = 0,
): ContextPlace | undefined {
  return places.find(({ index, isRest }) => {
    const at = index - bound;
    // A rest that takes contexts takes them at all places from there on.
    const passed = isRest ? used.slice(Math.max(at, 0)) : used.slice(at, at + 1);
    if (at < 0 && !isRest) return false;
    return passed.length === 0 || !passed.every(({ type }) => isToolContext(host, type));
  });
}

/** The same of how a schema places its arguments. */
export function unplacedContext(
  places: readonly ContextPlace[],
  plans: readonly ParameterPlan[],
  bound: number,
): ContextPlace | undefined {
  return places.find(({ index, isRest }) => {
    const at = index - bound;
    if (at < 0 && !isRest) return false;
    const passed = isRest ? plans.slice(Math.max(at, 0)) : plans.slice(at, at + 1);
    return passed.length === 0 || !passed.every(({ kind }) => kind === "context");
  });
}

const remedy =
  "Declare the type with the context, such as (city: string, ctx: ToolContext) => string, or pass the function itself.";

/** The error for a function that is used by a type which hides its context. */
export function undeclaredContextError(
  name: string,
  { name: parameter, node }: ContextPlace,
): SchemaNotFoundError {
  const report: Report = createReport();
  report.problem(
    parameter,
    node,
    "it takes a ToolContext, which the type of the expression does not have there",
  );
  return signatureError(name, report.problems, {
    summary: "is used by a type without its ToolContext",
    remedy,
  });
}
