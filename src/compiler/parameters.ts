import type { ParameterPlan } from "../schema/function-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { applyTags, described } from "./constraints.ts";
import { staticValue } from "./defaults.ts";
import { destructuredProperties, withDefaults } from "./destructuring.ts";
import { leadingDocComment, type DocComment, type ParameterDoc } from "./doc-comments.ts";
import type { ParameterDeclaration, Type } from "./host.ts";
import { describeProperties } from "./property-docs.ts";
import { isToolContext } from "./tool-context.ts";
import { allowsUndefined, has, type Conversion } from "./types/conversion.ts";

/** A parameter as the checker knows it and as it was declared. */
export interface Parameter {
  readonly type: Type;
  readonly declaration: ParameterDeclaration;
}

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
  if (
    sole !== undefined &&
    visible.length === 1 &&
    host.syntax.isObjectBindingPattern(sole.declaration.name)
  ) {
    const plans = parameters.map((parameter): ParameterPlan =>
      parameter === sole ? { kind: "object" } : { kind: "context" },
    );
    return { plans, ...destructuredProperties(conversion, sole, sole.declaration.name, doc) };
  }
  const names = propertyNames(conversion, visible, doc);
  const properties = new Map<string, JsonSchema>();
  const required: string[] = [];
  const plans = parameters.map((parameter): ParameterPlan => {
    const name = names.get(parameter);
    if (name === undefined) return { kind: "context" };
    // Nothing but undefined: there is nothing to be given.
    if (!has(parameter.type, host.flags.Undefined | host.flags.Void)) {
      const schema = parameterSchema(conversion, parameter, name, doc);
      properties.set(name, schema);
      if (isRequired(conversion, parameter, schema)) required.push(name);
    }
    return { kind: parameter.declaration.dotDotDotToken ? "rest" : "property", name };
  });
  return { plans, properties: Object.fromEntries(properties), required, additionalProperties: false };
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
  const names = parameters.map(({ declaration: { name } }) =>
    syntax.isIdentifier(name) ? name.text : undefined,
  );
  const roots = new Set([...doc.parameters.keys()].map((name) => name.split(".")[0] ?? name));
  const documented = [...roots].filter((name) => !names.includes(name));
  const patterns = names.filter((name) => name === undefined);
  return new Map(
    parameters.map((parameter, index): [Parameter, string] => {
      const { declaration } = parameter;
      const isPlain = patterns.length === 1 && syntax.isObjectBindingPattern(declaration.name);
      const name =
        names[index] ?? documented.shift() ?? (isPlain && !names.includes("options") ? "options" : undefined);
      if (name !== undefined) return [parameter, name];
      const text = declaration.name.getText();
      report.problem(text, declaration, "a destructured parameter has no name: give it one with @param");
      return [parameter, text];
    }),
  );
}

function parameterSchema(
  conversion: Conversion,
  parameter: Parameter,
  name: string,
  doc: DocComment,
): JsonSchema {
  const { host, report } = conversion;
  const { declaration, type } = parameter;
  const place = { path: name, node: declaration, written: declaration.type };
  const warn = (message: string): void => report.warning(name, declaration, message);
  const isUntyped =
    has(type, host.flags.Any | host.flags.Never) &&
    declaration.type === undefined &&
    !declaration.initializer;
  if (isUntyped) warn("it has no type, so any JSON is accepted");
  const plain = isUntyped ? {} : conversion.convert(type, place);
  const converted = describeProperties(plain, `${name}.`, doc, warn);
  const schema = host.syntax.isObjectBindingPattern(declaration.name)
    ? withDefaults(host, declaration.name, converted)
    : converted;
  const own = parameterDoc(declaration, doc.parameters.get(name));
  const constrained = applyTags(described(schema, own.description), own.tags, warn);
  const value = declaration.initializer && staticValue(host, declaration.initializer);
  return value === undefined ? constrained : { ...constrained, default: value };
}

/** `@param` first; a comment within the parameter list says the rest. */
function parameterDoc(declaration: ParameterDeclaration, tagged: ParameterDoc | undefined): ParameterDoc {
  const inner = leadingDocComment(declaration);
  return {
    description: tagged?.description || (inner?.summary ?? ""),
    tags: [...(inner?.tags ?? []), ...(tagged?.tags ?? [])],
  };
}

function isRequired({ host }: Conversion, { declaration, type }: Parameter, schema: JsonSchema): boolean {
  if (declaration.dotDotDotToken !== undefined) {
    return typeof schema["minItems"] === "number" && schema["minItems"] > 0;
  }
  if (declaration.initializer !== undefined || declaration.questionToken !== undefined) return false;
  return !allowsUndefined(host, type);
}
