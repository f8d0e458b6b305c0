import { ConfigurationError } from "../errors.ts";
import type { FunctionSchema, ParameterPlan } from "../schema/function-schema.ts";
import type { ToolFunction } from "./tool-function.ts";

/** Functions of the language whose arguments are those of another function, a `ToolContext` among them. */
const callers: ReadonlySet<unknown> = new Set([
  ...["call", "apply", "bind"].map((name): unknown => Reflect.get(Function.prototype, name)),
  ...["apply", "construct"].map((name): unknown => Reflect.get(Reflect, name)),
]);

/** What they are called once `bind` has been called on them. */
const boundName = /^(?:bound )+(?:call|apply|bind|construct)$/;

/** The names of their parameters, which distinguish them from the program's own methods of the same names. */
const parameterName = /^(?:thisArg|args|argArray|target|thisArgument|argumentsList|newTarget)$/;

/**
 * Checks that a schema does not let a model choose what another function gets as its context: builds of earlier versions attached such.
 * @throws ConfigurationError for `fn.call.bind(fn)`, `Reflect.apply` and the like.
 */
export function assertNoCaller(fn: ToolFunction, schema: FunctionSchema): void {
  if (!callers.has(fn) && !isBoundCaller(fn, schema)) return;
  throw new ConfigurationError(
    `The function ${fn.name} calls another function with all that it gets, a ToolContext included. ` +
      "Write a function of your own that makes the call, with types: (city: string) => fn(city).",
    { code: "invalid-tool", data: { function: fn.name } },
  );
}

function isBoundCaller(fn: ToolFunction, { parameters, public: isPublic }: FunctionSchema): boolean {
  if (isPublic || !boundName.test(fn.name) || !isNative(fn)) return false;
  return parameters.some((plan) => parameterName.test(nameOf(plan)));
}

function nameOf(plan: ParameterPlan): string {
  return "name" in plan && typeof plan.name === "string" ? plan.name : "";
}

/** Whether the engine made a function, as `bind` has it do. */
export function isNative(fn: ToolFunction): boolean {
  return /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(fn));
}
