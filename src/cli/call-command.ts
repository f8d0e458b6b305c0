import { existsSync } from "node:fs";
import { asAgent, reachableAgents } from "../agent/handoff.ts";
import { ConfigurationError } from "../errors.ts";
import type { ToolResult } from "../message/messages.ts";
import { executeToolCalls } from "../run/execute-tool-calls.ts";
import { isAgent } from "../tool/agent-like.ts";
import { deriveTools } from "../tool/derive.ts";
import type { FunctionTool, Tool } from "../tool/types.ts";
import { exactText } from "../base/util/exact-text.ts";
import { isPlainObject } from "../base/util/json.ts";
import { closest } from "../base/util/closest.ts";
import { readLines } from "./chat/lines.ts";
import { exportedEntries } from "./exported-tools.ts";
import { assertModule, importModule } from "./load-module.ts";
import { shareModel } from "./model-or-offline.ts";
import { noToolsIn } from "./no-tools.ts";
import { ownScreen } from "./own-screen.ts";
import { formatArguments, formatContent, printable, printableJson, quoteName } from "./text.ts";

/** The options of `skein call`. */
export interface CallFlags {
  readonly context?: Readonly<Record<string, unknown>>;
  /** Approves the call, if the tool needs approval. */
  readonly yes?: boolean;
}

/**
 * Calls one tool of a file with arguments as a model would write them. The result goes to standard output; progress,
 * failures (as a model sees them) and what the file prints go to standard error.
 * @param words - `FILE TOOL ARGUMENTS` or `FILE#TOOL ARGUMENTS`; the arguments may be left out, and so may the name of a file's only tool.
 * @returns whether the call succeeded
 * @throws ConfigurationError for an unknown file or tool, or arguments that are not a JSON object.
 */
export async function callCommand(words: readonly string[], flags: CallFlags): Promise<boolean> {
  const { file, name, args } = parseWords(words);
  await assertModule(file);
  const screen = ownScreen();
  await shareModel();
  const tool = chooseTool(file, await callable(await importModule(file)), name);
  const toolName = tool.name ?? name ?? "tool";
  if (!looksLikeObject(args)) throw callError(await argumentsProblem(file, name ?? toolName, args, tool));
  const execute = async (isApproved: boolean): Promise<ToolResult | undefined> => {
    const [result] = await executeToolCalls(
      [{ toolCallId: "call", toolName, arguments: args }],
      { [toolName]: withoutHistory(tool, isApproved) },
      {
        context: flags.context ?? {},
        onProgress: (_call, value) =>
          void process.stderr.write(`${printable(JSON.stringify(value) ?? "")}\n`),
      },
    );
    return result;
  };
  let result = await execute(flags.yes === true);
  if (result?.outcome === "not-executed" && tool.policy.approval !== undefined) {
    if (!(await isApprovedByPerson(toolName, args))) {
      process.stderr.write(
        `${printable(toolName)} was not called: it needs approval. Pass --yes to approve the call.\n`,
      );
      return false;
    }
    result = await execute(true);
  }
  if (result === undefined || result.isError) {
    const { outcome } = result ?? {};
    const isRefused = tool.policy.allow !== undefined && (outcome === "denied" || outcome === "unknown-tool");
    const problem = isRefused ? refusal(toolName, flags) : formatContent(result?.content ?? []);
    process.stderr.write(`${printable(problem)}\n`);
    return false;
  }
  const { structuredContent, content } = result;
  const isText = structuredContent === undefined || typeof structuredContent === "string";
  screen.write(`${isText ? printable(formatContent(content)) : printableJson(structuredContent)}\n`);
  return true;
}

/** A model reads "unknown tool"; the developer needs the reason. */
function refusal(toolName: string, { context }: CallFlags): string {
  const passed = context === undefined ? "no context was passed" : "it did not return true for the context";
  return `${toolName} is refused by its allow: ${passed}. Pass one that it accepts: --context '{...}'.`;
}

/** The tool without what it `requires`, since a single call has no history, and without its approval if there is one. */
function withoutHistory<T extends FunctionTool | Tool>(tool: T, isApproved: boolean): T {
  const { approval, requires: _requires, ...policy } = tool.policy;
  const mustAsk = !isApproved && approval !== undefined;
  return { ...tool, policy: mustAsk ? { ...policy, approval } : policy };
}

/**
 * Asks on a terminal, with the arguments, which a script may have written; where nobody can answer, nothing is approved. What was
 * entered before the question does not answer it.
 */
async function isApprovedByPerson(toolName: string, args: string): Promise<boolean> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return false;
  const onKept = (text: string): void =>
    void stderr.write(`Entered before this was asked, and ignored: ${printable(text)}\n`);
  const lines = readLines({ input: stdin, asking: stderr, onKept });
  const call = `${quoteName(toolName)}(${exactText(formatArguments(args))})`;
  const answer = await lines.ask(() => void stderr.write(`Approve ${call}? (y, or n) `));
  lines.close();
  return /^y(?:es)?$/i.test(answer?.text.trim() ?? "");
}

interface Call {
  readonly file: string;
  readonly name: string | undefined;
  /** The arguments, as typed. */
  readonly args: string;
}

/**
 * What the words of a command mean. A `#` or a `:` after the file starts the name of the tool.
 * @throws ConfigurationError if there are too many, or the tool comes before the file.
 */
function parseWords([target = "", ...rest]: readonly string[]): Call {
  const [, file = target, inTarget] =
    /^(.+\.[cm]?[jt]sx?)[#:](.*)$/.exec(target) ?? /^(.+)#(.*)$/.exec(target) ?? [];
  const named = inTarget || undefined;
  const [first, second] = rest;
  if (first !== undefined && named === undefined && isModule(first) && !isModule(file))
    throw callError(`The file comes first. Write: ${callLine(first, file, second ?? "{}")}`);
  const hasName = first !== undefined && named === undefined && !looksLikeObject(first);
  const args = hasName ? rest.slice(1) : rest;
  const name = hasName ? first : named;
  if (args.length > 1)
    throw callError(
      `The arguments must be one JSON object, in quotes. Write: ${callLine(file, name ?? "TOOL", "{...}")}`,
    );
  return { file, name, args: args[0] ?? "{}" };
}

function isModule(text: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(text) && existsSync(text);
}

function looksLikeObject(text: string): boolean {
  return text.trimStart().startsWith("{");
}

function callLine(file: string, name: string, args: string): string {
  return `skein call ${file} ${name} '${args}'`;
}

/** The command as it should be typed, with the names of the arguments that the tool requires. */
async function argumentsProblem(
  file: string,
  name: string,
  args: string,
  tool: FunctionTool | Tool,
): Promise<string> {
  const [described] = "fn" in tool ? await deriveTools([tool]) : [tool];
  const { properties, required } = described?.inputSchema.jsonSchema ?? {};
  const names = Array.isArray(required)
    ? required.map(String)
    : Object.keys(isPlainObject(properties) ? properties : {});
  const example = `{${names.map((each) => `"${each}": ...`).join(", ")}}`;
  return `The arguments must be a JSON object, not ${args}. Write: ${callLine(file, name, example)}`;
}

type Callable = readonly (readonly [name: string, tool: FunctionTool | Tool])[];

/** The tools of a module, each by the name that models see and by the name of its export. */
async function callable(exports: Readonly<Record<string, unknown>>): Promise<Callable> {
  const callables = new Map<string, FunctionTool | Tool>();
  const add = (name: string | undefined, tool: FunctionTool | Tool): void => {
    if (name !== undefined && !callables.has(name)) callables.set(name, tool);
  };
  const warnings = new Set<string>();
  const warn = (message: string): void => {
    if (!warnings.has(message)) process.stderr.write(`warning: ${printable(message)}\n`);
    warnings.add(message);
  };
  for (const [exported, value] of Object.entries(exports)) {
    const team = isAgent(value) ? reachableAgents([asAgent(value)]) : [];
    const entries = [
      ...exportedEntries(value, exported),
      ...team.flatMap(({ tools }) => exportedEntries(tools)),
    ];
    for (const entry of entries) {
      if ("fn" in entry || "inputSchema" in entry) {
        add(entry.name ?? exported, entry);
        if (entry === value || typeof value === "function") add(exported, entry);
      } else {
        for (const tool of await entry.tools({ context: {}, agent: undefined, messages: [], warn }))
          add(tool.name, tool);
      }
    }
  }
  return [...callables];
}

function chooseTool(file: string, tools: Callable, name: string | undefined): FunctionTool | Tool {
  const distinct = new Set(tools.map(([, tool]) => tool));
  const [only] = distinct;
  const match = name === undefined ? undefined : tools.find(([each]) => each === name)?.[1];
  if (match !== undefined) return match;
  if (name === undefined && only !== undefined && distinct.size === 1) return only;
  const names = tools.map(([each]) => each);
  if (names.length === 0) {
    throw callError(noToolsIn(file));
  }
  const [suggestion] = name === undefined ? [] : closest(name, names);
  const hint = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
  const problem =
    name === undefined ? `${file} has several tools. Name one.` : `${file} has no tool ${name}.${hint}`;
  const form = callLine(file, suggestion ?? names[0] ?? "TOOL", "{...}");
  throw callError(`${problem} Its tools are: ${names.join(", ")}. Write: ${form}`);
}

function callError(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "no-such-tool" });
}
