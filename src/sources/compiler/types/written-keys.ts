import type { Host, TemplateLiteralTypeNode, Type, TypeNode } from "../host.ts";
import { has } from "./conversion.ts";
import { annotationOf, writtenType } from "./written-type.ts";

/** A member of a written union: a name for its type, and the node that stands for it. */
export interface WrittenKey {
  readonly key: string;
  readonly node: TypeNode;
}

/** The most texts that one template literal type is taken apart into. */
const mostTexts = 1_000;

/** A name for a type that is the same for a literal wherever it stands. */
export function keyOf(host: Host, type: Type): string {
  const value = host.literalValue(type);
  return value === undefined ? `type ${type.id}` : `${typeof value} ${value}`;
}

/** The members of a written union in their order, those of unions within it included. */
export function writtenKeys(host: Host, node: TypeNode | undefined): readonly WrittenKey[] {
  const leaves = leavesOf(host, node);
  const types = host.typesAt(leaves.map(({ leaf }) => leaf));
  return leaves.flatMap(({ leaf, node: name }, index) => {
    const type = types[index];
    if (type === undefined) return [];
    return leafKeys(host, leaf, type).map((key): WrittenKey => ({ key, node: name }));
  });
}

/** A member of a written union: by the name that stands there, which may have a comment, and what that stands for. */
interface Leaf {
  readonly node: TypeNode;
  readonly leaf: TypeNode;
}

function leavesOf(host: Host, node: TypeNode | undefined, depth = 0): readonly Leaf[] {
  const typeNode = writtenType(host, node);
  if (node === undefined || typeNode === undefined) return [];
  if (!host.syntax.isUnionTypeNode(typeNode) || depth > 8) return [{ node, leaf: typeNode }];
  return typeNode.types.flatMap((member) => leavesOf(host, member, depth + 1));
}

/** The keys of what one leaf stands for: itself, or the members of what it comes to. */
function leafKeys(host: Host, leaf: TypeNode, type: Type): readonly string[] {
  const { syntax, flags } = host;
  if (has(type, flags.EnumLiteral) && has(type, flags.Union)) {
    return enumKeys(host, type) ?? [keyOf(host, type)];
  }
  if (has(type, flags.Boolean)) return ["boolean true", "boolean false"];
  if (syntax.isTypeOperatorNode(leaf) && leaf.operator === syntax.SyntaxKind.KeyOfKeyword) {
    return keysOfProperties(host, leaf.type);
  }
  if (syntax.isTemplateLiteralTypeNode(leaf)) {
    return templateKeys(host, leaf) ?? [keyOf(host, type)];
  }
  if (syntax.isIndexedAccessTypeNode(leaf)) {
    const [indexed] = host.typesAt([leaf.objectType]);
    const elements = indexed === undefined ? undefined : host.tupleElements(indexed);
    if (elements !== undefined) return elements.map((element) => keyOf(host, element.type));
    const [index] = host.typesAt([leaf.indexType]);
    if (indexed !== undefined) return valuesOfProperties(host, indexed, index && host.literalValue(index));
  }
  return [keyOf(host, type)];
}

function enumKeys(host: Host, type: Type): readonly string[] | undefined {
  const symbol = type.getSymbol();
  const declaration = symbol === undefined ? undefined : host.declarationOf(symbol);
  if (declaration === undefined || !host.syntax.isEnumDeclaration(declaration)) return undefined;
  return host.typesAt([...declaration.members]).flatMap((member) => (member ? keyOf(host, member) : []));
}

function keysOfProperties(host: Host, node: TypeNode): readonly string[] {
  const [type] = host.typesAt([node]);
  if (type === undefined) return [];
  const constraint = has(type, host.flags.TypeParameter) ? (host.constraintOf(type) ?? type) : type;
  if (has(constraint, host.flags.Any | host.flags.Unknown)) return [];
  return host.properties(constraint).map(({ name }) => `string ${name}`);
}

/** The types of all properties, as in `(typeof codes)[keyof typeof codes]`, or of the one called `name`. */
function valuesOfProperties(host: Host, type: Type, name: unknown): readonly string[] {
  if (!has(type, host.flags.Object)) return [];
  const all = host.properties(type);
  const one = all.filter((property) => property.name === name);
  return (one.length > 0 ? one : all).flatMap((property) => {
    const typeNode = annotationOf(host, property.declaration());
    const keys = writtenKeys(host, typeNode).map(({ key }) => key);
    return keys.length > 0 ? keys : [keyOf(host, property.type)];
  });
}

/** The texts that a template makes of literals within it; `undefined` where there is something else within. */
function templateKeys(
  host: Host,
  { head, templateSpans }: TemplateLiteralTypeNode,
): readonly string[] | undefined {
  const spans = templateSpans.map(({ type, literal }) => ({
    keys: writtenKeys(host, type).map(({ key }) => key),
    after: literal.text,
  }));
  if (!spans.every(({ keys }) => keys.every((key) => /^(?:string|number) /.test(key)))) return undefined;
  const pieces = spans.map(({ keys, after }) => ({ texts: keys.map(textOfKey), after }));
  return textsOf(head.text, pieces).map((text) => `string ${text}`);
}

/** The text of the literal that a key is for. */
export function textOfKey(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}

/** All texts that a template makes of the literals within it, the last one changing first. */
function textsOf(
  head: string,
  spans: readonly { readonly texts: readonly string[]; readonly after: string }[],
): readonly string[] {
  const count = spans.reduce((product, { texts }) => product * texts.length, 1);
  if (count > mostTexts) return [];
  return spans.reduce<readonly string[]>(
    (before, { texts, after }) => before.flatMap((start) => texts.map((text) => start + text + after)),
    [head],
  );
}
