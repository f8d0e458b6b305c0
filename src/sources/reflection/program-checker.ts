import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/async";
import { CheckerProcess } from "./checker-process.ts";
import { lostPromises } from "./lost-promises.ts";
import type { ProgramMistake } from "./program-mistake.ts";

/** TypeScript at work on programs that are texts. */
export interface ProgramChecker {
  /**
   * What is wrong with a program, in its order: also that its types take too long to check. Nothing if TypeScript fails. One program is
   * checked after the other.
   * @param declarations - What the program has beside the language.
   */
  check(declarations: string, program: string): Promise<readonly ProgramMistake[]>;
}

/** How long a check may take, in milliseconds, and the first one, which starts TypeScript: anybody may write types without an end. */
const longestCheck = 5_000;
const longestStart = 20_000;

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
    lib: ["es2025", "esnext.array"],
    module: "esnext",
    moduleDetection: "force",
    noResolve: true,
    types: [],
  },
  files: ["declarations.d.ts", "program.ts"],
});

let opened: Promise<ProgramChecker | undefined> | undefined;

/**
 * TypeScript for programs: one process for all, which stays, and never keeps this one alive.
 * @returns `undefined` where TypeScript cannot be loaded.
 */
export function openProgramChecker(): Promise<ProgramChecker | undefined> {
  return (opened ??= open().catch(() => undefined));
}

interface Modules {
  readonly typescript: typeof TypeScript;
  readonly syntax: typeof Syntax;
}

async function open(): Promise<ProgramChecker> {
  // Named apart from the imports, so that bundlers leave it where it is: it is a program of its own.
  const names = ["typescript/unstable/async", "typescript/unstable/ast"] as const;
  const [typescript, syntax] = await Promise.all([importApi(names[0]), importSyntax(names[1])]);
  const session = new CheckSession({ typescript, syntax });
  let last: Promise<unknown> = Promise.resolve();
  return {
    check(declarations, program) {
      // Half a character is another one on the way to TypeScript, which then disagrees about the text.
      const texts = [declarations.toWellFormed(), program.toWellFormed()] as const;
      const checked = last.then(() => session.check(...texts));
      last = checked;
      return checked;
    },
  };
}

async function importApi(name: string): Promise<typeof TypeScript> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

async function importSyntax(name: string): Promise<typeof Syntax> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

/** TypeScript's process has ended, or crashed. */
const failed = Symbol("failed");
const fail = (): typeof failed => failed;

/** One process of TypeScript after the other: one that takes too long, or fails, is ended. */
class CheckSession {
  readonly #modules: Modules;
  readonly #texts = new Map([[paths.config, config]]);
  #process: CheckerProcess | undefined;

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  /** Never rejects. A program that TypeScript fails at twice is not checked. */
  async check(declarations: string, program: string): Promise<readonly ProgramMistake[]> {
    for (let attempt = 0; attempt < 2; attempt++) {
      // What TypeScript reads first is its own libraries.
      if (!this.#process) await this.#checkInTime("", "", longestStart);
      const mistakes = await this.#checkInTime(declarations, program, longestCheck);
      if (mistakes !== failed) return mistakes;
    }
    return [];
  }

  async #checkInTime(
    declarations: string,
    program: string,
    ms: number,
  ): Promise<readonly ProgramMistake[] | typeof failed> {
    const changed = [paths.declarations, paths.program].slice(
      this.#texts.get(paths.declarations) === declarations ? 1 : 0,
    );
    this.#texts.set(paths.declarations, declarations);
    this.#texts.set(paths.program, program);
    const checker = (this.#process ??= this.#start());
    const timeout = Promise.withResolvers<undefined>();
    // It also keeps this process alive until TypeScript has answered.
    const timer = setTimeout(() => timeout.resolve(undefined), ms);
    const died = checker.ended.then(fail);
    const mistakes = mistakesIn(checker.api, changed, this.#modules).catch(fail);
    const inTime = await Promise.race([died, mistakes, timeout.promise]);
    clearTimeout(timer);
    checker.release();
    if (!inTime || inTime === failed) this.#end(checker);
    if (inTime) return inTime;
    return [
      { start: 0, end: 0, text: "The types of the program take too long to check. Write simpler ones." },
    ];
  }

  #start(): CheckerProcess {
    const checker = new CheckerProcess(this.#modules.typescript, folder, (path) => this.#texts.get(path));
    void checker.ended.then(() => this.#end(checker));
    return checker;
  }

  /** The next program starts another process. */
  #end(checker: CheckerProcess): void {
    checker.end();
    if (this.#process !== checker) return;
    this.#process = undefined;
    this.#texts.delete(paths.declarations);
  }
}

async function mistakesIn(
  api: TypeScript.API,
  changed: readonly string[],
  { syntax }: Modules,
): Promise<readonly ProgramMistake[]> {
  const snapshot = await api.updateSnapshot({
    openProjects: [paths.config],
    fileChanges: { changed: [...changed] },
  });
  try {
    const project = snapshot.getProject(paths.config);
    if (!project) return [];
    const { program } = project;
    const unreadable = await program.getSyntacticDiagnostics(paths.program);
    if (unreadable.length > 0) return unreadable.map(toMistake);
    // It would return the program before.
    api.clearSourceFileCache();
    // Side by side: TypeScript answers them from two checkers.
    const [diagnostics, lost] = await Promise.all([
      program.getSemanticDiagnostics(paths.program),
      lostPromises(project, paths.program, syntax),
    ]);
    const mistakes = diagnostics.filter(isMistake).map(toMistake);
    const others = lost.filter(({ start }) => !mistakes.some((mistake) => mistake.start === start));
    return [...mistakes, ...others].toSorted((left, right) => left.start - right.start);
  } finally {
    await snapshot.dispose();
  }
}

function toMistake({ pos, end, text, ...more }: TypeScript.Diagnostic): ProgramMistake {
  const { messageChain = [], relatedInformation = [] } = more;
  // Such as "Did you forget to use 'await'?"; the others say where something is declared.
  const hints = relatedInformation.flatMap((related) => (related.text.endsWith("?") ? [related.text] : []));
  return { start: pos, end, text: [text, ...reasons(messageChain), ...hints].join(" ") };
}

/** What a mistake comes from in the end: between that and the mistake are the types around it. */
function reasons([first]: readonly TypeScript.Diagnostic[]): readonly string[] {
  if (!first) return [];
  const { text, messageChain = [] } = first;
  const inner = reasons(messageChain);
  return inner.length === 0 || text.startsWith("Types of ") ? [text, ...inner] : inner;
}

/**
 * Programs need not annotate what they are sure of: implicit `any` is fine, but for a property by a name that the type does not have.
 * Without `strict` for these, TypeScript would take an empty list for one that stays empty. Empty objects and lists within others may
 * grow, too.
 */
function isMistake({ code, text }: TypeScript.Diagnostic): boolean {
  const isImplicitAny = code >= 7_000 && code < 7_100;
  if (isImplicitAny) return code === 7_053 && text.includes("type '\"") && !text.endsWith("type '{}'.");
  return !/(?:does not exist on type '(?:\{\}|never)'|to (?:parameter of )?type 'never')\.$/.test(text);
}
