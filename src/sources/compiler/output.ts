import type { JsonSchema } from "../../schema/types.ts";
import { createReport } from "./diagnostics.ts";
import type { FunctionNode } from "./function-nodes.ts";
import type { Host, Node, Type, TypeNode } from "./host.ts";
import { mayBeDirective } from "./tool-context.ts";
import { allowsUndefined, has } from "./types/conversion.ts";
import { createConversion } from "./types/convert.ts";

/**
 * The schema of what a function comes to, once promises are settled and a generator is done, as JSON; `undefined` where its
 * type says nothing, may be nothing or a handoff, or cannot be expressed.
 */
export function outputSchemaOf(host: Host, node: FunctionNode): JsonSchema | undefined {
  const typeNode = settledNode(host, node.type);
  const returned = typeNode ? host.typesAt([typeNode])[0] : inferredType(host, node);
  return returned && outputSchemaOfType(host, returned, node, typeNode);
}

/** The same of the type that a call returns, where no declaration says it. */
export function outputSchemaOfType(
  host: Host,
  returned: Type,
  node: Node,
  typeNode?: TypeNode,
): JsonSchema | undefined {
  const type = settled(host, returned);
  if (type === undefined || allowsUndefined(host, type) || mayBeDirective(host, type)) return undefined;
  const report = createReport();
  const conversion = createConversion(host, report, "output");
  const schema = conversion.convert(type, { path: "", node, typeNode });
  if (report.problems.length > 0 || Object.keys(schema).length === 0) return undefined;
  return conversion.finish(schema).schema;
}

/** How what a function comes to was written: the `T` of `Promise<T>`, and of a generator what it returns. */
function settledNode(host: Host, node: TypeNode | undefined): TypeNode | undefined {
  const { syntax } = host;
  if (node === undefined || !syntax.isTypeReferenceNode(node) || !syntax.isIdentifier(node.typeName))
    return node;
  const place = results.get(node.typeName.text);
  const symbol = place === undefined ? undefined : host.symbolAt(node.typeName);
  if (place === undefined || !symbol || !host.isFromLibrary(symbol)) return node;
  const inner = node.typeArguments?.[place];
  return inner && settledNode(host, inner);
}

function inferredType(host: Host, node: FunctionNode): Type | undefined {
  // An annotation without a result in it, such as AsyncGenerator<string>, promises none.
  if (node.type !== undefined) return undefined;
  const signature = host.signatureOf(node);
  return signature && host.returnType(signature);
}

/** What a promise resolves to, and what a generator returns. */
function settled(host: Host, type: Type, depth = 0): Type | undefined {
  const symbol = has(type, host.flags.Object) ? type.getSymbol() : undefined;
  if (symbol === undefined || !host.isFromLibrary(symbol) || depth > 8) return type;
  const place = results.get(symbol.name);
  if (place === undefined) return type;
  const inner = host.typeArguments(type)[place];
  return inner && settled(host, inner, depth + 1);
}

/** Which of its type arguments a library's type comes to. */
const results: ReadonlyMap<string, number> = new Map([
  ["Promise", 0],
  ["PromiseLike", 0],
  ["Generator", 1],
  ["AsyncGenerator", 1],
]);
