import type { ArgumentDefault, ParameterPlan } from "../../schema/function-schema.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { argumentDefault } from "./argument-defaults.ts";
import { applyTags, described } from "./constraints.ts";
import { staticValue } from "./defaults.ts";
import { isJavaScript } from "./diagnostics.ts";
import { destructuredProperties, withDefaults } from "./destructuring.ts";
import { leadingDocComment, type DocComment, type ParameterDoc } from "./doc-comments.ts";
import type { ParameterDeclaration } from "./host.ts";
import { describeElements } from "./pattern-docs.ts";
import { describeProperties, withoutBrackets } from "./property-docs.ts";
import type { Parameter } from "./signatures.ts";
import { isToolContext } from "./tool-context.ts";
import { arraySchema } from "./types/arrays.ts";
import { allowsUndefined, has, type Conversion } from "./types/conversion.ts";
import { protoProblem } from "./types/inexpressible.ts";
import { optionalSchema } from "./types/left-out.ts";

/** What parameters make of a tool's input. */
export interface Input {
  readonly plans: readonly ParameterPlan[];
  readonly properties: JsonSchema;
  readonly required: readonly string[];
  readonly additionalProperties: unknown;
}

/** Plans how each parameter gets its value, and describes the properties that the model fills. */
export function describeParameters(
  conversion: Conversion,
  parameters: readonly Parameter[],
  doc: DocComment,
): Input {
  const { host } = conversion;
  const visible = parameters.filter(({ type }) => !isToolContext(host, type));
  const [sole] = visible;
  const pattern = sole?.declaration?.name;
  if (sole && pattern && visible.length === 1 && host.syntax.isObjectBindingPattern(pattern)) {
    const plans = parameters.map((parameter): ParameterPlan =>
      parameter === sole
        ? { kind: "object", ...defaultPart(conversion, sole, "object") }
        : { kind: "context" },
    );
    return { plans, ...destructuredProperties(conversion, sole, pattern, doc) };
  }
  const names = propertyNames(conversion, visible, doc);
  const properties = new Map<string, JsonSchema>();
  const required: string[] = [];
  const plans = parameters.map((parameter): ParameterPlan => {
    const name = names.get(parameter);
    if (name === undefined) return { kind: "context" };
    // Nothing but undefined: there is nothing to be given.
    const isGiven = !has(parameter.type, host.flags.Undefined | host.flags.Void);
    const schema = isGiven ? neededSchema(conversion, parameter, name, doc) : undefined;
    if (schema !== undefined) properties.set(name, schema);
    if (schema !== undefined && isRequired(conversion, parameter, schema)) required.push(name);
    const kind = parameter.isRest ? "rest" : "property";
    return { kind, name, ...(schema !== undefined && defaultPart(conversion, parameter, kind)) };
  });
  return { plans, properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** What takes the place of what is left out: the object of all arguments and the array of the rest are always there. */
function defaultPart(
  conversion: Conversion,
  parameter: Parameter,
  kind: ParameterPlan["kind"],
): { readonly default?: ArgumentDefault } {
  const { isPossible, ...initial } = argumentDefault(conversion.host, parameter.declaration) ?? {};
  const { properties } = initial;
  if (kind === "object") return properties ? { default: { properties } } : {};
  if (kind === "rest") return properties ? { default: { value: [], properties } } : {};
  const all = { ...initial, ...(isPossible && !mustBeGiven(conversion, parameter) && { isPossible }) };
  return Object.keys(all).length > 0 ? { default: all } : {};
}

/**
 * The names of parameters for the model. A destructured one among others has the name that `@param` gives it; the only
 * one that takes an object apart is "options" without that.
 */
function propertyNames(
  { host: { syntax }, report }: Conversion,
  parameters: readonly Parameter[],
  doc: DocComment,
): ReadonlyMap<Parameter, string> {
  const names = parameters.map(({ name }) => name);
  const roots = new Set([...doc.parameters.keys()].map((name) => name.split(/[.[]/)[0] ?? name));
  const documented = [...roots].filter((name) => !names.includes(name));
  const patterns = names.filter((name) => name === undefined);
  return new Map(
    parameters.map((parameter, index): [Parameter, string] => {
      const { declaration, node } = parameter;
      const isPlain =
        patterns.length === 1 && declaration !== undefined && syntax.isObjectBindingPattern(declaration.name);
      const name =
        names[index] ?? documented.shift() ?? (isPlain && !names.includes("options") ? "options" : undefined);
      if (name !== undefined) return [parameter, name];
      const text = declaration?.name.getText() ?? "";
      report.problem(text, node, "a destructured parameter has no name: give it one with @param");
      return [parameter, text];
    }),
  );
}

/** The schema of a parameter; `undefined` where it need not be given and JSON cannot carry it. */
function neededSchema(
  conversion: Conversion,
  parameter: Parameter,
  name: string,
  doc: DocComment,
): JsonSchema | undefined {
  const { node, type, typeNode } = parameter;
  const convert = (): JsonSchema => parameterSchema(conversion, parameter, name, doc);
  if (name === "__proto__") conversion.refuse({ path: name, node, typeNode }, protoProblem);
  if (mustBeGiven(conversion, parameter)) return convert();
  return optionalSchema(conversion, type, { path: name, node, typeNode }, convert);
}

/** Whether a call without the parameter would be wrong: of a rest, if it is not known to allow for no values. */
function mustBeGiven({ host }: Conversion, { isOptional, isRest, isElement, type }: Parameter): boolean {
  if (!isRest) return !isOptional && !allowsUndefined(host, type);
  if (isElement || host.arrayElement(type) !== undefined) return false;
  const elements = host.tupleElements(type);
  return elements === undefined || elements.some(({ kind }) => kind === "required");
}

function parameterSchema(
  conversion: Conversion,
  parameter: Parameter,
  name: string,
  doc: DocComment,
): JsonSchema {
  const { host, report } = conversion;
  const { declaration, node, type, typeNode } = parameter;
  const place = { path: name, node, typeNode };
  const warn = (message: string): void => report.warning(name, node, message);
  const plain = parameter.isElement ? arraySchema(conversion, type, place) : conversion.convert(type, place);
  const isTakenApart = declaration !== undefined && !host.syntax.isIdentifier(declaration.name);
  const documented = isTakenApart ? describeElements(host, declaration.name, plain, warn) : plain;
  const converted = describeProperties(documented, `${name}.`, doc, warn);
  const schema =
    declaration && host.syntax.isObjectBindingPattern(declaration.name)
      ? withDefaults(host, declaration.name, converted)
      : converted;
  const entry = doc.parameters.get(name);
  const mustBeThere =
    isRequired(conversion, parameter, schema) && !isJavaScript(node.getSourceFile().fileName);
  const own = parameterDoc(declaration, entry && mustBeThere ? withoutBrackets(entry, name, warn) : entry);
  const constrained = applyTags(described(schema, own.description), own.tags, warn);
  const value = declaration?.initializer && staticValue(host, declaration.initializer);
  return value === undefined ? constrained : { ...constrained, default: value };
}

/** `@param` first; a comment within the parameter list says the rest. */
function parameterDoc(
  declaration: ParameterDeclaration | undefined,
  tagged: ParameterDoc | undefined,
): ParameterDoc {
  const inner = declaration && leadingDocComment(declaration);
  return {
    description: tagged?.description || (inner?.summary ?? ""),
    tags: [...(inner?.tags ?? []), ...(tagged?.tags ?? [])],
  };
}

function isRequired(
  { host }: Conversion,
  { isOptional, isRest, type }: Parameter,
  schema: JsonSchema,
): boolean {
  if (isRest) return typeof schema["minItems"] === "number" && schema["minItems"] > 0;
  return !isOptional && !allowsUndefined(host, type);
}
