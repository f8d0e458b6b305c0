/**
 * `skein/code`: a model writes a program against typed tools, instead of calling one after the other.
 * @module
 */
export { codeMode } from "./code-mode.ts";
export { InterpreterError, ProgramError } from "./errors.ts";
export { quickJs } from "./quick-js.ts";
export type { CodeLimits, CodeModeOptions, Interpreter, InterpreterProgram } from "./types.ts";
