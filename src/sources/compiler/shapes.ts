import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/sync";

/** Where TypeScript's own declarations and those of runtimes stand. */
export const libraryPath: RegExp =
  /^bundled:\/\/|\/lib\.[a-z0-9.]+\.d\.ts$|\/node_modules\/(@types\/(node|bun|deno)|undici-types|bun-types)\//;

/** What says in its text which members a type has. */
export type ShapeNode = Syntax.TypeLiteralNode | Syntax.InterfaceDeclaration;

/** Members without a name. */
export type UnnamedMember = "index signature" | "call signature";

/** What the text alone shows of types: it is here, and the checker is in another process. */
export interface Shapes {
  /** The type literals and interfaces that say what `type` has, besides what they extend; `undefined` where there is more to it. */
  readonly shapesOf: (type: TypeScript.Type) => readonly ShapeNode[] | undefined;
  /** Whether the text shows that a type, with what it extends, has no member of a kind. */
  readonly hasNone: (type: TypeScript.Type, kind: UnnamedMember) => boolean;
}

/** Reads the declarations of one project. */
export function createShapes(
  syntax: typeof Syntax,
  project: TypeScript.Project,
  symbolsAt: (nodes: readonly Syntax.Node[]) => readonly (TypeScript.Symbol | undefined)[],
): Shapes {
  const isUnwanted: Readonly<Record<UnnamedMember, (member: Syntax.Node) => boolean>> = {
    "index signature": (member) => syntax.isIndexSignatureDeclaration(member),
    "call signature": (member) =>
      syntax.isCallSignatureDeclaration(member) || syntax.isConstructSignatureDeclaration(member),
  };

  function shapesOfSymbol(symbol: TypeScript.Symbol): readonly ShapeNode[] | undefined {
    const { declarations } = symbol;
    const shapes = declarations.flatMap((handle): readonly ShapeNode[] => {
      const isOwn = /\.[cm]?tsx?$/.test(handle.path) && !libraryPath.test(handle.path);
      const node = isOwn ? handle.resolve(project) : undefined;
      return node && (syntax.isTypeLiteralNode(node) || syntax.isInterfaceDeclaration(node)) ? [node] : [];
    });
    return shapes.length > 0 && shapes.length === declarations.length ? shapes : undefined;
  }

  /** The same with all that the shapes extend; `undefined` where that is more than interfaces. */
  function allShapes(symbol: TypeScript.Symbol, depth = 0): readonly ShapeNode[] | undefined {
    const own = shapesOfSymbol(symbol);
    const extended = own?.flatMap((shape) => extendedNames(syntax, shape)) ?? [];
    if (own === undefined || depth > 8) return undefined;
    const inherited = symbolsAt(extended).map((base) => base && allShapes(base, depth + 1));
    const inheritedShapes = inherited.filter((shapes) => shapes !== undefined);
    return inheritedShapes.length === inherited.length ? [...own, ...inheritedShapes.flat()] : undefined;
  }

  const shapesOf = (type: TypeScript.Type): readonly ShapeNode[] | undefined => {
    const symbol = type.isObjectType() ? type.getSymbol() : undefined;
    return symbol && shapesOfSymbol(symbol);
  };

  return {
    shapesOf,
    hasNone: (type, kind) => {
      const symbol = type.isObjectType() ? type.getSymbol() : undefined;
      const shapes = symbol && allShapes(symbol);
      return shapes?.every(({ members }) => !members.some(isUnwanted[kind])) === true;
    },
  };
}

/** Whether a shape has members that its text does not show. */
export function isExtending(syntax: typeof Syntax, shape: ShapeNode): boolean {
  return syntax.isInterfaceDeclaration(shape) && shape.heritageClauses !== undefined;
}

function extendedNames(syntax: typeof Syntax, shape: ShapeNode): readonly Syntax.Node[] {
  if (!syntax.isInterfaceDeclaration(shape)) return [];
  return (shape.heritageClauses ?? []).flatMap(({ types }) => types.map(({ expression }) => expression));
}
