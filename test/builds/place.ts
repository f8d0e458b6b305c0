/** A place: a project that is built and run as its users would, with the table of `table/` as its program. */
export interface Place {
  /** What it is, as the page says it: `tsc, with source maps`. */
  readonly name: string;
  /** What its user writes, in a phrase. Every piece of code in it must stand in `files`, `packageJson`, `build` or `run`. */
  readonly write: string;
  readonly gets: Outcome;
  /** The folder of `installs/` whose packages it needs. Without it: no packages but `skein`. */
  readonly install?: string;
  /** How relative imports are written in the table's files. `.ts` by default. */
  readonly imports?: ".ts" | ".js" | "";
  /** The table in JavaScript: with its types in comments, or without them. */
  readonly javascript?: "typed" | "untyped";
  /** Whether the package of which the table uses functions comes without declarations. */
  readonly withoutDeclarations?: true;
  /** The decorators that the place compiles: those of the language, or those of `experimentalDecorators`. */
  readonly decorators?: "standard" | "legacy";
  /** What to add to package.json, or to take out (`undefined`): `{ type: undefined }` for CommonJS. */
  readonly packageJson?: Readonly<Record<string, unknown>>;
  /** Compiler options beside the usual ones. */
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
  /** What installs its packages, in a folder outside of this repository: `build` begins with it. Else they lie there. */
  readonly manager?: "npm" | "pnpm" | "Yarn";
  /**
   * Whether the table is two packages of a workspace: `packages/tools`, which has the functions, and `apps/main`, which uses
   * them. The first one's `exports` lead to its sources, or to what its compiler makes of them.
   */
  readonly workspace?: "sources" | "output";
  /** Files beside the table's in `src/`, or instead of them. */
  readonly files?: Readonly<Record<string, string>>;
  /** A command line that must succeed before the program is run. */
  readonly build?: string;
  /** The files and folders that are copied to where the program runs: without sources and without TypeScript. */
  readonly deploy?: readonly string[];
  /** The command line that prints the report of `table/src/report.ts` as the last line of its output. */
  readonly run: string;
}

/**
 * What one gets: the schemas that development has; the same as far as declarations tell, which have no defaults and not all
 * comments; or an error that says what to do there.
 */
export type Outcome = "schemas" | "declared schemas" | Refusal | Warning | Untried;

/** The types of the place say less, of which every run warns; nothing else is missing. */
export interface Warning {
  /** What each warning says, to the letter. */
  readonly warning: string;
  /** The titles of the cases whose schemas have no null where development's have. */
  readonly withoutNull: readonly string[];
  /** The title of the case whose schema is written, and needs no warning. */
  readonly written: string;
}

/** Every tool that needs its types is refused: when it is used, or when the project is built. */
export interface Refusal {
  /** What each error says, to the letter: one of these. The page shows the first, and all of them beside `only`. */
  readonly refusal: string | readonly string[];
  /** Whether `build` itself fails. */
  readonly atBuild?: true;
  /** Whether declarations lie beside: what they say is there, which is not the defaults, and not all comments. */
  readonly declared?: true;
  /** The titles of the cases that are refused, where others have the schemas of development. */
  readonly only?: readonly string[];
  /** What these cases have in common, as the page says it; by default their titles. */
  readonly where?: string;
}

/** A place that the tests cannot reach. */
export interface Untried {
  /** Why: `deno compile downloads its runtime`. */
  readonly untried: string;
}

/** Places that are tried one after the other, in a test file of their own. */
export interface PlaceGroup {
  readonly title: string;
  readonly places: readonly Place[];
}
