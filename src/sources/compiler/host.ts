import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/sync";
import { memoized, memoizedNodes } from "./memo.ts";
import { createShapes, isExtending, libraryPath } from "./shapes.ts";
import { readExports, type ModuleExport } from "./module-exports.ts";
import { TypeScriptCrash, type TypeScriptModules } from "./typescript-process.ts";

export type {
  ArrayTypeNode,
  BindingPattern,
  CallExpression,
  CallSignatureDeclaration,
  Expression,
  FunctionLikeDeclaration,
  FunctionTypeNode,
  IndexedAccessTypeNode,
  MappedTypeNode,
  MethodSignatureDeclaration,
  NewExpression,
  Node,
  ObjectLiteralExpression,
  ParameterDeclaration,
  SourceFile,
  TemplateLiteralTypeNode,
  TypeAliasDeclaration,
  TypeNode,
  TypeParameterDeclaration,
} from "typescript/unstable/ast";
export type { Project, Signature, Snapshot, Type } from "typescript/unstable/sync";

/** A symbol of the checker: a declared name. */
export type TypeSymbol = TypeScript.Symbol;

/** A property of an object type. */
export interface TypeProperty {
  readonly name: string;
  readonly type: TypeScript.Type;
  symbol(): TypeSymbol | undefined;
  /** Where it is declared; `undefined` for one that a mapped type or a library has made. */
  declaration(): Syntax.Node | undefined;
  /** Everywhere that it is declared, libraries left out: each member of an intersection may do so. */
  declarations(): readonly Syntax.Node[];
  readonly optional: boolean;
  /** Declared as a method or an accessor: it stands on the prototype, and JSON never has it. */
  readonly isOnPrototype: boolean;
}

/** An element of a tuple type. */
export interface TupleElement {
  readonly type: TypeScript.Type;
  readonly kind: "required" | "optional" | "rest";
}

/** A parameter of a signature, as far as types show. */
export interface SignatureParameter {
  readonly name: string;
  readonly type: TypeScript.Type;
  readonly declaration: Syntax.ParameterDeclaration | undefined;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

/** A template literal type: one text more than there are types between them. */
export interface Template {
  readonly texts: readonly string[];
  readonly types: readonly TypeScript.Type[];
}

/** What the compiler asks of TypeScript about one project. The only door to its unstable API. */
export interface Host {
  readonly syntax: typeof Syntax;
  readonly flags: typeof TypeScript.TypeFlags;
  /** Whether `null` and `undefined` can be distinguished from other types. */
  readonly strictNulls: boolean;
  sourceFile(path: string): Syntax.SourceFile | undefined;
  /** What keeps a file from being read as TypeScript. */
  syntaxErrors(
    path: string,
  ): readonly { readonly start: number; readonly end: number; readonly text: string }[];
  /** What is wrong with the types of a file. Takes long: the whole file is checked. */
  typeErrors(path: string): readonly {
    readonly start: number;
    readonly end: number;
    readonly text: string;
    readonly code: number;
  }[];
  /** The files of the modules that a file names, as far as they are found. */
  modulesOf(file: Syntax.SourceFile): readonly string[];
  /** All files of the project, TypeScript's own included. */
  fileNames(): readonly string[];
  /** What a module exports; of `export = { ... }`, the members; of any other `export =`, `default`. */
  exportsOf(file: Syntax.SourceFile): readonly ModuleExport[];
  /** The symbols that names refer to, aliases followed. Asked for together, they cost one question. */
  symbolsAt(nodes: readonly Syntax.Node[]): readonly (TypeSymbol | undefined)[];
  symbolAt(node: Syntax.Node): TypeSymbol | undefined;
  /** The symbol of the value that `{ name }` takes up, aliases followed. */
  shorthandValue(node: Syntax.Node): TypeSymbol | undefined;
  /** The type that is expected where an expression stands. */
  contextualType(node: Syntax.Expression): TypeScript.Type | undefined;
  /** The types of nodes. Asked for together, they cost one question. */
  typesAt(nodes: readonly Syntax.Node[]): readonly (TypeScript.Type | undefined)[];
  typeOf(symbol: TypeSymbol): TypeScript.Type | undefined;
  /** The type that a name of a type stands for. */
  declaredType(symbol: TypeSymbol): TypeScript.Type | undefined;
  signatureOf(node: Syntax.Node): TypeScript.Signature | undefined;
  /** The signature by which values of `type` are called, if there is exactly one. */
  callSignature(type: TypeScript.Type): TypeScript.Signature | undefined;
  /** All signatures by which values of `type` are called. */
  callSignatures(type: TypeScript.Type): readonly TypeScript.Signature[];
  /** The parameters of a signature, without `this`; a rest parameter is one. */
  signatureParameters(signature: TypeScript.Signature): readonly SignatureParameter[];
  /** What a signature declares `this` to be. */
  thisType(signature: TypeScript.Signature): TypeScript.Type | undefined;
  /** The names of a signature's parameters, with those of the elements of a rest tuple. */
  signatureNames(signature: TypeScript.Signature, place: Syntax.Node): readonly string[];
  returnType(signature: TypeScript.Signature): TypeScript.Type | undefined;
  /** The first declaration, read from its source file. */
  declarationOf(symbol: TypeSymbol): Syntax.Node | undefined;
  declarationsOf(symbol: TypeSymbol): readonly Syntax.Node[];
  /** Where a signature is declared, read from its source file. */
  signatureDeclaration(signature: TypeScript.Signature): Syntax.Node | undefined;
  /** The files that declare a symbol, in the checker's own form of a path. */
  declaringFiles(symbol: TypeSymbol): readonly string[];
  /** Whether a symbol is declared by TypeScript's own libraries or by Node's. */
  isFromLibrary(symbol: TypeSymbol): boolean;
  isClass(symbol: TypeSymbol): boolean;
  /** Whether a name stands for a value, too: a class of a library, and no mere shape. */
  isValue(symbol: TypeSymbol): boolean;
  /** Whether a name stands for a value that only running the program shows: not a class, enum, namespace or type. */
  isComputed(symbol: TypeSymbol): boolean;
  /** Whether a symbol stands for a type without a name of its own. */
  isAnonymous(symbol: TypeSymbol): boolean;
  unionMembers(type: TypeScript.Type): readonly TypeScript.Type[];
  /** A union without `null` and `undefined`. */
  withoutAbsence(type: TypeScript.Type): TypeScript.Type | undefined;
  /** The types that an intersection joins; none if `type` is not an intersection. */
  intersectionMembers(type: TypeScript.Type): readonly TypeScript.Type[];
  literalValue(type: TypeScript.Type): string | number | boolean | bigint | undefined;
  template(type: TypeScript.Type): Template | undefined;
  /** The name and argument of `Uppercase<T>` and its like; `undefined` for other types. */
  stringMapping(type: TypeScript.Type): { readonly name: string; readonly of: TypeScript.Type } | undefined;
  /** The type of an array's elements; `undefined` if `type` is not an array. */
  arrayElement(type: TypeScript.Type): TypeScript.Type | undefined;
  /** Whether the properties of `type` are made of a union of keys: `{ [Key in Keys]: T }`. */
  isMapped(type: TypeScript.Type): boolean;
  /** Learns from `T[]` as it is written what `arrayElement` would have to ask for. */
  learnArrays(nodes: readonly Syntax.ArrayTypeNode[]): void;
  /** A tuple's elements; `undefined` if `type` is not a tuple. */
  tupleElements(type: TypeScript.Type): readonly TupleElement[] | undefined;
  /** The `K` and `V` of `Map<K, V>`; none if `type` is not a reference to a generic type. */
  typeArguments(type: TypeScript.Type): readonly TypeScript.Type[];
  properties(type: TypeScript.Type): readonly TypeProperty[];
  indexSignatures(
    type: TypeScript.Type,
  ): readonly { readonly key: TypeScript.Type; readonly value: TypeScript.Type }[];
  /** Whether values of `type` can be called or constructed. */
  isCallable(type: TypeScript.Type): boolean;
  /** The `T` of `NoInfer<T>`; `undefined` for other types. */
  substituted(type: TypeScript.Type): TypeScript.Type | undefined;
  /** What a variable is that begins with a value of `type`: `number` for `10`. */
  widened(type: TypeScript.Type): TypeScript.Type | undefined;
  /** What a type that still depends on a type parameter is known to extend. */
  constraintOf(type: TypeScript.Type): TypeScript.Type | undefined;
  /** Whether values of one type are also values of another. */
  isAssignable(source: TypeScript.Type, target: TypeScript.Type): boolean;
  typeText(type: TypeScript.Type): string;
  /** The value of an enum member's access, if it is constant. */
  constantValue(node: Syntax.Node): string | number | undefined;
}

/** Opens the door to one project. */
export function createHost({ typescript, syntax }: TypeScriptModules, project: TypeScript.Project): Host {
  const { checker, program, compilerOptions } = project;
  const { TypeFlags, SymbolFlags, ElementFlags, ObjectFlags, SignatureKind } = typescript;
  const follow = memoized((symbol: TypeSymbol): TypeSymbol =>
    symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
  const isFromLibrary = memoized((symbol: TypeSymbol): boolean => {
    const { declarations, valueDeclaration } = symbol;
    // Packages reopen such interfaces: to one that has the library's value, they only add.
    if (valueDeclaration !== undefined && libraryPath.test(valueDeclaration.path)) return true;
    return declarations.length > 0 && declarations.every((handle) => libraryPath.test(handle.path));
  });
  const declarationOf = (symbol: TypeSymbol): Syntax.Node | undefined =>
    (symbol.valueDeclaration ?? symbol.declarations[0])?.resolve(project);
  const isArray = memoized((type: TypeScript.Type) => isReference(type) && checker.isArrayType(type));
  /** Whether any file is. One question for all of them, as there is rarely more to ask. */
  let isUnreadable: boolean | undefined;
  const typesAt = memoizedNodes((nodes: readonly Syntax.Node[]) => checker.getTypeAtLocation(nodes));
  const symbolsAt = memoizedNodes((nodes: readonly Syntax.Node[]) =>
    checker.getSymbolAtLocation(nodes).map((symbol) => symbol && follow(symbol)),
  );
  const isReference = (type: TypeScript.Type): type is TypeScript.TypeReference =>
    type.isObjectType() && (type.objectFlags & ObjectFlags.Reference) !== 0;
  const isMapped = (type: TypeScript.Type): boolean =>
    type.isObjectType() && (type.objectFlags & ObjectFlags.Mapped) !== 0;
  const { shapesOf, hasNone } = createShapes(syntax, project, symbolsAt);

  /** Properties as they are written, where the checker has nothing to add: only their types are requested. */
  function writtenProperties(type: TypeScript.Type): readonly TypeProperty[] | undefined {
    const { Reference, Mapped, Instantiated } = ObjectFlags;
    if (!type.isObjectType() || (type.objectFlags & (Reference | Mapped | Instantiated)) !== 0)
      return undefined;
    const [shape, ...others] = shapesOf(type) ?? [];
    if (shape === undefined || others.length > 0 || isExtending(syntax, shape)) return undefined;
    const members = [...shape.members].filter((member) => syntax.isPropertySignatureDeclaration(member));
    const types = members.length === shape.members.length ? typesAt(members) : [];
    const properties = members.flatMap((member, index): TypeProperty[] => {
      const memberType = types[index];
      const { name, postfixToken } = member;
      if (memberType === undefined || !(syntax.isIdentifier(name) || syntax.isStringLiteral(name))) return [];
      return [
        {
          name: name.text,
          type: memberType,
          symbol: () => symbolsAt([name])[0],
          declaration: () => member,
          declarations: () => [member],
          optional: postfixToken?.kind === syntax.SyntaxKind.QuestionToken,
          isOnPrototype: false,
        },
      ];
    });
    return properties.length === shape.members.length ? properties : undefined;
  }

  function checkedProperties(type: TypeScript.Type): readonly TypeProperty[] {
    const symbols = checker.getPropertiesOfType(type);
    const types = symbols.length === 0 ? [] : checker.getTypeOfSymbol(symbols);
    return symbols.map((symbol, index) => ({
      name: symbol.name,
      type: types[index] ?? checker.getUnknownType(),
      symbol: () => symbol,
      declaration: () => (isFromLibrary(symbol) ? undefined : declarationOf(symbol)),
      declarations: () =>
        symbol.declarations.flatMap((handle) =>
          libraryPath.test(handle.path) ? [] : (handle.resolve(project) ?? []),
        ),
      optional: (symbol.flags & SymbolFlags.Optional) !== 0,
      isOnPrototype: (symbol.flags & (SymbolFlags.Method | SymbolFlags.Accessor)) !== 0,
    }));
  }

  /** The types of elements by the ids of their arrays' types. */
  const elements = new Map<number, TypeScript.Type>();
  const typeArguments = memoized((type: TypeScript.Type) =>
    isReference(type) ? checker.getTypeArguments(type) : [],
  );

  const callSignatures = memoized((type: TypeScript.Type) =>
    checker.getSignaturesOfType(type, SignatureKind.Call),
  );

  const signatureParameters = memoized((signature: TypeScript.Signature): readonly SignatureParameter[] => {
    const symbols = signature.getParameters();
    const types = symbols.length === 0 ? [] : checker.getTypeOfSymbol(symbols);
    return symbols.map((symbol, index) => {
      const node = declarationOf(symbol);
      const declaration = node && syntax.isParameterDeclaration(node) ? node : undefined;
      return {
        name: symbol.name,
        type: types[index] ?? checker.getAnyType(),
        declaration,
        isOptional:
          (symbol.flags & SymbolFlags.Optional) !== 0 ||
          (declaration?.questionToken ?? declaration?.initializer) !== undefined,
        isRest: signature.hasRestParameter && index === symbols.length - 1,
      };
    });
  });

  /** As TypeScript would write it. It sends nothing for some signatures, and its client fails where it reads that. */
  function writtenSignature(signature: TypeScript.Signature, place: Syntax.Node): Syntax.Node | undefined {
    try {
      return checker.signatureToSignatureDeclaration(signature, syntax.SyntaxKind.FunctionType, place);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  return {
    syntax,
    flags: TypeFlags,
    strictNulls: compilerOptions.strictNullChecks ?? compilerOptions.strict ?? true,
    sourceFile: (path) => program.getSourceFile(path),
    syntaxErrors: (path) => {
      isUnreadable ??= program.getSyntacticDiagnostics().length > 0;
      const diagnostics = isUnreadable ? program.getSyntacticDiagnostics(path) : [];
      return diagnostics.map(({ pos, end, text }) => ({ start: pos, end, text }));
    },
    typeErrors: (path) =>
      program
        .getSemanticDiagnostics(path)
        .map(({ pos, end, text, code }) => ({ start: pos, end, text, code })),
    modulesOf: ({ imports }) => {
      const symbols = imports.length === 0 ? [] : checker.getSymbolAtLocation(imports);
      return symbols.flatMap((symbol) => symbol?.declarations.map((handle) => handle.path) ?? []);
    },
    fileNames: () => program.getSourceFileNames(),
    exportsOf: (file) => {
      const module = checker.getSymbolAtLocation(file);
      const reader = { typescript, syntax, project, follow };
      return module === undefined ? [] : readExports(reader, module, file.text);
    },
    symbolsAt,
    symbolAt: (node) => symbolsAt([node])[0],
    shorthandValue: (node) => {
      const symbol = checker.getShorthandAssignmentValueSymbol(node);
      return symbol === undefined ? undefined : follow(symbol);
    },
    contextualType: (node) => checker.getContextualType(node),
    typesAt,
    declaredType: memoized((symbol: TypeSymbol) => checker.getDeclaredTypeOfSymbol(symbol)),
    typeOf: memoized((symbol: TypeSymbol) => checker.getTypeOfSymbol(symbol)),
    signatureOf: (node) => checker.getSignatureFromDeclaration(node),
    callSignature: (type) => {
      const [signature, ...others] = callSignatures(type);
      return others.length > 0 ? undefined : signature;
    },
    callSignatures,
    signatureParameters,
    thisType: (signature) => {
      const symbol = signature.getThisParameter();
      return symbol && checker.getTypeOfSymbol(symbol);
    },
    signatureNames: (signature, place) => {
      const node = writtenSignature(signature, place);
      if (node === undefined || !syntax.isFunctionTypeNode(node)) return [];
      return [...node.parameters].map(({ name }) => (syntax.isIdentifier(name) ? name.text : ""));
    },
    returnType: (signature) => checker.getReturnTypeOfSignature(signature),
    declarationOf,
    declarationsOf: (symbol) => symbol.declarations.flatMap((handle) => handle.resolve(project) ?? []),
    signatureDeclaration: (signature) => signature.declaration?.resolve(project),
    declaringFiles: (symbol) => symbol.declarations.map((handle) => handle.path),
    isFromLibrary,
    isClass: (symbol) => (symbol.flags & SymbolFlags.Class) !== 0,
    isComputed: ({ flags }) => {
      const { Variable, Property, Accessor, Function, Method, Assignment, Class } = SymbolFlags;
      return (
        (flags & (Variable | Property | Accessor | Function | Method | Assignment)) !== 0 && !(flags & Class)
      );
    },
    isValue: (symbol) => (symbol.flags & SymbolFlags.Value) !== 0,
    isAnonymous: (symbol) => (symbol.flags & (SymbolFlags.TypeLiteral | SymbolFlags.ObjectLiteral)) !== 0,
    unionMembers: memoized((type) => (type.isUnionType() ? type.getTypes() : [])),
    withoutAbsence: memoized((type) => checker.getNonNullableType(type)),
    intersectionMembers: memoized((type) => (type.isIntersectionType() ? type.getTypes() : [])),
    literalValue: (type) => (type.isLiteralType() ? type.value : undefined),
    template: (type) =>
      type.isTemplateLiteralType() ? { texts: type.texts, types: type.getTypes() } : undefined,
    stringMapping: (type) =>
      type.isStringMappingType() ? { name: type.getSymbol()?.name ?? "", of: type.getTarget() } : undefined,
    arrayElement: (type) => elements.get(type.id) ?? (isArray(type) ? typeArguments(type)[0] : undefined),
    isMapped,
    learnArrays: (nodes) => {
      const types = typesAt(nodes);
      for (const [index, element] of typesAt(nodes.map(({ elementType }) => elementType)).entries()) {
        const type = types[index];
        if (type && element) elements.set(type.id, element);
      }
    },
    tupleElements: memoized((type) => {
      const target = isReference(type) ? type.getTarget() : undefined;
      if (!target?.isTupleType()) return undefined;
      return typeArguments(type).map((element, index) => {
        const kind = target.elementFlags[index] ?? ElementFlags.Required;
        if (kind & ElementFlags.Variable) return { type: element, kind: "rest" };
        return { type: element, kind: kind & ElementFlags.Optional ? "optional" : "required" };
      });
    }),
    typeArguments,
    properties: memoized((type) => writtenProperties(type) ?? checkedProperties(type)),
    indexSignatures: memoized((type) => {
      if (hasNone(type, "index signature")) return [];
      const signatures = checker.getIndexInfosOfType(type);
      return signatures.map(({ keyType, valueType }) => ({ key: keyType, value: valueType }));
    }),
    isCallable: memoized((type) => {
      if (isMapped(type) || hasNone(type, "call signature")) return false;
      const kinds = [SignatureKind.Call, SignatureKind.Construct];
      try {
        return kinds.some((kind) => checker.getSignaturesOfType(type, kind).length > 0);
      } catch (error) {
        // It crashes on a signature that is declared nowhere, such as that which a decorator is expected to have.
        if (error instanceof TypeScriptCrash) return true;
        throw error;
      }
    }),
    substituted: (type) => (type.isSubstitutionType() ? type.getBaseType() : undefined),
    widened: (type) =>
      checker.getWidenedType((type.isLiteralType() && checker.getBaseTypeOfLiteralType(type)) || type),
    constraintOf: (type) => checker.getBaseConstraintOfType(type),
    isAssignable: (source, target) => checker.isTypeAssignableTo(source, target),
    typeText: memoized((type) => checker.typeToString(type)),
    constantValue: (node) => checker.getConstantValue(node),
  };
}
