import type { DocComment } from "./doc-comments.ts";
import type { FunctionNode } from "./function-nodes.ts";
import type { Host, Signature, Type } from "./host.ts";
import { allowsUndefined, has } from "./types/conversion.ts";

/** The `this` parameter that a function declares. */
export function thisParameter(
  { syntax }: Host,
  fn: FunctionNode,
): FunctionNode["parameters"][number] | undefined {
  const [first] = fn.parameters;
  return first && syntax.isIdentifier(first.name) && first.name.text === "this" ? first : undefined;
}

/** The type without which a function fails as it declares its `this`; `undefined` where it need not be called on an object. */
export function neededThis(host: Host, fn: FunctionNode, { tags }: DocComment): string | undefined {
  // An arrow function has the `this` of where it stands, whatever its comment says.
  if (host.syntax.isArrowFunction(fn)) return undefined;
  const isDeclared = thisParameter(host, fn) !== undefined || tags.some(({ name }) => name === "this");
  const signature = isDeclared ? host.signatureOf(fn) : undefined;
  return signature && neededThisOf(host, signature);
}

/** The same of a signature. */
export function neededThisOf(host: Host, signature: Signature): string | undefined {
  const declared = host.thisType(signature);
  if (declared === undefined) return undefined;
  const isParameter = has(declared, host.flags.TypeParameter);
  const type = isParameter ? host.constraintOf(declared) : declared;
  return type && isNeeded(host, type) ? shortText(host, type) : undefined;
}

function isNeeded(host: Host, type: Type): boolean {
  return !has(type, host.flags.Any | host.flags.Unknown) && !allowsUndefined(host, type);
}

function shortText(host: Host, type: Type): string {
  const text = host.typeText(type).replaceAll(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
