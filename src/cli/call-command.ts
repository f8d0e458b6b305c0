import { Agent } from "../agent/agent.ts";
import { reachableAgents } from "../agent/handoff.ts";
import { ConfigurationError } from "../errors.ts";
import { executeToolCalls } from "../run/execute-tool-calls.ts";
import type { FunctionTool, Tool } from "../tool/types.ts";
import { nearest } from "../util/nearest.ts";
import { exportedEntries } from "./exported-tools.ts";
import { assertFile, importModule } from "./load-module.ts";
import { formatContent, printable } from "./text.ts";

/** What `skein call` can be told. */
export interface CallFlags {
  readonly context?: Readonly<Record<string, unknown>>;
}

/**
 * Calls one tool of a file, named `FILE#TOOL`, with arguments as a model would write them. The result goes to standard
 * output, progress and failures (as a model is told of them) to standard error.
 * @returns whether the call succeeded
 * @throws ConfigurationError if there is no such file or tool.
 */
export async function callCommand(target: string, args: string, flags: CallFlags): Promise<boolean> {
  const { file, name } = parseTarget(target);
  await assertFile(file);
  const tool = chooseTool(file, await callable(await importModule(file)), name);
  const toolName = tool.name ?? name ?? "tool";
  const [result] = await executeToolCalls(
    [{ toolCallId: "call", toolName, arguments: args }],
    { [toolName]: askedFor(tool) },
    {
      context: flags.context ?? {},
      onProgress: (_call, value) => void process.stderr.write(`${printable(JSON.stringify(value) ?? "")}\n`),
    },
  );
  if (result === undefined || result.isError) {
    process.stderr.write(`${printable(formatContent(result?.content ?? []))}\n`);
    return false;
  }
  const { structuredContent, content } = result;
  const isText = structuredContent === undefined || typeof structuredContent === "string";
  process.stdout.write(
    `${isText ? printable(formatContent(content)) : JSON.stringify(structuredContent, undefined, 2)}\n`,
  );
  return true;
}

/** Whoever types the command has decided on the call, and on what comes before it. */
function askedFor<T extends FunctionTool | Tool>(tool: T): T {
  const { approval: _approval, requires: _requires, ...policy } = tool.policy;
  return { ...tool, policy };
}

interface Target {
  readonly file: string;
  readonly name: string | undefined;
}

/** `FILE#TOOL`; a file alone will do if it has one tool only. */
function parseTarget(text: string): Target {
  const mark = text.lastIndexOf("#");
  if (mark < 0) return { file: text, name: undefined };
  return { file: text.slice(0, mark), name: text.slice(mark + 1) || undefined };
}

type Callable = readonly (readonly [name: string, tool: FunctionTool | Tool])[];

/** The tools of a module, each by the name that models see and by the name of its export. */
async function callable(exports: Readonly<Record<string, unknown>>): Promise<Callable> {
  const found = new Map<string, FunctionTool | Tool>();
  const add = (name: string | undefined, tool: FunctionTool | Tool): void => {
    if (name !== undefined && !found.has(name)) found.set(name, tool);
  };
  const warnings = new Set<string>();
  const warn = (message: string): void => {
    if (!warnings.has(message)) process.stderr.write(`warning: ${printable(message)}\n`);
    warnings.add(message);
  };
  for (const [exported, value] of Object.entries(exports)) {
    const team = value instanceof Agent ? reachableAgents([value]) : [];
    const entries = [...exportedEntries(value), ...team.flatMap(({ tools }) => exportedEntries(tools))];
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
  return [...found];
}

function chooseTool(file: string, tools: Callable, name: string | undefined): FunctionTool | Tool {
  const distinct = new Set(tools.map(([, tool]) => tool));
  const [only] = distinct;
  const found = name === undefined ? undefined : tools.find(([each]) => each === name)?.[1];
  if (found !== undefined) return found;
  if (name === undefined && only !== undefined && distinct.size === 1) return only;
  const names = tools.map(([each]) => each);
  if (names.length === 0) {
    throw callError(`${file} exports no tools: export a function, tool(...), toolkit(...) or an agent.`);
  }
  const [meant] = name === undefined ? [] : nearest(name, names);
  const hint = meant === undefined ? "" : ` Did you mean ${file}#${meant}?`;
  const problem = name === undefined ? `Say which tool of ${file} to call.` : `${file} has no tool ${name}.`;
  throw callError(`${problem}${hint} Its tools are: ${names.join(", ")}.`);
}

function callError(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "no-such-tool" });
}
