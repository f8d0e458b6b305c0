import { constrainedKinds, isConstraint } from "../constraints.ts";
import { leadingDocComment, type DocTag } from "../doc-comments.ts";
import type { Host, IndexedAccessTypeNode, Node, Type, TypeNode } from "../host.ts";
import { typeReference } from "../type-references.ts";
import { has } from "./conversion.ts";
import { brandedPrimitive, type Literal } from "./primitives.ts";
import { aliasOf, constraintsOf, docsOf } from "./type-names.ts";
import { annotationOf, isAbsence, writtenElement } from "./written-type.ts";

/** How many names may stand for one another. */
const deepest = 16;

/** A name by which a type is written, and what its comment says. */
export interface WrittenName {
  /** Where it is declared. */
  readonly key: string;
  readonly text: string;
  readonly summary: string;
  readonly constraints: readonly DocTag[];
}

/** A part of what is written, which a type stands for. */
interface WrittenPart {
  /** The names of the part, the one that is written first. */
  readonly names: readonly WrittenName[];
  /** What the part comes to, where that is a few values of the type. */
  readonly literals?: readonly Literal[];
}

/** What the comments of the names say by which a type is written. */
export interface WrittenNames {
  /** The names of the whole. */
  readonly whole: readonly WrittenName[];
  /** The names of all but the literals. */
  readonly part: readonly WrittenName[];
  readonly literals: readonly Literal[];
  /** The names of parts that the type does not tell from one another. */
  readonly mingled: readonly WrittenName[];
}

/** A type as it is written, and what stands behind the name or the access there. */
interface Behind {
  readonly name?: WrittenName;
  readonly node: TypeNode | undefined;
}

/**
 * The names by which a type is written. A primitive is what several parts of a union come to: `Code | "auto"` is `string`.
 * @param note - Gets each name that counts.
 */
export function writtenNames(
  host: Host,
  type: Type,
  node: TypeNode | undefined,
  note: (node: Node) => void = () => {},
): WrittenNames {
  const [root] = node ? host.typesAt([node]) : [];
  const parts = partsOf({ host, type, root, note }, node, []);
  const distinct = new Map(
    parts.filter(({ literals }) => !literals).map((part) => [part.names.map(({ key }) => key).join(), part]),
  );
  const literals = [...new Set(parts.flatMap((part) => part.literals ?? []))];
  const whole = (parts[0]?.names ?? []).filter(({ key }) =>
    parts.every(({ names }) => names.some((name) => name.key === key)),
  );
  const rest = [...distinct.values()].flatMap(({ names }) => names.filter((name) => !whole.includes(name)));
  const others = rest.filter(({ key }) => whole.every((name) => name.key !== key));
  return distinct.size > 1
    ? { whole, part: [], literals: [], mingled: others }
    : { whole, part: others, literals, mingled: [] };
}

/** What is read. */
interface Reading {
  readonly host: Host;
  /** The type that the names are of. */
  readonly type: Type;
  /** The whole that is written, of which it may be a member. */
  readonly root: Type | undefined;
  readonly note: (node: Node) => void;
}

function partsOf(
  reading: Reading,
  node: TypeNode | undefined,
  names: readonly WrittenName[],
  depth = 0,
): readonly WrittenPart[] {
  const { host, type, note } = reading;
  const { syntax } = host;
  if (node === undefined || depth > deepest) return [];
  const within = (
    inner: TypeNode | undefined,
    more: readonly WrittenName[] = names,
  ): readonly WrittenPart[] => partsOf(reading, inner, more, depth + 1);
  if (syntax.isUnionTypeNode(node))
    return node.types.filter((member) => !isAbsence(host, member)).flatMap((member) => within(member));
  if (syntax.isIntersectionTypeNode(node)) {
    const inner = node.types.flatMap((member) => within(member));
    return inner.length === 0 ? [] : [{ names: [...new Set(inner.flatMap((part) => part.names))] }];
  }
  const behind = behindOf(host, node);
  if (behind === undefined) return leafOf(host, type, node, names);
  const [own] = host.typesAt([node]);
  const covers = own !== undefined && isSame(host, own, type);
  const name = covers ? behind.name : own && nameOfPart(reading, own, behind.name);
  if (name !== undefined) note(node);
  const all = name === undefined ? names : [...names, name];
  const parts = within(behind.node, all);
  if (parts.length > 0) return parts;
  return covers ? [{ names: all }] : leafOf(host, type, node, all);
}

/** The name of a part of the written union that the type is one member of: of its constraints, those that are for such a type. */
function nameOfPart(
  { host, type, root }: Reading,
  own: Type,
  name: WrittenName | undefined,
): WrittenName | undefined {
  const isMember = host
    .unionMembers(own)
    .some((member) => member.id === type.id || brandedPrimitive(host, member)?.id === type.id);
  // The name of the whole is counted where the whole is.
  if (!name || !isMember || root === undefined || isSame(host, own, root)) return undefined;
  const { StringLike, NumberLike } = host.flags;
  const kind = has(type, StringLike) ? "string" : has(type, NumberLike) ? "number" : "";
  const constraints = name.constraints.filter((tag) => constrainedKinds(tag.name).includes(kind));
  return { ...name, constraints };
}

/** A part without anything behind it. */
function leafOf(
  host: Host,
  type: Type,
  node: TypeNode,
  names: readonly WrittenName[],
): readonly WrittenPart[] {
  const { flags } = host;
  const [own] = host.typesAt([node]);
  if (own === undefined) return [];
  const members = has(own, flags.Union) ? host.unionMembers(own) : [own];
  if (isSame(host, own, type) || members.some(({ id }) => id === type.id)) return [{ names }];
  // What it becomes is seen only where its type parameter is filled in.
  if (has(own, flags.TypeParameter | flags.IndexedAccess | flags.Conditional)) return [{ names }];
  if (!has(type, flags.String | flags.Number | flags.BigInt)) return [];
  const kind = has(type, flags.String) ? "string" : has(type, flags.Number) ? "number" : "bigint";
  const values = members.map((member) => host.literalValue(member));
  const literals = values.filter((value) => value !== undefined && typeof value === kind);
  if (literals.length > 0) return [{ names, literals: literals.filter((value) => value !== undefined) }];
  const isAny = has(own, flags.Any | flags.Never | flags.Null | flags.Undefined | flags.Void);
  return !isAny && host.isAssignable(own, type) ? [{ names }] : [];
}

/** Whether a written type is the other one, with or without a brand, `null` and `undefined`. */
function isSame(host: Host, own: Type, type: Type): boolean {
  if (own.id === type.id || brandedPrimitive(host, own)?.id === type.id) return true;
  if (!has(own, host.flags.Union)) return false;
  if (!has(type, host.flags.Union)) return host.withoutAbsence(own)?.id === type.id;
  return presentIds(host, own) === presentIds(host, type);
}

/** The members of a union but for `null` and `undefined`, with which the checker forgets the name. */
function presentIds(host: Host, union: Type): string {
  const { Undefined, Null, Void } = host.flags;
  const members = host.unionMembers(union).filter((member) => !has(member, Undefined | Null | Void));
  return members
    .map(({ id }) => id)
    .toSorted((left, right) => left - right)
    .join();
}

/** What stands behind parentheses, `readonly`, a name, or the access to a property. */
function behindOf(host: Host, node: TypeNode): Behind | undefined {
  const { syntax } = host;
  if (syntax.isParenthesizedTypeNode(node)) return { node: node.type };
  if (syntax.isTypeOperatorNode(node) && node.operator === syntax.SyntaxKind.ReadonlyKeyword) {
    return { node: node.type };
  }
  if (syntax.isIndexedAccessTypeNode(node)) return behindAccess(host, node);
  const reference = typeReference(host, node);
  if (reference === undefined) return undefined;
  const symbol = host.symbolAt(reference.name);
  if (symbol === undefined) return undefined;
  if (host.isFromLibrary(symbol)) {
    return symbol.name === "NonNullable" ? { node: reference.typeArguments?.[0] } : undefined;
  }
  const parameter = host.declarationsOf(symbol).find((each) => syntax.isTypeParameterDeclaration(each));
  if (parameter?.constraint) return { node: parameter.constraint };
  const alias = aliasOf(host, symbol);
  if (alias === undefined) return undefined;
  const docs = docsOf(host, symbol);
  const name: WrittenName = {
    key: String(symbol.id),
    text: symbol.name,
    summary: docs.find((doc) => doc.summary !== "")?.summary ?? "",
    constraints: constraintsOf(host, symbol),
  };
  return { name, node: reference.typeArguments === undefined ? alias.type : undefined };
}

/** The property that `Account["limit"]` speaks of, or the element of `Cities[number]`. */
function behindAccess(host: Host, node: IndexedAccessTypeNode): Behind | undefined {
  const [object, index] = host.typesAt([node.objectType, node.indexType]);
  if (object === undefined || index === undefined) return undefined;
  if (host.arrayElement(object) !== undefined) return { node: writtenElement(host, node.objectType) };
  const key = host.literalValue(index);
  const property =
    typeof key === "string" ? host.properties(object).find(({ name }) => name === key) : undefined;
  const declarations = property?.declarations() ?? [];
  if (property === undefined || declarations.length === 0) return undefined;
  const docs = declarations.flatMap((declaration) => leadingDocComment(declaration) ?? []);
  const text = node.getText();
  const name: WrittenName = {
    key: text,
    text,
    summary: docs.find((doc) => doc.summary !== "")?.summary ?? "",
    constraints: docs.flatMap((doc) => doc.tags).filter((tag) => isConstraint(tag.name)),
  };
  return { name, node: annotationOf(host, property.declaration()) };
}
