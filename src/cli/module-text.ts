/** What the text of a module says about how it can be loaded. Errs towards seeing more than there is. */
export interface ModuleText {
  readonly imports: readonly ImportedSpecifier[];
  /** Syntax that Node cannot run and that its type stripping may not remove. */
  readonly unusual: UnusualSyntax | undefined;
  readonly hasModuleSyntax: boolean;
  /** Whether it uses what only CommonJS has: `require`, `module`, `exports`, `__dirname`, `__filename`. */
  readonly usesCommonJs: boolean;
}

/** A specifier, and how it is imported. */
export interface ImportedSpecifier {
  readonly specifier: string;
  readonly isRequired: boolean;
  /** Whether it says `with { type: "json" }` or the like. */
  readonly hasAttributes: boolean;
}

/** Syntax that may need a loader, and where. */
export interface UnusualSyntax {
  readonly kind: "decorator" | "typescript";
  /** Counted from 1. */
  readonly line: number;
}

/** Reads a module's text without parsing it: a parser would have to start first. */
export function readModuleText(code: string): ModuleText {
  const text = blankComments(code);
  return {
    imports: readImports(text),
    unusual: findUnusual(text),
    hasModuleSyntax:
      /^\s*(?:import\s*(?:["'{*]|[\w$]+\s*,|[\w$ ]+\sfrom\b)|export\s*[{*]|export\s+[\w$])/m.test(text),
    usesCommonJs: /(?<![\w$.])(?:require\s*\(|module\.exports|exports\.\w|__dirname\b|__filename\b)/.test(
      text,
    ),
  };
}

/** Comments become spaces, so that lines stay. Strings are matched first: globs such as "src/**" hold comment marks. */
function blankComments(code: string): string {
  const pattern =
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g;
  return code.replaceAll(pattern, (match) =>
    match.startsWith("/") ? match.replaceAll(/[^\n]/g, " ") : match,
  );
}

function readImports(text: string): readonly ImportedSpecifier[] {
  const pattern =
    /(?:\bfrom\s*|\bimport\s*|\bimport\s*\(\s*|(\brequire\s*(?:\.resolve\s*)?\(\s*))(["'`])([^"'`\n$]+)\2(?=(\s*,?\s*\{?\s*with\b)?)/g;
  return [...text.matchAll(pattern)].map(([, required, , specifier = "", attributes]) => ({
    specifier,
    isRequired: required !== undefined,
    hasAttributes: attributes !== undefined,
  }));
}

const decorator = /(?<=^|[\s;{}(,])@[\w$(]/m;

/** What TypeScript has beyond types: enums, namespaces, parameter properties, `import x =`, `export =`, `<T>value`. */
const typescript = new RegExp(
  [
    /\b(?:enum|namespace|module)\s+[\w$.]+\s*\{/,
    /\bconstructor\s*\([^{]*\b(?:public|private|protected|readonly|override)\b/,
    /\bimport\s+(?:type\s+)?[\w$]+\s*=/,
    /\bexport\s*=/,
    /(?:^|[=(,:?&|;{}[]|\breturn)\s*<[^=()]+>\s*[\w$"'`([{]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "m",
);

function findUnusual(text: string): UnusualSyntax | undefined {
  const decorated = decorator.exec(text);
  if (decorated) return { kind: "decorator", line: lineAt(text, decorated.index) };
  const match = typescript.exec(text);
  return match
    ? { kind: "typescript", line: lineAt(text, match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0)) }
    : undefined;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
