import type { FunctionTool, JsonSchema, ToolFunction, Toolset } from "skein";

/**
 * What must come of a function as a tool.
 *
 * The table is a specification: it says what a reader of the signature and its comment would expect, and the same rows are
 * run in every runtime and, built, with every bundler. It needs nothing but `skein`.
 */
export interface Expectation {
  /** The tool's name, where it is not the function's. */
  readonly name?: string;
  /** What the model is told of the tool; absent if the function has no comment. */
  readonly description?: string;
  /** The whole input schema. */
  readonly schema: JsonSchema;
  /** The whole output schema; absent if the return type says nothing. */
  readonly output?: JsonSchema;
  /** What the schema takes, and what the function then receives. */
  readonly accepts?: readonly Accepted[];
  /** What the schema refuses as it stands and a call puts right, losing nothing: `"5"` for a number. */
  readonly mends?: readonly Accepted[];
  /** What the schema refuses, and a call too: the function never sees it. */
  readonly refuses?: readonly Refused[];
  /** What is said of the signature, one pattern a warning. None is expected by default. */
  readonly warns?: readonly RegExp[];
}

/** Arguments as the model writes them; the values that the function gives to `got`; what the caller gets, as JSON. */
export type Accepted = readonly [args: object, received: readonly unknown[], returned?: unknown];

/** Arguments, and the JSON path of the first thing that is wrong with them. */
export type Refused = readonly [args: object, path: string];

/** A part of a signature that no schema can express: its path, words of the message, and text of the line it stands on. */
export type Problem = readonly [parameter: string, words: RegExp, line: string];

/** A method of a toolkit. */
export interface Method {
  readonly kit: Toolset;
  readonly method: string;
}

/** One line of the table. */
export interface Row {
  readonly title: string;
  readonly source: ToolFunction | FunctionTool | Method;
  readonly expected: Expectation | { readonly problems: readonly Problem[] } | { readonly error: RegExp };
}

/** The rows of one file. */
export interface Theme {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** The rows of one file, under a name. */
export function theme(name: string, rows: readonly Row[]): Theme {
  return { name, rows };
}

/** A function (`tool(fn, { name })` for one without a name), and what must come of it. */
export function row(title: string, fn: ToolFunction | FunctionTool, expected: Expectation): Row {
  return { title, source: fn, expected };
}

/** A method of a toolkit, and what must come of it. */
export function methodRow(title: string, kit: Toolset, method: string, expected: Expectation): Row {
  return { title, source: { kit, method }, expected };
}

/** A function whose signature no schema can express: every problem must be named, in this order. */
export function inexpressible(title: string, fn: ToolFunction, ...problems: readonly Problem[]): Row {
  return { title, source: fn, expected: { problems } };
}

/** A function that has no schema at all. */
export function withoutSchema(title: string, fn: ToolFunction | FunctionTool, error: RegExp): Row {
  return { title, source: fn, expected: { error } };
}

let received: (readonly unknown[])[] = [];

/** How a function of the table says what it was called with. */
export function got(...values: readonly unknown[]): void {
  received.push(values);
}

/** What `got` was told since the last time. */
export function takeReceived(): readonly (readonly unknown[])[] {
  const taken = received;
  received = [];
  return taken;
}
