/** What a program of a model may take. */
export interface CodeLimits {
  /** Milliseconds of computing; 30,000 by default. The time that tools take does not count: they have timeouts of their own. */
  readonly timeoutMs?: number;
  /** Megabytes of memory; 64 by default. */
  readonly memoryMb?: number;
  /** Calls of tools in one program; 200 by default. */
  readonly calls?: number;
  /** Calls of tools at once; 8 by default. */
  readonly parallel?: number;
  /** The most characters of what a program returns, and of what it prints; 20,000 each by default. */
  readonly outputChars?: number;
}

/** How `codeMode` works. */
export interface CodeModeOptions {
  /** The name of the tool that runs programs; `"execute_typescript"` by default. */
  readonly name?: string;
  /** The names of tools that the model calls directly, as without code mode; programs do not have them. */
  readonly direct?: readonly string[];
  /**
   * Whether TypeScript checks programs before they run; `true` by default. A mistake is corrected with no tool called. Where TypeScript
   * cannot be loaded, programs run unchecked, and a warning says it.
   */
  readonly check?: boolean;
  /** What a program may take. */
  readonly limits?: CodeLimits;
  /** What runs programs; QuickJS in a thread by default, by the package `run`. */
  readonly interpreter?: Interpreter;
  /**
   * Whether programs look for tools by `tools.search` instead of having all declarations in the tool's description; `"auto"` by default:
   * above 30 tools.
   */
  readonly search?: boolean | "auto";
}

/** Runs programs apart from the process that calls tools. */
export interface Interpreter {
  /**
   * Runs a program in a realm of its own that has nothing but the language, and `host.call`.
   * @returns what the program returns: a text.
   * @throws InterpreterError if it does not come to an end within its limits; what `call` rejects with; the signal's reason.
   */
  execute(program: InterpreterProgram): Promise<string>;
}

/** What an interpreter runs. */
export interface InterpreterProgram {
  /** The body of an async function: JavaScript, and types of TypeScript, which mean nothing. */
  readonly source: string;
  /** Called by `await host.call(text)` in the program: one call at a time. */
  readonly call: (text: string) => Promise<string>;
  /** Milliseconds of computing, without the time of calls. */
  readonly timeoutMs: number;
  /** Megabytes. */
  readonly memoryMb: number;
  /** The most characters that the program returns, or passes to `call`. */
  readonly maxChars: number;
  readonly signal: AbortSignal;
}
