import { SchemaNotFoundError } from "../../errors.ts";
import type { ParameterPlan } from "../../schema/function-schema.ts";
import type { Place } from "../../base/util/place.ts";
import { refuseClosure } from "./closures.ts";
import { dependenciesOf } from "./dependencies.ts";
import { displayPath } from "./diagnostics.ts";
import { functionAtPosition, functionsOfShape, type FunctionShape } from "./function-nodes.ts";
import { describeFunction, type FunctionDescription } from "./functions.ts";
import type { FunctionLikeDeclaration, Host, SourceFile, TypeSymbol } from "./host.ts";
import {
  importedFiles,
  outlineExports,
  outlineFunction,
  placeAt,
  type ExportOutline,
  type FunctionOutline,
} from "./outline.ts";
import {
  describeMembers,
  textOfMembers,
  type DescribedMembers,
  type ModuleMember,
} from "./module-members.ts";
import { describeOutput, outputCallAt } from "./output-types.ts";
import { prefetch } from "./prefetch.ts";
import { openWorkspace } from "./project.ts";
import { runtimeLiterals, runtimeNames } from "./runtime-literals.ts";
import { runtimeWords } from "./runtime-words.ts";
import { shownTags } from "./script-tags.ts";
import { toolsAtCall, type ToolsAtCall } from "./use-sites-calls.ts";
import { contextPlaces, undeclaredContextError, unplacedContext } from "./undeclared-contexts.ts";
import { findUseSites, type UseSites } from "./use-sites.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

export type { FunctionSchema, ParameterPlan } from "../../schema/function-schema.ts";
export type { JsonSchema } from "../../schema/types.ts";
export type { FunctionDescription } from "./functions.ts";
export type { FunctionShape } from "./function-nodes.ts";
export type { DescribedMembers, ModuleMember } from "./module-members.ts";
export type {
  ElementOutline,
  ExportOutline,
  FunctionOutline,
  NamedPlace,
  ParameterOutline,
} from "./outline.ts";
export type { SchemaTree, UseSite, UseSites } from "./use-sites.ts";
export type { FunctionUse } from "./use-sites-clashes.ts";
export type { ToolTree } from "./use-sites-attachments.ts";
export type { Position, WrittenPlace } from "./written-places.ts";
export type { ToolsAtCall } from "./use-sites-calls.ts";
export type { Place } from "../../base/util/place.ts";
export { SchemaNotFoundError } from "../../errors.ts";

/** How to open a compiler. */
export interface CompilerOptions {
  /** The directory in which TypeScript works; the current one by default. */
  readonly cwd?: string;
}

/** Describes functions of TypeScript and JavaScript files. Files are named by absolute paths. */
export interface Compiler {
  /** The function whose head (from its first token to its body) holds `position`, a UTF-16 offset. */
  functionAt(file: string, position: number): FunctionDescription;
  /** The exported functions of a file by name. Throws a SchemaNotFoundError where the file cannot be read. */
  exports(file: string): ReadonlyMap<string, FunctionDescription>;
  /** What a file exports that may be a tool or hold tools, and where it stands. Throws like `exports`. */
  outline(file: string): readonly ExportOutline[];
  /** What keeps a file from being read: none for a file that parses. Throws like `exports`. */
  syntaxErrors(file: string): readonly SyntaxError[];
  /** The modules, exports and types that a file names and that are not found. Takes long. Throws like `exports`. */
  unresolvedNames(file: string): readonly SyntaxError[];
  /** The files of which a file is made: itself and what it imports, packages left out. Throws like `exports`. */
  imports(file: string): ReadonlySet<string>;
  /** The files whose text decides what a file's functions look like, tsconfigs and package manifests among them. */
  dependencies(file: string): ReadonlySet<string>;
  /** The tsconfigs and package manifests that were read so far. */
  configFiles(): ReadonlySet<string>;
  /** The folders in which a new file belongs to the program, under the tsconfigs that were read so far. */
  includedFolders(): ReadonlySet<string>;
  /** The functions of a file (with a body) that have this shape, in the order of the text. */
  functionsLike(file: string, shape: FunctionShape): readonly FoundFunction[];
  /** The same of JavaScript code that is not in a file. */
  functionsInText(text: string, shape: FunctionShape): readonly FoundFunction[];
  /** The literals and names of members that a file's code has when it runs. Throws like `exports`. */
  runtimeLiterals(file: string): ReadonlySet<string>;
  /** All literals and names of JavaScript code that is not in a file. */
  namesInText(text: string): ReadonlySet<string>;
  /** The type that a call of `output` at a place says; `undefined` if there is none. Throws like `exports`. */
  outputTypeAt(file: string, position: LinePosition): FunctionDescription | undefined;
  /** Where a file uses tools, with the schemas to attach there. Throws like `exports`. */
  useSites(file: string): UseSites;
  /** What the call at a place is given as tools; `undefined` if there is no call. Throws like `exports`. */
  toolsAt(file: string, position: LinePosition): ToolsAtCall | undefined;
  /** What declarations say of functions as members of modules that `file`, which need not exist, could load. */
  members(file: string, members: readonly ModuleMember[]): DescribedMembers;
  /** Opens files before they are needed: cheaper than one by one. */
  open(files: readonly string[]): void;
  /** Opens files whose functions are about to be described, and asks at once for what all of them need. */
  prepare(files: readonly string[]): void;
  /** Reads files again that have changed on disk; without `files`, everything, and looks again for what was missing. */
  refresh(files?: readonly string[]): void;
  /** Ends TypeScript's process. */
  close(): void;
}

/** A function of a file. */
export interface FoundFunction {
  /** Its source. */
  readonly text: string;
  /** The names and literals of its source that are still there when it runs, in order. */
  words(): string;
  /** Of these, the literals and names of members. */
  literals(): ReadonlySet<string>;
  /** Whether its head, up to its body, holds the place. */
  isAt(position: LinePosition): boolean;
  /** Its schemas. */
  describe(): FunctionDescription;
  /** The error for arguments that are placed where the function takes a context. `bound` of its parameters are filled. */
  refusePlaces(plans: readonly ParameterPlan[], bound: number): SchemaNotFoundError | undefined;
  /** Where it and its parts stand. */
  outline(): FunctionOutline;
}

/** A place at which TypeScript cannot read a file, or does not agree with it, and why. */
export interface SyntaxError {
  readonly message: string;
  readonly place: Place;
}

/** A place in a file, both counted from 0, columns in UTF-16 units. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** The codes of TypeScript's diagnostics "Cannot find module, name, namespace" and "has no exported member". */
const notFoundCodes: ReadonlySet<number> = new Set([
  2304, 2305, 2306, 2307, 2503, 2552, 2614, 2694, 2724, 2792, 2833, 7016,
]);

const unreadable = "TypeScript cannot read the file";

/**
 * Opens a compiler: TypeScript 7 in a process of its own, which ends with this one and never keeps it alive.
 * A file belongs to the tsconfig that includes it, or to none, and is then read with strict defaults.
 */
export async function openCompiler(options: CompilerOptions = {}): Promise<Compiler> {
  assertKnownOptions(options, { cwd: true }, "openCompiler()");
  const workspace = await openWorkspace(options.cwd);

  function within(
    file: string,
    describe: (host: Host, source: SourceFile) => FunctionDescription,
  ): FunctionDescription {
    const host = workspace.hostFor(file);
    const source = host.sourceFile(file);
    return source === undefined ? missing(file, unreadable) : describe(host, source);
  }

  function sourceOf(file: string): { readonly host: Host; readonly source: SourceFile } {
    const host = workspace.hostFor(file);
    const source = host.sourceFile(file);
    if (source === undefined) throw missing(file, unreadable);
    return { host, source };
  }

  return {
    outline: (file) => {
      const { host, source } = sourceOf(file);
      return outlineExports(host, source, (symbol) => functionOf(host, symbol));
    },
    syntaxErrors: (file) => {
      const { host, source } = sourceOf(file);
      return host
        .syntaxErrors(file)
        .map(({ start, end, text }) => ({ message: text, place: placeAt(source, start, end) }));
    },
    unresolvedNames: (file) => {
      const { host, source } = sourceOf(file);
      return host
        .typeErrors(file)
        .filter(({ code }) => notFoundCodes.has(code))
        .map(({ start, end, text }) => ({ message: text, place: placeAt(source, start, end) }));
    },
    dependencies: (file) =>
      new Set([...dependenciesOf(workspace.hostFor(file), file), ...workspace.configFiles()]),
    configFiles: () => workspace.configFiles(),
    includedFolders: () => workspace.includedFolders(),
    imports: (file) => importedFiles(sourceOf(file).host, file),
    functionAt: (file, position) =>
      within(file, (host, source) => {
        const node = functionAtPosition(host, source, position);
        return node
          ? describeFunction(host, node)
          : missing(file, `no function stands at offset ${position}`);
      }),
    functionsLike: (file, shape) => {
      const host = workspace.hostFor(file);
      const source = host.sourceFile(file);
      return source === undefined ? [] : functionsLike(host, source, shape);
    },
    functionsInText: (text, shape) => {
      const { host, source } = sourceOf(workspace.openText(text));
      return functionsLike(host, source, shape);
    },
    runtimeLiterals: (file) => {
      const { host, source } = sourceOf(file);
      return runtimeLiterals(host, source);
    },
    namesInText: (text) => {
      const { host, source } = sourceOf(workspace.openText(text));
      return runtimeNames(host, source);
    },
    exports: (file) => {
      const { host, source } = sourceOf(file);
      const functions = host.exportsOf(source).flatMap(({ name, symbol }) => {
        const node = functionOf(host, symbol);
        return node ? [[name, describeFunction(host, node, name)] as const] : [];
      });
      return new Map(functions);
    },
    outputTypeAt: (file, position) => {
      const { host, source } = sourceOf(file);
      const offset = offsetOf(source, position);
      const call = offset === undefined ? undefined : outputCallAt(host, source, offset);
      return call && describeOutput(host, call);
    },
    useSites: (file) => {
      const { host, source } = sourceOf(file);
      return findUseSites(host, source);
    },
    toolsAt: (file, position) => {
      const { host, source } = sourceOf(file);
      const offset = offsetOf(source, position);
      const tools = offset === undefined ? undefined : toolsAtCall(host, source, offset);
      return tools && { ...tools, files: new Set([...tools.files, ...workspace.configFiles()]) };
    },
    members: (file, members) => {
      const { host, source } = sourceOf(workspace.openBeside(file, textOfMembers(members)));
      const { descriptions, files } = describeMembers(host, source, members);
      return { descriptions, files: new Set([...files, ...workspace.configFiles()]) };
    },
    open: (files) => workspace.open(files),
    prepare: (files) => {
      workspace.open(files);
      for (const [host, group] of Map.groupBy(files, (file) => workspace.hostOf(file))) {
        const sources = group.flatMap((file) => host?.sourceFile(file) ?? []);
        if (host !== undefined) prefetch(host, sources);
      }
    },
    refresh: (files) => workspace.refresh(files),
    close: () => workspace.close(),
  };
}

function functionsLike(host: Host, source: SourceFile, shape: FunctionShape): readonly FoundFunction[] {
  return functionsOfShape(host, source, shape).map((node) => ({
    text: shownTags(node.getText(source)),
    words: () => runtimeWords(host, node),
    literals: () => runtimeLiterals(host, node),
    isAt: (position) => {
      const offset = offsetOf(source, position);
      return offset !== undefined && functionAtPosition(host, source, offset) === node;
    },
    describe: () => refuseClosure(host, node, shape.name) ?? describeFunction(host, node, shape.name),
    refusePlaces: (plans, bound) => {
      const hidden = unplacedContext(contextPlaces(host, node), plans, bound);
      return hidden && undeclaredContextError(shape.name, hidden);
    },
    outline: () => outlineFunction(host, node),
  }));
}

function offsetOf(source: SourceFile, { line, column }: LinePosition): number | undefined {
  const start = source.getLineStarts()[line];
  return start === undefined || start + column > source.text.length ? undefined : start + column;
}

/** The function that an exported symbol stands for: a declaration, or a variable or default export that holds one. */
function functionOf(host: Host, symbol: TypeSymbol): FunctionLikeDeclaration | undefined {
  const { syntax } = host;
  const declaration = host.declarationOf(symbol);
  if (declaration === undefined) return undefined;
  if (syntax.isFunctionLikeDeclaration(declaration)) return declaration;
  const value =
    syntax.isVariableDeclaration(declaration) || syntax.isPropertyAssignment(declaration)
      ? declaration.initializer
      : syntax.isExportAssignment(declaration)
        ? declaration.expression
        : syntax.isBinaryExpression(declaration)
          ? declaration.right
          : undefined;
  return value !== undefined && syntax.isFunctionLikeDeclaration(value) ? value : undefined;
}

function missing(file: string, reason: string): SchemaNotFoundError {
  return new SchemaNotFoundError(`No function is found in ${displayPath(file)}: ${reason}.`, {
    data: { file },
  });
}
