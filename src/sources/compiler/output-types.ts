import { SchemaNotFoundError } from "../../errors.ts";
import { createReport, displayPath, unseenNull, type Problem } from "./diagnostics.ts";
import type { FunctionDescription } from "./functions.ts";
import type { Host, Node, SourceFile, TypeNode } from "./host.ts";
import { outsideTypeParameter } from "./untyped.ts";
import { listLines } from "./problem-list.ts";
import { createConversion } from "./types/convert.ts";

/** A call such as `output<Invoice>()`. */
export interface OutputCall {
  readonly node: Node;
  readonly type: TypeNode;
}

/** The calls of Skein's `output` in a file that state their type. Found by their return type: `output` may be imported under another name. */
export function outputCalls(host: Host, source: SourceFile): readonly OutputCall[] {
  const { syntax } = host;
  const calls: OutputCall[] = [];
  function visit(node: Node): void {
    if (syntax.isCallExpression(node) && node.arguments.length === 0 && node.typeArguments?.length === 1) {
      const [type] = node.typeArguments;
      if (type) calls.push({ node, type });
    }
    node.forEachChild(visit);
  }
  visit(source);
  const types = host.typesAt(calls.map(({ node }) => node));
  return calls.filter((_, index) => {
    const type = types[index];
    return type !== undefined && host.properties(type).some(({ name }) => name.includes("@outputType@"));
  });
}

/** The call that holds the place, or the only one that begins on its line. */
export function outputCallAt(host: Host, source: SourceFile, offset: number): OutputCall | undefined {
  const calls = outputCalls(host, source);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const within = calls.findLast(({ node }) => node.getStart(source) <= offset && offset < node.end);
  const besides = calls.filter(({ node }) => lineOf(node.getStart(source)) === lineOf(offset));
  return within ?? (besides.length === 1 ? besides[0] : undefined);
}

/** The schema of the type that a call says, as if it were that of a function's arguments. */
export function describeOutput(host: Host, { node, type: typeNode }: OutputCall): FunctionDescription {
  const [type] = host.typesAt([typeNode]);
  const report = createReport();
  const name = typeNode.getText();
  const parameter = outsideTypeParameter(host, typeNode, typeNode);
  if (parameter !== undefined)
    report.problem(
      "",
      node,
      `"${parameter}" is known only to callers of the function around it: write the type itself`,
    );
  if (!host.strictNulls) report.warning("", node, unseenNull);
  const conversion = createConversion(host, report);
  const converted = type ? conversion.convert(type, { path: "output", node, typeNode }) : {};
  if (report.problems.length > 0) return inexpressible(name, report.problems);
  const { schema, revive } = conversion.finish(converted);
  return {
    name,
    inputSchema: schema,
    parameters: [],
    ...(Object.keys(revive).length > 0 && { revive }),
    // What is called a parameter of a function is a property here.
    ...(report.warnings.length > 0 && {
      warnings: report.warnings.map((warning) => warning.replace(/^parameter /, "")),
    }),
  };
}

function inexpressible(name: string, problems: readonly Problem[]): SchemaNotFoundError {
  const lines = problems.map(({ parameter, message, file, line }) => {
    const place = parameter === "" ? "" : `"${parameter}": `;
    return `${place}${message} (${displayPath(file)}:${line})`;
  });
  return new SchemaNotFoundError(
    `The type of output<${name}>() cannot be expressed as a JSON Schema:\n${listLines(lines)}\n` +
      "Change these types, or give a schema instead: output: schema.",
    { data: { type: name, problems: problems.map((problem) => ({ ...problem })) } },
  );
}
