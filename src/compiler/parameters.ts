import type { ParameterPlan } from "../schema/function-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { applyTags, described } from "./constraints.ts";
import { staticValue } from "./defaults.ts";
import { destructuredProperties } from "./destructuring.ts";
import { leadingDocComment, type DocComment, type ParameterDoc } from "./doc-comments.ts";
import type { ParameterDeclaration, Type, TypeSymbol } from "./host.ts";
import { describeProperties } from "./property-docs.ts";
import { isToolContext } from "./tool-context.ts";
import { allowsUndefined, type Conversion } from "./types/conversion.ts";

/** A parameter as the checker knows it and as it was declared. */
export interface Parameter {
  readonly symbol: TypeSymbol;
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
  const { host, report } = conversion;
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
  const properties = new Map<string, JsonSchema>();
  const required: string[] = [];
  const plans = parameters.map((parameter): ParameterPlan => {
    const { declaration, symbol } = parameter;
    if (!visible.includes(parameter)) return { kind: "context" };
    if (!host.syntax.isIdentifier(declaration.name)) {
      report.problem(
        declaration.name.getText(),
        declaration,
        "a destructured parameter must be the only one, and an object",
      );
    }
    const schema = parameterSchema(conversion, parameter, doc);
    properties.set(symbol.name, schema);
    if (isRequired(conversion, parameter, schema)) required.push(symbol.name);
    return { kind: declaration.dotDotDotToken ? "rest" : "property", name: symbol.name };
  });
  return { plans, properties: Object.fromEntries(properties), required, additionalProperties: false };
}

function parameterSchema(conversion: Conversion, parameter: Parameter, doc: DocComment): JsonSchema {
  const { host, report } = conversion;
  const { declaration, symbol, type } = parameter;
  const place = { path: symbol.name, node: declaration, written: declaration.type };
  const warn = (message: string): void => report.warning(symbol.name, declaration, message);
  if (
    type.flags & host.flags.Any &&
    declaration.type === undefined &&
    declaration.initializer === undefined
  ) {
    warn("it has no type, so any JSON is accepted");
  }
  const schema = describeProperties(conversion.convert(type, place), `${symbol.name}.`, doc, warn);
  const own = parameterDoc(declaration, doc.parameters.get(symbol.name));
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
