import type * as TypeScript from "typescript/unstable/sync";
import type { CallExpression, Node } from "../compiler/host.ts";
import { loadTypeScript, openApi, type TypeScriptModules } from "../compiler/typescript-process.ts";

/** Something that TypeScript finds wrong with a program. */
export interface ProgramMistake {
  /** Offsets in the program's text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** TypeScript at work on programs that are texts. */
export interface ProgramChecker {
  /**
   * What is wrong with a program, in its order; nothing if TypeScript fails.
   * @param declarations - What the program has beside the language.
   */
  check(declarations: string, program: string): readonly ProgramMistake[];
}

const folder = "/.skein/program";
const paths = {
  config: `${folder}/tsconfig.json`,
  declarations: `${folder}/declarations.d.ts`,
  program: `${folder}/program.ts`,
};

const config = JSON.stringify({
  compilerOptions: {
    strict: true,
    useUnknownInCatchVariables: false,
    erasableSyntaxOnly: true,
    noEmit: true,
    target: "es2023",
    lib: ["es2023"],
    module: "esnext",
    moduleDetection: "force",
    noResolve: true,
    types: [],
  },
  files: ["declarations.d.ts", "program.ts"],
});

let opened: Promise<ProgramChecker | undefined> | undefined;

/**
 * TypeScript for programs: one for the process, which stays, and never keeps the process alive.
 * @returns `undefined` where TypeScript cannot be loaded or started.
 */
export function openProgramChecker(): Promise<ProgramChecker | undefined> {
  return (opened ??= open().catch(() => undefined));
}

async function open(): Promise<ProgramChecker> {
  const modules = await loadTypeScript();
  const texts = new Map([
    [paths.config, config],
    [paths.declarations, ""],
    [paths.program, ""],
  ]);
  let api: TypeScript.API | undefined;
  return {
    check(declarations, program) {
      const isSame = texts.get(paths.declarations) === declarations;
      texts.set(paths.declarations, declarations);
      texts.set(paths.program, program);
      const changed = isSame ? [paths.program] : [paths.declarations, paths.program];
      try {
        api ??= openApi(modules, folder, (path) => texts.get(path));
        const snapshot = api.updateSnapshot({ openProjects: [paths.config], fileChanges: { changed } });
        const project = snapshot.getProject(paths.config);
        return project ? mistakesIn(project, modules) : [];
      } catch {
        // It begins again with the next program: this one is as one where there is no TypeScript.
        closeQuietly(api);
        api = undefined;
        texts.set(paths.declarations, "");
        return [];
      }
    },
  };
}

function closeQuietly(api: TypeScript.API | undefined): void {
  try {
    api?.close();
  } catch {
    // It has ended by itself.
  }
}

function mistakesIn(project: TypeScript.Project, modules: TypeScriptModules): readonly ProgramMistake[] {
  const { program } = project;
  const syntax = program.getSyntacticDiagnostics(paths.program);
  const diagnostics = syntax.length > 0 ? syntax : program.getSemanticDiagnostics(paths.program);
  const mistakes = diagnostics.filter(isMistake).map(({ pos, end, text, relatedInformation = [] }) => {
    // Such as "Did you forget to use 'await'?"; the others say where something is declared.
    const hints = relatedInformation.flatMap((related) => (related.text.endsWith("?") ? [related.text] : []));
    return { start: pos, end, text: [text, ...hints].join(" ") };
  });
  const forgotten = syntax.length > 0 ? [] : unawaitedCalls(project, modules);
  return [...mistakes, ...forgotten].toSorted((left, right) => left.start - right.start);
}

/**
 * Programs need not annotate what they are sure of: implicit `any` is fine, but for a property by a name that the type does not have.
 * Without `strict` for these, TypeScript would take an empty list for one that stays empty.
 */
function isMistake({ code, text }: TypeScript.Diagnostic): boolean {
  const isImplicitAny = code >= 7_000 && code < 7_100;
  return !isImplicitAny || (code === 7_053 && text.includes("type '\"") && !text.endsWith("type '{}'."));
}

/** Calls that stand alone and return a promise: TypeScript itself has nothing against them. */
function unawaitedCalls(
  { program, checker }: TypeScript.Project,
  { syntax }: TypeScriptModules,
): readonly ProgramMistake[] {
  const calls: CallExpression[] = [];
  const visit = (node: Node): void => {
    if (syntax.isExpressionStatement(node) && syntax.isCallExpression(node.expression))
      calls.push(node.expression);
    node.forEachChild(visit);
  };
  const file = program.getSourceFile(paths.program);
  if (file) visit(file);
  const types = calls.length === 0 ? [] : checker.getTypeAtLocation(calls);
  return calls.flatMap((call, index) => {
    const type = types[index];
    if (!type || !checker.typeToString(type).startsWith("Promise<")) return [];
    return [
      {
        start: call.getStart(),
        end: call.end,
        text: "This call is not awaited. Did you forget to use 'await'?",
      },
    ];
  });
}
