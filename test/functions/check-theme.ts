import {
  Agent,
  compileSchema,
  executeToolCalls,
  run,
  schemaOf,
  SchemaNotFoundError,
  type FunctionTool,
  type Tool,
  type ToolFunction,
  type ToolResult,
  type Schema,
  type ToolSchema,
  type Validation,
} from "skein";
import { ScriptedModel } from "skein/testing";
import { difference } from "./difference.ts";
import {
  takeReceived,
  type Accepted,
  type Expectation,
  type Method,
  type Problem,
  type Row,
  type Theme,
} from "./row.ts";

/** What came of a row. */
export interface Outcome {
  readonly title: string;
  /** What is not as expected; empty if the row holds. */
  readonly failures: readonly string[];
  readonly schema?: ToolSchema;
}

type AnyTool = ToolFunction | FunctionTool | Tool;

/** The context of every call. */
const context = { user: "Ada", limits: { seats: 4 } };

/** Runs all rows of a file. Their functions are described together, as an agent's are. */
export async function checkTheme({ rows }: Theme, isBuilt = false): Promise<readonly Outcome[]> {
  const tools = Object.fromEntries(
    rows.flatMap(({ source }, index) => (isMethod(source) ? [] : [[`row${index}`, source] as const])),
  );
  // A row that fails shall fail alone: whatever this throws comes again when its own row is run.
  await executeToolCalls([], tools).catch(() => undefined);
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes.push(await checkRow(row, isBuilt));
  return outcomes;
}

async function checkRow({ title, source, expected }: Row, isBuilt: boolean): Promise<Outcome> {
  try {
    const tool = isMethod(source) ? await methodTool(source) : source;
    if ("problems" in expected) return { title, failures: await checkProblems(tool, expected.problems) };
    if ("error" in expected) return { title, failures: await checkError(tool, expected.error) };
    const schema = await schemaOf(tool);
    const failures = [
      ...checkSchema(schema, isBuilt ? schema.name : tool.name, expected),
      ...(await checkWarnings(tool, expected)),
      ...(await checkCalls(schema, tool, expected)),
    ];
    return { title, failures, schema };
  } catch (error) {
    return { title, failures: [error instanceof Error ? error.message : String(error)] };
  }
}

function isMethod(source: Row["source"]): source is Method {
  return typeof source === "object" && "kit" in source;
}

async function methodTool({ kit, method }: Method): Promise<Tool> {
  const tools = await kit.tools({ context: {}, agent: undefined, messages: [] });
  const found = tools.find(({ name }) => name === method);
  if (found === undefined) throw new Error(`the toolkit has no method ${method}`);
  return found;
}

function checkSchema(schema: ToolSchema, name: string | undefined, expected: Expectation): string[] {
  const found = [
    difference(schema.name, expected.name ?? name, "the name"),
    difference(schema.description, expected.description, "the description"),
    difference(schema.inputSchema, expected.schema, "the schema"),
    difference(schema.outputSchema, expected.output, "the output schema"),
    difference(JSON.parse(JSON.stringify(schema)), schema, "the schema as JSON"),
  ];
  return found.filter((each) => each !== undefined);
}

/** A run passes on what a schema says only in part. */
async function checkWarnings(tool: AnyTool, { warns = [] }: Expectation): Promise<string[]> {
  const model = new ScriptedModel(["Done."]);
  const { warnings } = await run(new Agent({ name: "Table", model, tools: { tool } }), "Go");
  const texts = warnings.map((warning) => (typeof warning === "string" ? warning : JSON.stringify(warning)));
  return [
    ...texts
      .filter((text) => !warns.some((pattern) => pattern.test(text)))
      .map((text) => `warns unexpectedly: ${text}`),
    ...warns
      .filter((pattern) => !texts.some((text) => pattern.test(text)))
      .map((pattern) => `does not warn ${String(pattern)}`),
  ];
}

async function checkCalls(schema: ToolSchema, tool: AnyTool, expected: Expectation): Promise<string[]> {
  const failures: string[] = [];
  const input = compileSchema(schema.inputSchema);
  for (const accepted of expected.accepts ?? []) {
    const validation = await validate(input, accepted[0]);
    if (!validation.ok) failures.push(`refuses ${text(accepted[0])}: ${issueText(validation.issues[0])}`);
    failures.push(...(await checkCall(schema, tool, accepted)));
  }
  for (const mended of expected.mends ?? []) {
    if ((await validate(input, mended[0])).ok) failures.push(`takes ${text(mended[0])} as it stands`);
    failures.push(...(await checkCall(schema, tool, mended)));
  }
  for (const [args, path] of expected.refuses ?? []) {
    const validation = await validate(input, args);
    const first = validation.ok ? undefined : pathText(validation.issues[0]?.path ?? []);
    if (first !== path) failures.push(`${text(args)} is wrong at ${first ?? "no place"}, expected ${path}`);
    const { outcome } = await call(tool, args);
    const calls = takeReceived();
    if (outcome !== "invalid-arguments" || calls.length > 0)
      failures.push(`runs with ${text(args)}: ${outcome}`);
  }
  return failures;
}

/** Some patterns are tested by code that is loaded on demand. */
async function validate(schema: Schema, value: unknown): Promise<Validation<unknown>> {
  return schema.validateAsync ? schema.validateAsync(value) : schema.validate(value);
}

async function checkCall(
  { outputSchema }: ToolSchema,
  tool: AnyTool,
  [args, received, returned]: Accepted,
): Promise<string[]> {
  const result = await call(tool, args);
  const calls = takeReceived();
  const content = result.content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
  if (result.isError) return [`${text(args)} is not taken: ${content}`];
  const what = `what comes of ${text(args)}`;
  const value = result.structuredContent === undefined ? content : result.structuredContent;
  const found = [
    difference(calls, [received], `what it receives for ${text(args)}`),
    returned === undefined ? undefined : difference(value, returned, what),
  ];
  const failures = found.filter((each) => each !== undefined);
  if (outputSchema === undefined) return failures;
  const validation = await validate(compileSchema(outputSchema), value);
  if (validation.ok) return failures;
  return [...failures, `${what} does not fit the output schema: ${issueText(validation.issues[0])}`];
}

async function call(tool: AnyTool, args: object): Promise<ToolResult> {
  const toolCall = { toolCallId: "call", toolName: "tool", arguments: JSON.stringify(args) };
  takeReceived();
  const [result] = await executeToolCalls([toolCall], { tool }, { context });
  if (result === undefined) throw new Error("one call gave no result");
  return result;
}

async function checkProblems(tool: AnyTool, problems: readonly Problem[]): Promise<readonly string[]> {
  const error = await errorOf(tool);
  const found = error instanceof SchemaNotFoundError ? problemsOf(error) : [];
  if (found.length !== problems.length) {
    return [`has ${found.length} problems, expected ${problems.length}: ${String(error)}`];
  }
  return problems.flatMap(([parameter, words, line], index) => {
    const actual = found[index];
    if (actual === undefined) return [];
    const written = lineOf(actual.file, actual.line);
    const isRight = actual.parameter === parameter && words.test(actual.message) && written.includes(line);
    return isRight
      ? []
      : [`names ${text(actual)}, on the line "${written.trim()}"; expected ${parameter}, ${line}`];
  });
}

async function checkError(tool: AnyTool, pattern: RegExp): Promise<readonly string[]> {
  const error = await errorOf(tool);
  const isRight = error instanceof SchemaNotFoundError && pattern.test(error.message);
  return isRight ? [] : [`ends with ${String(error)}, expected ${String(pattern)}`];
}

function errorOf(tool: AnyTool): Promise<unknown> {
  return schemaOf(tool).then(
    (schema) => `the schema ${text(schema)}`,
    (error: unknown) => error,
  );
}

interface FoundProblem {
  readonly parameter: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
}

function problemsOf({ data }: SchemaNotFoundError): readonly FoundProblem[] {
  const problems = Array.isArray(data.problems) ? data.problems : [];
  return problems.flatMap((problem) => {
    if (typeof problem !== "object" || problem === null || Array.isArray(problem)) return [];
    const { parameter, message, file, line } = problem;
    return [
      { parameter: String(parameter), message: String(message), file: String(file), line: Number(line) },
    ];
  });
}

/** A line of a file, counted from 1. */
function lineOf(file: string, line: number): string {
  const files = globalThis.process.getBuiltinModule("node:fs");
  return files.readFileSync(file, "utf8").split("\n")[line - 1] ?? "";
}

function issueText(
  issue: { readonly path: readonly (string | number)[]; readonly message: string } | undefined,
) {
  return issue === undefined ? "" : `${pathText(issue.path)} ${issue.message}`;
}

function pathText(path: readonly (string | number)[]): string {
  return `$${path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")}`;
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
