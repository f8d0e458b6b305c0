import { ConfigurationError } from "../errors.ts";
import type { ParameterPlan } from "../schema/function-schema.ts";
import { typesOf, type InputOutline } from "../schema/input-outline.ts";
import type { Placement } from "./placement.ts";
import {
  absenceProblems,
  memberProblems,
  propertyProblems,
  revivalProblem,
  type OwnSchema,
} from "./schema-fit.ts";

/** A function with a schema of its own. */
export interface PlacedFunction {
  readonly tool: string;
  /** What the function is called in messages. */
  readonly fn: string;
  readonly parameters: readonly ParameterPlan[];
  /** What its signature says of the arguments; without properties where that is not known. */
  readonly declared: InputOutline;
  /** The properties that a model writes. */
  readonly propertyNames: readonly string[];
  /** What arrives at the function; `undefined` where a library may make anything of what a model writes: nothing is compared. */
  readonly own: OwnSchema | undefined;
}

type NamedParameter = Extract<ParameterPlan, { readonly name: string }>;

/**
 * How a function is called whose schema is another than that of its signature: each property goes to the parameter of its name, or
 * the whole object to the first one. The types decide which; where they say nothing, the names. The context is only ever injected.
 * @throws ConfigurationError for a schema that does not fit the function, or fits it in both ways.
 */
export function placeProperties(source: PlacedFunction): readonly Placement[] {
  const { parameters, declared, own } = source;
  if (parameters.some(({ kind }) => kind === "object")) {
    const problems = own ? memberProblems(declared, own) : [];
    if (problems.length > 0) throw misfit(source, problems);
    return parameters;
  }
  const named = parameters.filter((parameter): parameter is NamedParameter => "name" in parameter);
  const [first, ...others] = named;
  const byName = nameProblems(source, named);
  const types = first && typesOf(outlineOf(declared, first));
  const isNamed = namesOf(source).some((property) => named.some(({ name }) => name === property));
  const takesObject = first?.kind === "property" && (types?.includes("object") ?? !isNamed);
  if (!first || !takesObject) return placeByName(source, byName);
  const asWhole = wholeProblems(source, first, others);
  if (asWhole.length > 0) {
    if (byName.length > 0) throw misfit(source, byName, { first, problems: asWhole });
    return placeByName(source, byName);
  }
  if (isNamed && byName.length === 0) throw ambiguous(source, first);
  return parameters.map((parameter) => {
    if (parameter === first) return wholeObject(first);
    return parameter.kind === "context" ? parameter : { kind: "absent" };
  });
}

/** A parameter that takes all arguments as one object: what it takes apart keeps its defaults. */
function wholeObject(parameter: NamedParameter): Placement {
  const properties = parameter.default?.properties;
  return { kind: "object", ...(properties && { default: { properties } }) };
}

/** @throws ConfigurationError if there are problems. */
function placeByName(source: PlacedFunction, problems: readonly string[]): readonly Placement[] {
  if (problems.length > 0) throw misfit(source, problems);
  // What a library makes of a property may have another name.
  const names = source.own && new Set(namesOf(source));
  return source.parameters.map((parameter) => {
    const isAbsent = "name" in parameter && names && !names.has(parameter.name);
    return isAbsent ? { kind: "absent" } : parameter;
  });
}

function namesOf({ own, propertyNames }: PlacedFunction): readonly string[] {
  return own ? Object.keys(own.outline.properties ?? {}) : propertyNames;
}

/** What a signature says of a parameter: nothing, where it is not known. */
function outlineOf({ properties = {} }: InputOutline, { name }: NamedParameter): InputOutline {
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
}

function nameProblems(source: PlacedFunction, named: readonly NamedParameter[]): readonly string[] {
  const { declared, own } = source;
  if (!own) return [];
  const unknown = namesOf(source).filter((property) => !named.some(({ name }) => name === property));
  return [
    ...unknown.map((name) => `the function takes no ${name}`),
    ...(declared.required ?? []).flatMap((name) => absenceProblems(name, own)),
    ...named.flatMap((parameter) => propertyProblems(parameter.name, outlineOf(declared, parameter), own)),
  ];
}

/** Why the whole object cannot be the first parameter. */
function wholeProblems(
  source: PlacedFunction,
  first: NamedParameter,
  others: readonly NamedParameter[],
): readonly string[] {
  const { declared, own } = source;
  const outline = outlineOf(declared, first);
  const names = namesOf(source);
  return [
    ...others.flatMap(({ name }) => {
      if (names.includes(name)) return [`${name} is a parameter of its own`];
      return declared.required?.includes(name) ? [`nothing is left for ${name}`] : [];
    }),
    ...(own && outline.revived ? [revivalProblem(first.name, outline.revived)] : []),
    ...(own ? memberProblems(outline, own) : []),
  ];
}

interface Whole {
  readonly first: NamedParameter;
  readonly problems: readonly string[];
}

function misfit(source: PlacedFunction, byName: readonly string[], whole?: Whole): ConfigurationError {
  const { tool, fn, declared } = source;
  const problems = whole
    ? `.\n  - by the names of its parameters: ${byName.join("; ")}\n  - as the object ${whole.first.name}: ${whole.problems.join("; ")}\n`
    : `: ${byName.join("; ")}. `;
  const members = whole ? listProperties(outlineOf(declared, whole.first)) : "";
  const forms = [listProperties(declared), members && `those of ${whole?.first.name}, ${members}`].filter(
    (form) => form !== "",
  );
  const change =
    forms.length > 0 ? `Give it the properties ${forms.join(", or ")}, or write` : "Change it, or write";
  return new ConfigurationError(
    `The schema of the tool ${tool} does not fit its function ${fn}${problems}${change} tool({ name, description, input, execute: (args, context) => ... }).`,
    { code: "invalid-tool", data: { tool, function: fn, problems: [...byName, ...(whole?.problems ?? [])] } },
  );
}

/** Such as `a, b (required: a)`. */
function listProperties({ properties = {}, required = [] }: InputOutline): string {
  const names = Object.keys(properties).join(", ");
  return required.length === 0 ? names : `${names} (required: ${required.join(", ")})`;
}

function ambiguous({ tool, fn }: PlacedFunction, { name }: NamedParameter): ConfigurationError {
  return new ConfigurationError(
    `The schema of the tool ${tool} fits its function ${fn} in two ways: its property ${name} as the parameter ${name}, and the whole object as that parameter. ` +
      `Write which one: tool({ name, description, input, execute: ({ ${name} }) => ${fn}(${name}) }), or execute: (${name}) => ${fn}(${name}).`,
    { code: "invalid-tool", data: { tool, function: fn, parameter: name } },
  );
}
