import type { Place } from "../../base/util/place.ts";
import { createReport } from "./diagnostics.ts";
import { functionDoc } from "./function-docs.ts";
import { runtimeName } from "./function-nodes.ts";
import { declaredSignature } from "./functions.ts";
import type { FunctionLikeDeclaration, Host, Node, SourceFile, TypeSymbol } from "./host.ts";

/** Where a function stands, and what of it a message can point at. */
export interface FunctionOutline {
  /** The name that JavaScript gives it; empty where only running it can show. */
  readonly name: string;
  /** Its name; its first line if it has none. */
  readonly place: Place;
  readonly parameters: readonly ParameterOutline[];
  /** The parameters that its doc comment speaks of, as written there: `city`, `options.city`. */
  readonly documented: readonly NamedPlace[];
}

/** A parameter as it is declared. */
export interface ParameterOutline extends NamedPlace {
  /** The names that a destructured parameter takes apart; absent for one with a name. */
  readonly elements?: readonly ElementOutline[];
}

/** A property that a destructured parameter takes. */
export interface ElementOutline extends NamedPlace {
  /** The variable that it becomes, where that has another name. */
  readonly variable?: string;
}

/** A name, and where it stands. */
export interface NamedPlace {
  readonly name: string;
  readonly place: Place;
}

/** One export of a file that may be a tool or hold tools. */
export interface ExportOutline extends NamedPlace {
  /** Present for a function that is written out: the others are values that only running the file can show. */
  readonly function?: FunctionOutline;
}

/** The exports of a file that may be tools or hold them: functions and objects, no classes, enums, types or plain data. */
export function outlineExports(
  host: Host,
  source: SourceFile,
  functionOf: (symbol: TypeSymbol) => FunctionLikeDeclaration | undefined,
): readonly ExportOutline[] {
  return host.exportsOf(source).flatMap(({ name, symbol, exported }): ExportOutline[] => {
    const node = functionOf(symbol);
    if (node !== undefined) {
      const outline = outlineFunction(host, node);
      return [{ name, place: outline.place, function: outline }];
    }
    if (!mayHoldTools(host, symbol) || isTypeOnly(host, exported)) return [];
    const declarations = [host.declarationOf(symbol), host.declarationOf(exported)];
    // What a package declares is shown where this file exports it.
    const declaration = declarations.find((each) => each?.getSourceFile() === source) ?? source;
    return [{ name, place: placeOf(nameOf(declaration)) }];
  });
}

/** Where a function and its parts stand. */
export function outlineFunction(host: Host, node: FunctionLikeDeclaration): FunctionOutline {
  const declared = declaredSignature(host, node, createReport());
  return {
    name: runtimeName(host, node) ?? "",
    place: placeOf(nameOf(declared)),
    parameters: [...declared.parameters].map(({ name }) => {
      const named = { name: name.getText(), place: placeOf(name) };
      if (!host.syntax.isObjectBindingPattern(name)) return named;
      const elements = [...name.elements].flatMap((element) => {
        const key = element.propertyName ?? element.name;
        if (key === undefined) return [];
        const variable = key === element.name ? undefined : element.name?.getText();
        return [{ name: key.getText(), place: placeOf(key), ...(variable !== undefined && { variable }) }];
      });
      return { ...named, elements };
    }),
    documented: documentedNames(declared, [...functionDoc(host, declared).parameters.keys()]),
  };
}

/** The files that a file imports, directly or not, itself included and packages left out. */
export function importedFiles(host: Host, file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  // A set that grows while it is walked.
  for (const path of reached) {
    const source = host.sourceFile(path);
    if (source !== undefined) for (const target of directImports(host, source)) reached.add(target);
  }
  return reached;
}

function directImports(host: Host, source: SourceFile): string[] {
  const { syntax } = host;
  return [...source.statements].flatMap((statement) => {
    if (!syntax.isImportDeclaration(statement) && !syntax.isExportDeclaration(statement)) return [];
    const symbol = statement.moduleSpecifier && host.symbolAt(statement.moduleSpecifier);
    if (symbol === undefined || host.isFromLibrary(symbol)) return [];
    return host.declaringFiles(symbol).filter((path) => !path.includes("/node_modules/"));
  });
}

/** Whether a value may be a tool or hold tools: no class, no enum, no type and no plain data. */
function mayHoldTools(host: Host, symbol: TypeSymbol): boolean {
  const { flags } = host;
  const type = host.isComputed(symbol) ? host.typeOf(symbol) : undefined;
  const { Object: object, NonPrimitive, Union, Intersection, Any, Unknown } = flags;
  const wanted = object | NonPrimitive | Union | Intersection | Any | Unknown;
  return type !== undefined && (type.flags & wanted) !== 0;
}

/** Of a name that is not found, only this shows that it is a type. */
function isTypeOnly(host: Host, exported: TypeSymbol): boolean {
  const declaration = host.declarationOf(exported);
  if (declaration === undefined || !host.syntax.isExportSpecifier(declaration)) return false;
  const statement = declaration.parent.parent;
  return declaration.isTypeOnly || (host.syntax.isExportDeclaration(statement) && statement.isTypeOnly);
}

/** The name of a declaration, or of the variable or property that a function without one is the value of. */
function nameOf(node: Node): Node {
  const names: unknown[] = [node, node.parent].map((each) =>
    each !== undefined && "name" in each ? each.name : undefined,
  );
  return names.find(isNode) ?? node;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "getStart" in value;
}

/** Finds the names in the doc comment before `node`; where one cannot be found, the function itself stands in. */
function documentedNames(node: Node, names: readonly string[]): readonly NamedPlace[] {
  const source = node.getSourceFile();
  const end = source.text.lastIndexOf("*/", node.getStart(source));
  const begin = end < 0 ? -1 : source.text.lastIndexOf("/**", end);
  const comment = begin < 0 ? "" : source.text.slice(begin, end);
  return names.map((name) => {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    const at = new RegExp(String.raw`(?<![\w$.])${escaped}(?![\w$])`).exec(comment)?.index;
    return {
      name,
      place: at === undefined ? placeOf(node) : placeAt(source, begin + at, begin + at + name.length),
    };
  });
}

/** The first line of a node. */
function placeOf(node: Node): Place {
  const source = node.getSourceFile();
  return placeAt(source, node.getStart(source), node.getEnd());
}

/** The stretch from `start` to `end`, as far as it stands on one line. */
export function placeAt(source: SourceFile, start: number, end: number): Place {
  const { line, character } = source.getLineAndCharacterOfPosition(start);
  const text = source.text.slice(start, Math.max(end, start + 1)).split(/\r?\n/)[0] ?? "";
  return {
    file: source.fileName,
    line: line + 1,
    column: character + 1,
    length: Math.max(1, text.length),
  };
}
