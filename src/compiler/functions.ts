import type { FunctionSchema } from "../schema/function-schema.ts";
import type { SchemaNotFoundError } from "../errors.ts";
import { createReport, signatureError, type Report } from "./diagnostics.ts";
import type { DocComment } from "./doc-comments.ts";
import { functionDoc } from "./function-docs.ts";
import { runtimeName, type FunctionNode } from "./function-nodes.ts";
import type { Host, ParameterDeclaration, Type } from "./host.ts";
import { outputSchemaOf } from "./output.ts";
import { describeParameters, type Input, type Parameter } from "./parameters.ts";
import { prefetch } from "./prefetch.ts";
import { createConversion } from "./types/convert.ts";
import { has, type Conversion } from "./types/conversion.ts";
import { unmarked } from "./types/revival.ts";

/** A function's schema, or why it has none. */
export type FunctionDescription = FunctionSchema | SchemaNotFoundError;

/**
 * Describes a function from its signature and its doc comment.
 * @param name - The tool's name; by default the one that JavaScript gives the function.
 */
export function describeFunction(
  host: Host,
  node: FunctionNode,
  name: string = runtimeName(host, node) ?? "",
): FunctionDescription {
  prefetch(host, [node.getSourceFile()]);
  const report = createReport();
  const declared = declaredSignature(host, node, report);
  const conversion = createConversion(host, report);
  const doc = functionDoc(host, declared);
  const input = describeParameters(conversion, parametersOf(host, declared), doc);
  if (!host.strictNulls) {
    report.warning("", declared, "without strictNullChecks, null in a type is not seen");
  }
  const hidden = isHidden(host, node) || doc.tags.some(({ name }) => name === "internal");
  if (report.problems.length > 0) return signatureError(name, report.problems, hidden);
  const outputSchema = outputSchemaOf(host, declared);
  return {
    ...assemble(name, doc, conversion, input, report),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(hidden ? { hidden } : {}),
  };
}

function assemble(
  name: string,
  doc: DocComment,
  { definitions }: Conversion,
  input: Input,
  report: Report,
): FunctionSchema {
  const { properties, required, additionalProperties, plans } = input;
  const { schema, revive } = unmarked({
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties,
    ...(definitions.size > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
  });
  return {
    name,
    ...(doc.summary === "" ? {} : { description: doc.summary }),
    inputSchema: schema,
    parameters: plans,
    ...(Object.keys(revive).length > 0 ? { revive } : {}),
    ...(doc.tags.some((tag) => tag.name === "deprecated") ? { deprecated: true } : {}),
    ...(report.warnings.length > 0 ? { warnings: report.warnings } : {}),
  };
}

/** Whether a method is declared for its class alone; the tag "internal" in its comment says so, too. */
function isHidden({ syntax }: Host, node: FunctionNode): boolean {
  const { PrivateKeyword, ProtectedKeyword } = syntax.SyntaxKind;
  const modifiers = "modifiers" in node ? (node.modifiers ?? []) : [];
  return modifiers.some(({ kind }) => kind === PrivateKeyword || kind === ProtectedKeyword);
}

/** The declaration that callers see: the first overload where there are several. */
export function declaredSignature(host: Host, node: FunctionNode, report: Report): FunctionNode {
  const name = "name" in node ? node.name : undefined;
  const symbol = name === undefined ? undefined : host.symbolAt(name);
  const declarations = symbol === undefined ? [] : host.declarationsOf(symbol);
  const functions = declarations.filter((declaration) => host.syntax.isFunctionLikeDeclaration(declaration));
  const overloads = functions.filter((declaration) => declaration.body === undefined);
  if (overloads.length > 1)
    report.warning("", node, `the first of ${overloads.length} overloads is described`);
  return overloads[0] ?? node;
}

function parametersOf(host: Host, node: FunctionNode): readonly Parameter[] {
  const { syntax } = host;
  const declarations = [...node.parameters].filter(
    ({ name }) => !(syntax.isIdentifier(name) && name.text === "this"),
  );
  const types = host.typesAt(declarations);
  return declarations.flatMap((declaration, index) => {
    const type = types[index];
    return type === undefined ? [] : [{ type: initializedType(host, declaration, type), declaration }];
  });
}

/** Where a tool is expected, a parameter without a type is a `never`: its default says more. */
function initializedType(host: Host, { type, initializer }: ParameterDeclaration, known: Type): Type {
  if (type !== undefined || initializer === undefined || !has(known, host.flags.Never)) return known;
  const [initial] = host.typesAt([initializer]);
  return (initial && host.widened(initial)) ?? known;
}
