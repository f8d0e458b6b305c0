import { isConstraint } from "../constraints.ts";
import { leadingDocComment } from "../doc-comments.ts";
import type { Host, MappedTypeNode, Node, Type, TypeNode, TypeProperty } from "../host.ts";
import type { Conversion, TypePlace } from "./conversion.ts";

/**
 * The properties of a mapped type that renames keys, with the declarations of those that they were made of: the checker knows
 * nothing of them. Where the origin of one cannot be seen, and some have constraints, there is a warning.
 */
export function withOrigins(
  { host, report }: Conversion,
  type: Type,
  properties: readonly TypeProperty[],
  place: TypePlace,
): readonly TypeProperty[] {
  const mapped = host.isMapped(type) ? mappedNode(host, type) : undefined;
  if (mapped?.nameType === undefined) return properties;
  const lost = properties.filter((property) => property.declarations().length === 0);
  if (lost.length === 0) return properties;
  const source = sourceType(host, type, mapped);
  const origins = source && originsIn(host, mapped, source);
  const isSeen = lost.every(({ name }) => origins?.get(name) !== undefined);
  const constraint = isSeen
    ? undefined
    : constraintWithin(host, source ? [source] : type.getAliasTypeArguments());
  if (constraint !== undefined) {
    report.warning(
      place.path,
      place.node,
      `its keys are renamed, and which of them @${constraint} speaks of cannot be seen: write the properties out`,
    );
  }
  if (origins === undefined) return properties;
  return properties.map((property) => {
    const origin = property.declarations().length === 0 ? origins.get(property.name) : undefined;
    return origin ? { ...property, declarations: () => origin.declarations() } : property;
  });
}

function mappedNode(host: Host, type: Type): MappedTypeNode | undefined {
  const symbol = type.getSymbol();
  return symbol && host.declarationsOf(symbol).find((each) => host.syntax.isMappedTypeNode(each));
}

/** The type whose keys are mapped: the argument of the alias, or what is written there; `undefined` where the text does not tell. */
function sourceType(host: Host, type: Type, { typeParameter }: MappedTypeNode): Type | undefined {
  const { syntax } = host;
  const { constraint } = typeParameter;
  const isKeys =
    constraint !== undefined &&
    syntax.isTypeOperatorNode(constraint) &&
    constraint.operator === syntax.SyntaxKind.KeyOfKeyword;
  if (!isKeys) return undefined;
  const [keysOf] = host.typesAt([constraint.type]);
  if (keysOf === undefined || !(keysOf.flags & host.flags.TypeParameter)) return keysOf;
  const alias = type.getAliasSymbol();
  const declared = alias && host.declarationOf(alias);
  if (declared === undefined || !syntax.isTypeAliasDeclaration(declared)) return undefined;
  if (declared !== aliasAround(host, typeParameter)) return undefined;
  const name = constraint.type.getText();
  const index = [...(declared.typeParameters ?? [])].findIndex((each) => each.name.text === name);
  return type.getAliasTypeArguments()[index];
}

function aliasAround({ syntax }: Host, node: Node): Node | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && !syntax.isTypeAliasDeclaration(at)) at = at.parent;
  return at;
}

/** The properties of `source` by their new names; `undefined` for a name that several get. */
function originsIn(
  host: Host,
  { typeParameter, nameType }: MappedTypeNode,
  source: Type,
): ReadonlyMap<string, TypeProperty | undefined> {
  const origins = new Map<string, TypeProperty | undefined>();
  for (const property of host.properties(source)) {
    const name = nameType && renamed(host, nameType, typeParameter.name.text, property.name);
    if (name !== undefined) origins.set(name, origins.has(name) ? undefined : property);
  }
  return origins;
}

/** TypeScript's own types that change a text, or only say that it is one. */
const changes: ReadonlyMap<string, (text: string) => string> = new Map([
  ["Extract", (text) => text],
  ["Uppercase", (text) => text.toUpperCase()],
  ["Lowercase", (text) => text.toLowerCase()],
  ["Capitalize", (text) => text.slice(0, 1).toUpperCase() + text.slice(1)],
  ["Uncapitalize", (text) => text.slice(0, 1).toLowerCase() + text.slice(1)],
]);

/** What a type of names comes to for one key, as far as the text tells. */
function renamed(host: Host, node: TypeNode, parameter: string, key: string): string | undefined {
  const { syntax } = host;
  const inner = (part: TypeNode): string | undefined => renamed(host, part, parameter, key);
  if (syntax.isParenthesizedTypeNode(node)) return inner(node.type);
  if (syntax.isLiteralTypeNode(node)) {
    return syntax.isStringLiteral(node.literal) ? node.literal.text : undefined;
  }
  if (syntax.isIntersectionTypeNode(node)) {
    const { StringKeyword } = syntax.SyntaxKind;
    const [part, ...more] = [...node.types].filter(({ kind }) => kind !== StringKeyword);
    return part !== undefined && more.length === 0 ? inner(part) : undefined;
  }
  if (syntax.isTemplateLiteralTypeNode(node)) {
    const parts = [...node.templateSpans].map((span) => {
      const text = inner(span.type);
      return text === undefined ? undefined : text + span.literal.text;
    });
    return parts.includes(undefined) ? undefined : node.head.text + parts.join("");
  }
  if (!syntax.isTypeReferenceNode(node) || !syntax.isIdentifier(node.typeName)) return undefined;
  const { text } = node.typeName;
  const [argument] = node.typeArguments ?? [];
  if (argument === undefined) return text === parameter ? key : undefined;
  const symbol = host.symbolAt(node.typeName);
  const value = symbol !== undefined && host.isFromLibrary(symbol) ? inner(argument) : undefined;
  return value === undefined ? undefined : changes.get(text)?.(value);
}

/** A constraint in the comments of the properties of some types. */
function constraintWithin(host: Host, types: readonly Type[]): string | undefined {
  const { Object: isObject } = host.flags;
  const properties = types
    .filter(({ flags }) => (flags & isObject) !== 0)
    .flatMap((type) => host.properties(type));
  const tags = properties
    .flatMap((property) => property.declarations())
    .flatMap((declaration) => leadingDocComment(declaration)?.tags ?? []);
  return tags.find(({ name }) => isConstraint(name))?.name;
}
