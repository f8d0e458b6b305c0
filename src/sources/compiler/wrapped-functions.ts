import { functionOfSignature, runtimeName } from "./function-nodes.ts";
import type { Host, Signature } from "./host.ts";
import { declaredParameters, declaresSignature, namesParameters, type Parameter } from "./signatures.ts";
import { returnedByCode, type FunctionValue, type WrappedValue } from "./use-sites-values.ts";
import {
  functionsWithin,
  isPassingOn,
  wrappedFunctions,
  type Candidate,
  type WrappedFunction,
} from "./wrapped-sources.ts";

export type { Candidate } from "./wrapped-sources.ts";

/** The functions that declare an expression's parameters, under its names: the one that runs first, then what it was made of. */
export function declaringFunctions(
  host: Host,
  value: FunctionValue | WrappedValue,
  signature: Signature,
  parameters: readonly Parameter[],
): readonly Candidate[] {
  const declaring = functionOfSignature(host, signature);
  const declared = declaring ? [{ node: declaring, name: runtimeName(host, declaring) ?? "", bound: 0 }] : [];
  const declares = ({ node }: Candidate): boolean => declaresSignature(host, node, parameters);
  const inner = value.kind === "function" ? value : returnedByCode(host, value.call);
  const isRunning = inner.kind === "function" && (inner === value || inner.bound === 0);
  const running = isRunning ? [inner] : [];
  const source = wrappedSource(host, value, parameters);
  const isSource =
    source !== undefined &&
    source !== value &&
    source.bound === 0 &&
    namesParameters(host, source.node, parameters);
  return [...running, ...declared, ...(isSource ? [source] : [])].filter(declares);
}

/**
 * The function whose words speak of an expression: the only one that it is made of, if the expression's parameters are its own, by
 * their names or their types. A callback's words would speak of something else.
 */
export function wrappedSource(
  host: Host,
  value: FunctionValue | WrappedValue,
  parameters: readonly Parameter[],
): Candidate | undefined {
  if (value.kind === "function" && !isPassingOn(host, value)) return value;
  const takesArguments = parameters.length > 0;
  const source =
    sourceAmong(host, wrappedFunctions(host, value, takesArguments), parameters) ??
    sourceAmong(host, functionsWithin(host, value, takesArguments), parameters);
  return source ?? (value.kind === "function" ? value : undefined);
}

function sourceAmong(
  host: Host,
  functions: readonly WrappedFunction[],
  parameters: readonly Parameter[],
): Candidate | undefined {
  const all = distinctFunctions(functions);
  const [only, ...others] = all.length > 1 ? all.filter(({ isGeneric }) => isGeneric) : all;
  if (only === undefined || others.length > 0) return undefined;
  const own = declaredParameters(host, only.node).slice(only.bound);
  const names = new Set(own.map(({ name }) => name));
  const isOfSource = (parameter: Parameter): boolean => names.has(parameter.name) || isPlaceName(parameter);
  // Beside what it takes for the source, a wrapper may take parameters of its own.
  const isPassedOn = (parameter: Parameter): boolean =>
    only.isGeneric &&
    (isFilledIn(parameter) || (parameter.declaration === undefined && names.has(parameter.name)));
  const isNamed = parameters.every(isOfSource) || parameters.some(isPassedOn);
  return isNamed && (parameters.length > 0 || only.isGeneric) ? only : undefined;
}

function distinctFunctions(functions: readonly WrappedFunction[]): readonly WrappedFunction[] {
  const byNode = Map.groupBy(functions, ({ node }) => node);
  return [...byNode.values()].flatMap((same) => [
    ...new Map(same.map((each) => [each.bound, each])).values(),
  ]);
}

/**
 * The functions that may take the arguments of a wrapper's result, where there are several, and the type only says what one of them
 * is like.
 * @param chosen - What declares the type, if anything.
 */
export function ambiguousWrapper(
  host: Host,
  value: FunctionValue | WrappedValue,
  parameters: readonly Parameter[],
  chosen: Candidate | undefined,
): readonly string[] | undefined {
  if (value.kind === "function" || (chosen && chosen.node === wrappedSource(host, value, parameters)?.node))
    return undefined;
  const takers = distinctFunctions(wrappedFunctions(host, value, parameters.length > 0)).filter(
    ({ node, bound }) => declaresSignature(host, node, parameters, bound),
  );
  const isOneOfThem = takers.some(({ node }) => node === chosen?.node);
  const isInferred = chosen === undefined && parameters.some(({ declaration }) => declaration === undefined);
  if (!isOneOfThem && !isInferred) return undefined;
  const possible = isOneOfThem ? takers : takers.filter(({ isGeneric }) => isGeneric);
  const isCertain =
    !isOneOfThem && possible.every(({ node, bound }) => namesParameters(host, node, parameters, bound));
  return possible.length < 2 || isCertain ? undefined : possible.map(({ name }) => name || "a function");
}

/** Whether a parameter has the type that was written for a type parameter. */
function isFilledIn({ declaration, typeNode }: Parameter): boolean {
  return declaration?.type !== undefined && typeNode === undefined;
}

/** Whether only the place of a parameter has a name: that of a tuple without names, or of what is destructured. */
function isPlaceName({ name, declaration }: Parameter): boolean {
  return name === undefined || (declaration === undefined && /\d$/.test(name));
}
