import { ConfigurationError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** A function as the Berkeley leaderboard's files describe it. */
export interface BfclFunction {
  readonly name: string;
  readonly description?: string;
  /** Of the type `"dict"`. */
  readonly parameters: BfclType;
}

/** A parameter's type: nearly JSON Schema, with Python's names. */
export interface BfclType {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, BfclType>>;
  readonly required?: readonly string[];
  readonly items?: BfclType;
  readonly [keyword: string]: unknown;
}

/** A message of a question. */
export type BfclMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string };

/** One entry of a file of questions. */
export interface BfclEntry {
  /** Such as `simple_python_12`: it begins with the category. */
  readonly id: string;
  /** The messages of each turn. */
  readonly question: readonly (readonly BfclMessage[])[];
  readonly functions: readonly BfclFunction[];
  /** Multi-turn: whose functions there are. */
  readonly classes: readonly string[];
  /** Multi-turn: functions that are left out. */
  readonly excluded: readonly string[];
  /** Multi-turn: functions that are there from a turn on only. */
  readonly missed: Readonly<Record<string, readonly string[]>>;
  /** Multi-turn: what the classes begin with. */
  readonly initialConfig: unknown;
}

/** What is right, as a file of possible answers says it. */
export type BfclAnswer =
  /** The calls, each with the values that each parameter may have. */
  | readonly Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>[]
  /** Multi-turn: for each turn, the calls as Python writes them. */
  | readonly (readonly string[])[];

const roles: ReadonlySet<string> = new Set(["system", "user", "assistant"]);

/** @throws ConfigurationError (`bfcl-file`) naming the line that is not an entry. */
export function readQuestions(text: string): readonly BfclEntry[] {
  return readLines(text, "questions", (line) => {
    const { id, question, function: described, involved_classes: classes } = line;
    if (typeof id !== "string" || !Array.isArray(question)) return undefined;
    const functions = described === undefined ? [] : Array.isArray(described) ? described : [described];
    const { excluded_function: excluded, missed_function: missed, initial_config: initialConfig } = line;
    if (!functions.every(isFunction)) return undefined;
    // A question of one turn may be a plain list of messages.
    const turns: readonly unknown[] = question.every(Array.isArray) ? question : [question];
    if (!turns.every(isTurn)) return undefined;
    return {
      id,
      question: turns,
      functions,
      classes: texts(classes),
      excluded: texts(excluded),
      missed: isPlainObject(missed)
        ? Object.fromEntries(Object.entries(missed).map(([turn, names]) => [turn, texts(names)]))
        : {},
      initialConfig,
    };
  });
}

/** The answers by the ids of their questions. @throws ConfigurationError (`bfcl-file`) */
export function readAnswers(text: string): ReadonlyMap<string, BfclAnswer> {
  return new Map(
    readLines(text, "answers", ({ id, ground_truth: truth }) => {
      if (typeof id !== "string" || !Array.isArray(truth)) return undefined;
      return isAnswer(truth) ? ([id, truth] as const) : undefined;
    }),
  );
}

/** The functions of a class. @throws ConfigurationError (`bfcl-file`) */
export function readFunctions(text: string): readonly BfclFunction[] {
  return readLines(text, "functions", (line) => (isFunction(line) ? line : undefined));
}

/** Entries stand one on each line, whatever the file is called; a list of them will do. */
function readLines<T>(
  text: string,
  what: string,
  read: (line: Readonly<Record<string, unknown>>) => T | undefined,
): readonly T[] {
  const lines = text.trimStart().startsWith("[") ? undefined : text.split("\n").filter((line) => line.trim());
  const parsed: readonly unknown[] = lines
    ? lines.map((line, index) => parse(line, `line ${index + 1} of the ${what}`))
    : [parse(text, `the list of ${what}`)].flat();
  return parsed.map((entry, index) => {
    const item = isPlainObject(entry) ? read(entry) : undefined;
    if (item === undefined)
      throw fileError(`line ${index + 1} of the ${what} does not have the leaderboard's form.`);
    return item;
  });
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fileError(`${place} is not JSON: ${errorMessage(error)}`);
  }
}

function fileError(problem: string): ConfigurationError {
  return new ConfigurationError(`bfcl(): ${problem}`, { code: "bfcl-file" });
}

function isFunction(value: unknown): value is BfclFunction {
  return isPlainObject(value) && typeof value["name"] === "string" && isPlainObject(value["parameters"]);
}

function isTurn(value: unknown): value is readonly BfclMessage[] {
  return Array.isArray(value) && value.every(isMessage);
}

function isMessage(value: unknown): value is BfclMessage {
  return isPlainObject(value) && roles.has(String(value["role"])) && typeof value["content"] === "string";
}

function isAnswer(truth: readonly unknown[]): truth is BfclAnswer {
  const isTurn = (turn: unknown): boolean =>
    Array.isArray(turn) && turn.every((call) => typeof call === "string");
  const isCall = (call: unknown): boolean =>
    isPlainObject(call) &&
    Object.values(call).every((args) => isPlainObject(args) && Object.values(args).every(Array.isArray));
  return truth.every(isTurn) || truth.every(isCall);
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
