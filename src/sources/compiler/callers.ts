import type { SchemaNotFoundError } from "../../errors.ts";
import { createReport, signatureError } from "./diagnostics.ts";
import type { Host, Node } from "./host.ts";
import { libraryMethod } from "./library-methods.ts";
import { holdContextFunctions, isReadable } from "./package-wrappers.ts";
import { declaredParameters, type Parameter } from "./signatures.ts";
import { describeText, type FunctionValue } from "./use-sites-values.ts";

/** Methods of the language whose arguments are those of another function, a `ToolContext` among them. */
const callers: ReadonlySet<string> = new Set([
  "Function.call",
  "Function.apply",
  "Function.bind",
  "Reflect.apply",
  "Reflect.construct",
]);

/**
 * The error for a function that calls another with whatever a model writes: `fn.call`, `Reflect.apply.bind(...)`, or
 * `setTimeout.bind(null, fn, 0)` where `fn` takes a context.
 */
export function refuseCaller(host: Host, value: FunctionValue, place: Node): SchemaNotFoundError | undefined {
  const message = isCaller(host, value.node)
    ? "it calls another function with all that it gets, a ToolContext included"
    : passesContextOn(host, value)
      ? "a function that takes a ToolContext is bound to it, and its types do not show what it calls that one with"
      : undefined;
  if (message === undefined) return undefined;
  const report = createReport();
  report.problem("", place, message, "untyped");
  const remedy = "Write a function of your own that makes the call, with types: (city: string) => fn(city).";
  return signatureError(describeText(place), report.problems, { remedy });
}

function isCaller(host: Host, node: Node): boolean {
  const name = "name" in node && isNode(node.name) ? node.name : undefined;
  const method = name && libraryMethod(host, name);
  return method !== undefined && callers.has(method);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "kind" in value;
}

function passesContextOn(host: Host, { node, boundTo }: FunctionValue): boolean {
  if (boundTo === undefined || !holdContextFunctions(host, boundTo)) return false;
  return !isReadable(host, node) || declaredParameters(host, node).some((each) => isRestOfAny(host, each));
}

/** `any`, `unknown` or `never` for each argument: what functions write that take those of any other. */
export function isRestOfAny(host: Host, { isRest, type }: Parameter): boolean {
  const { Any, Unknown, Never } = host.flags;
  const element = host.arrayElement(type) ?? type;
  return isRest && (element.flags & (Any | Unknown | Never)) !== 0;
}
