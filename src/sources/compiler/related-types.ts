import type { Expression, Host, NewExpression, Node, ObjectLiteralExpression, Type } from "./host.ts";
import { memberName } from "./program-members.ts";
import { bare } from "./use-sites-expressions.ts";
import { returnedByCode, type FunctionValue } from "./use-sites-values.ts";

/** The object whose method is described, as far as the text shows. */
export interface Owner {
  /** The method's name in it. */
  readonly name: string;
  readonly type: Type | undefined;
  /** As messages name the type. */
  readonly typeName: string | undefined;
  /** What the description was read from. */
  readonly declaration: Node | undefined;
  /** The members that run, where the text shows how the object is created: `new Kit()`. */
  readonly created: readonly Node[] | undefined;
}

/** The object whose method a function is; `undefined` for a function that is not a member of a class or of a type. */
export function ownerOf(host: Host, { member, node }: FunctionValue): Owner | undefined {
  const { syntax } = host;
  const parent = memberOf(host, node).parent;
  const declaring =
    parent !== undefined &&
    (syntax.isClassLikeDeclaration(parent) ||
      syntax.isInterfaceDeclaration(parent) ||
      syntax.isTypeLiteralNode(parent))
      ? parent
      : undefined;
  if (member === undefined) {
    const name = declaring && memberName(host, memberOf(host, node));
    if (declaring === undefined || name === undefined) return undefined;
    const type = typeOfDeclaration(host, declaring);
    return { name, type, typeName: typeNameOf(type), declaration: memberOf(host, node), created: undefined };
  }
  const [own] = host.typesAt([member.object]);
  const type = member.type ?? own;
  const { name } = member;
  const created = createdMembers(host, member.object, name);
  const property = type && host.properties(type).find((each) => each.name === name);
  return { name, type, typeName: typeNameOf(type), declaration: property?.declaration(), created };
}

function typeNameOf(type: Type | undefined): string | undefined {
  const name = type?.getSymbol()?.name;
  return name === undefined || name.startsWith("__") ? undefined : name;
}

/** The member of a class or type that a function is the value, or the type, of. */
function memberOf({ syntax }: Host, node: Node): Node {
  let at = node;
  while (syntax.isParenthesizedExpression(at.parent) || syntax.isAsExpression(at.parent)) at = at.parent;
  const isValue = syntax.isPropertyDeclaration(at.parent) || syntax.isPropertySignatureDeclaration(at.parent);
  return isValue ? at.parent : node;
}

/** How many names and calls are followed to where an object is created. */
const mostSteps = 10;

/** The member that runs, of an object that is created there; `undefined` where the text does not show it. */
function createdMembers(host: Host, object: Expression, name: string): readonly Node[] | undefined {
  const { syntax } = host;
  const at = creationOf(host, object);
  if (syntax.isObjectLiteralExpression(at)) return literalMembers(host, at, name);
  if (!syntax.isNewExpression(at)) return undefined;
  const symbol = host.symbolAt(bare(host, at.expression));
  if (symbol === undefined || !host.isClass(symbol)) return undefined;
  const [type] = host.typesAt([at]);
  const property = type && host.properties(type).find((each) => each.name === name);
  const declaration = property?.declaration();
  return declaration === undefined ? [] : [declaration];
}

/** The expression that creates an object, as far as constants and functions lead to it. */
function creationOf(host: Host, object: Expression): Expression {
  const { syntax } = host;
  let at = bare(host, object);
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const next = syntax.isIdentifier(at)
      ? constantValue(host, at)
      : syntax.isCallExpression(at)
        ? resultOf(host, at)
        : undefined;
    if (next === undefined) break;
    at = bare(host, next);
  }
  return at;
}

/** The `new` that creates an object where it stands, or in the constant of that name. */
export function createdBy(host: Host, object: Expression): NewExpression | undefined {
  const at = bare(host, object);
  const created = host.syntax.isIdentifier(at) ? constantValue(host, at) : at;
  const value = created && bare(host, created);
  return value !== undefined && host.syntax.isNewExpression(value) ? value : undefined;
}

/** `undefined` where something spread or computed may be the member. */
function literalMembers(
  host: Host,
  { properties }: ObjectLiteralExpression,
  name: string,
): readonly Node[] | undefined {
  const names = [...properties].map((property) => memberName(host, property));
  return names.includes(undefined) ? undefined : [...properties].filter((_, index) => names[index] === name);
}

function constantValue(host: Host, name: Node): Expression | undefined {
  const symbol = host.symbolAt(name);
  const declaration = symbol && host.declarationOf(symbol);
  const isConstant =
    declaration !== undefined &&
    host.syntax.isVariableDeclaration(declaration) &&
    declaration.parent.getText().startsWith("const ");
  return isConstant ? declaration.initializer : undefined;
}

function resultOf(host: Host, call: Expression): Expression | undefined {
  if (!host.syntax.isCallExpression(call)) return undefined;
  const value = returnedByCode(host, call);
  return value.kind === "expression" ? value.expression : undefined;
}

/**
 * Whether an object with a member can be what has the type of the owner: its class extends or implements it, or its type is
 * assignable to it.
 */
export function isRelated(
  host: Host,
  member: Node,
  owner: Owner,
  how: "by name" | "by type" = "by type",
): boolean {
  const { syntax } = host;
  const holder = member.parent;
  const targets = declarationsOf(host, owner);
  if (syntax.isClassLikeDeclaration(holder) && inherits(host, holder, targets, new Set())) return true;
  if (how === "by name" || owner.type === undefined) return false;
  const { type } = owner;
  return typesOfHolder(host, holder).some((each) => host.isAssignable(each, type));
}

function declarationsOf(host: Host, { type, declaration }: Owner): ReadonlySet<Node> {
  const symbol = type?.getSymbol();
  const declarations = symbol === undefined ? [] : host.declarationsOf(symbol);
  return new Set(declaration === undefined ? declarations : [...declarations, declaration.parent]);
}

/** Whether a class or interface extends or implements one of `targets`, directly or not. */
function inherits(host: Host, node: Node, targets: ReadonlySet<Node>, visited: Set<Node>): boolean {
  const { syntax } = host;
  const isType = syntax.isClassLikeDeclaration(node) || syntax.isInterfaceDeclaration(node);
  if (!isType || visited.has(node)) return false;
  visited.add(node);
  const bases = [...(node.heritageClauses ?? [])].flatMap(({ types }) =>
    [...types].map(({ expression }) => expression),
  );
  return host.symbolsAt(bases).some((symbol) => {
    const declarations = symbol === undefined ? [] : host.declarationsOf(symbol);
    return declarations.some((each) => targets.has(each) || inherits(host, each, targets, visited));
  });
}

/** The types by which an object literal, or instances of a class, may be passed on. */
function typesOfHolder(host: Host, holder: Node): readonly Type[] {
  const { syntax } = host;
  if (syntax.isClassLikeDeclaration(holder)) {
    const type = typeOfDeclaration(host, holder);
    return type === undefined ? [] : [type];
  }
  if (!syntax.isObjectLiteralExpression(holder)) return [];
  const places = syntax.isVariableDeclaration(holder.parent) ? [holder, holder.parent] : [holder];
  const expected = host.contextualType(holder);
  const types = [...host.typesAt(places), expected].filter((type) => type !== undefined);
  return types.filter(({ flags }) => !(flags & host.flags.Any));
}

/** The type of a class's instances, or what another declaration of a type stands for. */
function typeOfDeclaration(host: Host, declaration: Node): Type | undefined {
  const { syntax } = host;
  const isNamed = syntax.isClassLikeDeclaration(declaration) || syntax.isInterfaceDeclaration(declaration);
  const name = isNamed ? declaration.name : undefined;
  const [type] = name === undefined ? host.typesAt([declaration]) : [];
  if (!isNamed) return type;
  const symbol = name === undefined ? type?.getSymbol() : host.symbolAt(name);
  return symbol && host.declaredType(symbol);
}
