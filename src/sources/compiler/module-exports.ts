import type * as TypeScript from "typescript/unstable/sync";
import type { TypeScriptModules } from "./typescript-process.ts";

type TypeSymbol = TypeScript.Symbol;

/** An export of a module. */
export interface ModuleExport {
  readonly name: string;
  /** What it stands for, aliases followed. */
  readonly symbol: TypeSymbol;
  /** The export itself. */
  readonly exported: TypeSymbol;
}

/** What is needed to read a module's exports. */
export interface ExportReader extends TypeScriptModules {
  readonly project: TypeScript.Project;
  readonly follow: (symbol: TypeSymbol) => TypeSymbol;
}

/** What only a file says that exports one value as a whole: `export =`, or `module.exports =`. */
const exportsWhole = /\bexport\s*=|\bexports\b/;

/** What a module exports; of `export = { ... }`, the members; of any other `export =`, `default`. */
export function readExports(reader: ExportReader, module: TypeSymbol, text: string): readonly ModuleExport[] {
  // One question less for nearly every file.
  const whole = exportsWhole.test(text)
    ? [...module.getExports().values()].find(({ name }) => name === "export=")
    : undefined;
  if (whole !== undefined) return readWhole(reader, whole);
  return reader.project.checker
    .getExportsOfModule(module)
    .map((exported) => ({ name: exported.name, symbol: reader.follow(exported), exported }));
}

function readWhole(
  { typescript, syntax, project, follow }: ExportReader,
  whole: TypeSymbol,
): readonly ModuleExport[] {
  const { checker } = project;
  const type = checker.getTypeOfSymbol(follow(whole));
  const isLiteral = ((type?.getSymbol()?.flags ?? 0) & typescript.SymbolFlags.ObjectLiteral) !== 0;
  if (type === undefined || !isLiteral) return [{ name: "default", symbol: follow(whole), exported: whole }];
  return checker.getPropertiesOfType(type).map((exported) => {
    const node = (exported.valueDeclaration ?? exported.declarations[0])?.resolve(project);
    const value =
      node && syntax.isShorthandPropertyAssignment(node)
        ? checker.getShorthandAssignmentValueSymbol(node)
        : undefined;
    return { name: exported.name, symbol: value === undefined ? exported : follow(value), exported };
  });
}
