import { openSync } from "node:fs";
import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/sync";

export type {
  BindingPattern,
  Expression,
  FunctionLikeDeclaration,
  Node,
  ParameterDeclaration,
  SourceFile,
  TypeNode,
} from "typescript/unstable/ast";
export type { Project, Snapshot, Type } from "typescript/unstable/sync";

/** A symbol of the checker: a declared name. */
export type TypeSymbol = TypeScript.Symbol;

/** TypeScript itself: the checker's API and the syntax tree's vocabulary. */
export interface TypeScriptModules {
  readonly typescript: typeof TypeScript;
  readonly syntax: typeof Syntax;
}

/** Loads TypeScript. Nothing of it is loaded before. Throws what `import()` throws where it is not installed. */
export async function loadTypeScript(): Promise<TypeScriptModules> {
  const [typescript, syntax] = await Promise.all([
    import("typescript/unstable/sync"),
    import("typescript/unstable/ast"),
  ]);
  return { typescript, syntax };
}

/**
 * Starts TypeScript's process.
 * @param readFile - The text of files that are not on disk; `undefined` for all others.
 */
export function openApi(
  { typescript }: TypeScriptModules,
  cwd: string,
  readFile: (path: string) => string | undefined,
): TypeScript.API {
  const api = new typescript.API({ cwd, fs: { readFile } });
  if (process.versions["deno"] !== undefined) reopenPipes(api);
  return api;
}

/**
 * Deno reads and writes only those pipes by their number that it has opened as files; TypeScript takes the numbers of
 * its child's. `/dev/fd` opens them again.
 */
function reopenPipes(api: TypeScript.API): void {
  const client: unknown = Reflect.get(api, "client");
  const channel: unknown = isRecord(client) ? client["channel"] : undefined;
  const { readFd, writeFd } = isRecord(channel) ? channel : {};
  if (!isRecord(channel) || typeof readFd !== "number" || typeof writeFd !== "number") {
    throw new TypeError("TypeScript's process cannot be reached from Deno");
  }
  Object.assign(channel, {
    readFd: openSync(`/dev/fd/${readFd}`, "r"),
    writeFd: openSync(`/dev/fd/${writeFd}`, "w"),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** A property of an object type. */
export interface TypeProperty {
  readonly name: string;
  readonly symbol: TypeSymbol;
  readonly type: TypeScript.Type;
  readonly optional: boolean;
}

/** An element of a tuple type. */
export interface TupleElement {
  readonly type: TypeScript.Type;
  readonly kind: "required" | "optional" | "rest";
}

/** What the compiler asks of TypeScript about one project. The only door to its unstable API. */
export interface Host {
  readonly syntax: typeof Syntax;
  readonly flags: typeof TypeScript.TypeFlags;
  /** Whether `null` and `undefined` can be told from other types. */
  readonly strictNulls: boolean;
  sourceFile(path: string): Syntax.SourceFile | undefined;
  /** What keeps a file from being read as TypeScript. */
  syntaxErrors(
    path: string,
  ): readonly { readonly start: number; readonly end: number; readonly text: string }[];
  /** What is wrong with the types of a file. Takes long: the whole file is checked. */
  typeErrors(
    path: string,
  ): readonly { readonly start: number; readonly end: number; readonly text: string }[];
  /** The files of the modules that a file names, as far as they are found. */
  modulesOf(file: Syntax.SourceFile): readonly string[];
  /** All files of the project, TypeScript's own included. */
  fileNames(): readonly string[];
  /** The symbols that a file exports, aliases followed. */
  exportsOf(file: Syntax.SourceFile): readonly { readonly name: string; readonly symbol: TypeSymbol }[];
  /** The symbol that a name refers to, aliases followed. */
  symbolAt(node: Syntax.Node): TypeSymbol | undefined;
  typesAt(nodes: readonly Syntax.Node[]): readonly (TypeScript.Type | undefined)[];
  typeOf(symbol: TypeSymbol): TypeScript.Type | undefined;
  signatureOf(node: Syntax.Node): TypeScript.Signature | undefined;
  /** The first declaration, read from its source file. */
  declarationOf(symbol: TypeSymbol): Syntax.Node | undefined;
  declarationsOf(symbol: TypeSymbol): readonly Syntax.Node[];
  /** The files that declare a symbol, in the checker's own form of a path. */
  declaringFiles(symbol: TypeSymbol): readonly string[];
  /** Whether a symbol is declared by TypeScript's own libraries or by Node's. */
  isFromLibrary(symbol: TypeSymbol): boolean;
  isClass(symbol: TypeSymbol): boolean;
  /** Whether a symbol stands for a type without a name of its own. */
  isAnonymous(symbol: TypeSymbol): boolean;
  unionMembers(type: TypeScript.Type): readonly TypeScript.Type[];
  /** The types that an intersection joins; none if `type` is no intersection. */
  intersectionMembers(type: TypeScript.Type): readonly TypeScript.Type[];
  literalValue(type: TypeScript.Type): string | number | boolean | bigint | undefined;
  /** The type of an array's elements; `undefined` if `type` is no array. */
  arrayElement(type: TypeScript.Type): TypeScript.Type | undefined;
  /** A tuple's elements; `undefined` if `type` is no tuple. */
  tupleElements(type: TypeScript.Type): readonly TupleElement[] | undefined;
  properties(type: TypeScript.Type): readonly TypeProperty[];
  indexSignatures(
    type: TypeScript.Type,
  ): readonly { readonly key: TypeScript.Type; readonly value: TypeScript.Type }[];
  /** Whether values of `type` can be called or constructed. */
  isCallable(type: TypeScript.Type): boolean;
  /** What a type that still depends on a type parameter is known to extend. */
  constraintOf(type: TypeScript.Type): TypeScript.Type | undefined;
  typeText(type: TypeScript.Type): string;
  /** The value of an enum member's access, if it is constant. */
  constantValue(node: Syntax.Node): string | number | undefined;
}

/** Where TypeScript's own declarations and those of runtimes stand. */
export const libraryPath: RegExp =
  /^bundled:\/\/|\/lib\.[a-z0-9.]+\.d\.ts$|\/node_modules\/@types\/(node|bun|deno)\//;

/** Asks once for each type: every question is a round trip to another process. */
function memoized<Answer>(ask: (type: TypeScript.Type) => Answer): (type: TypeScript.Type) => Answer {
  const answers = new Map<number, { readonly answer: Answer }>();
  return (type) => {
    const known = answers.get(type.id) ?? { answer: ask(type) };
    answers.set(type.id, known);
    return known.answer;
  };
}

/** Opens the door to one project. */
export function createHost({ typescript, syntax }: TypeScriptModules, project: TypeScript.Project): Host {
  const { checker, program, compilerOptions } = project;
  const { TypeFlags, SymbolFlags, ElementFlags, SignatureKind } = typescript;
  const follow = (symbol: TypeSymbol): TypeSymbol =>
    symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declarationsOf = (symbol: TypeSymbol): Syntax.Node[] =>
    symbol.declarations.flatMap((handle) => handle.resolve(project) ?? []);

  return {
    syntax,
    flags: TypeFlags,
    strictNulls: compilerOptions.strictNullChecks ?? compilerOptions.strict ?? true,
    sourceFile: (path) => program.getSourceFile(path),
    syntaxErrors: (path) =>
      program.getSyntacticDiagnostics(path).map(({ pos, end, text }) => ({ start: pos, end, text })),
    typeErrors: (path) =>
      program.getSemanticDiagnostics(path).map(({ pos, end, text }) => ({ start: pos, end, text })),
    modulesOf: ({ imports }) => {
      const symbols = imports.length === 0 ? [] : checker.getSymbolAtLocation(imports);
      return symbols.flatMap((symbol) => symbol?.declarations.map((handle) => handle.path) ?? []);
    },
    fileNames: () => program.getSourceFileNames(),
    exportsOf: (file) => {
      const module = checker.getSymbolAtLocation(file);
      if (module === undefined) return [];
      return checker
        .getExportsOfModule(module)
        .map((symbol) => ({ name: symbol.name, symbol: follow(symbol) }));
    },
    symbolAt: (node) => {
      const symbol = checker.getSymbolAtLocation(node);
      return symbol === undefined ? undefined : follow(symbol);
    },
    typesAt: (nodes) => (nodes.length === 0 ? [] : checker.getTypeAtLocation(nodes)),
    typeOf: (symbol) => checker.getTypeOfSymbol(symbol),
    signatureOf: (node) => checker.getSignatureFromDeclaration(node),
    declarationOf: (symbol) => (symbol.valueDeclaration ?? symbol.declarations[0])?.resolve(project),
    declarationsOf,
    declaringFiles: (symbol) => symbol.declarations.map((handle) => handle.path),
    isFromLibrary: (symbol) =>
      symbol.declarations.length > 0 && symbol.declarations.every((handle) => libraryPath.test(handle.path)),
    isClass: (symbol) => (symbol.flags & SymbolFlags.Class) !== 0,
    isAnonymous: (symbol) => (symbol.flags & (SymbolFlags.TypeLiteral | SymbolFlags.ObjectLiteral)) !== 0,
    unionMembers: memoized((type) => (type.isUnionType() ? type.getTypes() : [])),
    intersectionMembers: (type) => (type.isIntersectionType() ? type.getTypes() : []),
    literalValue: (type) => (type.isLiteralType() ? type.value : undefined),
    arrayElement: memoized((type) => {
      if (!type.isTypeReference() || !checker.isArrayType(type)) return undefined;
      return checker.getTypeArguments(type)[0];
    }),
    tupleElements: memoized((type) => {
      if (!type.isTypeReference() || !checker.isTupleType(type)) return undefined;
      const target = type.getTarget();
      const kinds = target.isTupleType() ? target.elementFlags : [];
      return checker.getTypeArguments(type).map((element, index) => {
        const kind = kinds[index] ?? ElementFlags.Required;
        if (kind & ElementFlags.Variable) return { type: element, kind: "rest" };
        return { type: element, kind: kind & ElementFlags.Optional ? "optional" : "required" };
      });
    }),
    properties: (type) => {
      const symbols = checker.getPropertiesOfType(type);
      const types = symbols.length === 0 ? [] : checker.getTypeOfSymbol(symbols);
      return symbols.map((symbol, index) => ({
        name: symbol.name,
        symbol,
        type: types[index] ?? checker.getUnknownType(),
        optional: (symbol.flags & SymbolFlags.Optional) !== 0,
      }));
    },
    indexSignatures: (type) =>
      checker.getIndexInfosOfType(type).map(({ keyType, valueType }) => ({ key: keyType, value: valueType })),
    isCallable: (type) =>
      checker.getSignaturesOfType(type, SignatureKind.Call).length > 0 ||
      checker.getSignaturesOfType(type, SignatureKind.Construct).length > 0,
    constraintOf: (type) => checker.getBaseConstraintOfType(type),
    typeText: (type) => checker.typeToString(type),
    constantValue: (node) => checker.getConstantValue(node),
  };
}
