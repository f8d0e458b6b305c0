import { ConfigurationError } from "../../errors.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import { resultText, valueOf } from "../../executor/finalize.ts";
import { executeToolCalls } from "../../run/execute-tool-calls.ts";
import { resolveTools } from "../../tool/register-tools.ts";
import type { Tool, ToolSource } from "../../tool/types.ts";
import { frozenCopy } from "../../base/util/snapshot.ts";
import { conformanceOptions, type ConformanceOptions, type ConformanceReport } from "./report.ts";
import { isJson, quote } from "./stream-rules.ts";
import { observed, type Observation } from "./observed-tool.ts";
import { type Check, makeChecks, mostHangs, type Trial } from "./trial.ts";
import { invalidValues } from "./values/invalid.ts";
import { validValues } from "./values/valid.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** How to check a tool. */
export interface ToolCheckOptions extends ConformanceOptions {
  /** Given to the tool as its context. */
  readonly context?: unknown;
  /** Inputs beside those that are made of the schema, or instead of them where none can be made. */
  readonly inputs?: readonly unknown[];
  /** Texts that must not stand in a result: keys that the tool uses, say. */
  readonly secrets?: readonly string[];
}

interface ToolSubject {
  readonly tool: Tool;
  readonly inputs: readonly unknown[];
  readonly options: ToolCheckOptions;
}

/** Errors that say that the program is wrong, not the input. */
const crashes: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError", "SyntaxError"]);

const optionNames = { ...conformanceOptions, context: true, inputs: true, secrets: true } satisfies Record<
  keyof ToolCheckOptions,
  true
>;

/**
 * Checks that a tool, or every tool of a toolset, does what runs rely on: inputs at the edges of its schema are accepted and lead to an
 * outcome, others never reach it; results are JSON and fit the output schema; it ends when its call is aborted, changes
 * none of its arguments, reveals no secret and leaves nothing pending.
 *
 * The tool is really called, some hundred times and with odd inputs: give it a database of its own. Its policies (approval,
 * limits, cache) are left out. Never throws for what the tool does: see `assertConformance`.
 * @throws ConfigurationError if it is not a tool, or one that is executed elsewhere.
 */
export async function checkTool(
  source: ToolSource,
  options: ToolCheckOptions = {},
): Promise<ConformanceReport> {
  assertKnownOptions(options, optionNames, "checkTool()");
  const { tools } = await resolveTools([source]);
  const executable = tools.filter((tool) => tool.execute !== undefined);
  if (executable.length === 0) {
    throw new ConfigurationError("checkTool needs a tool that is executed here.", { code: "invalid-tool" });
  }
  const subjects: ToolSubject[] = executable.map((tool) => ({ tool, inputs: [], options }));
  const check = (name: string, run: (subject: ToolSubject, trial: Trial) => Promise<void>): Check => ({
    name,
    run: async (trial) => {
      for (const subject of subjects) await run(subject, named(trial, subject, subjects.length > 1));
    },
  });
  const checks: Check[] = [
    {
      name: "inputs",
      run: async (trial) =>
        void subjects.splice(0, subjects.length, ...subjects.map((subject) => withInputs(subject, trial))),
    },
    check("valid-inputs", validInputs),
    check("invalid-inputs", invalidInputs),
    check("abort", abort),
  ];
  const report = await makeChecks(
    `The tool ${executable.map(({ name }) => name).join(", ")}`,
    checks,
    options,
  );
  return {
    ...report,
    checks: [...report.checks, "hangs", "crashes", "output", "json", "secrets", "untouched"],
  };
}

function named(trial: Trial, { tool }: ToolSubject, isOneOfMany: boolean): Trial {
  if (!isOneOfMany) return trial;
  return { ...trial, fail: (message, check) => trial.fail(`${tool.name}: ${message}`, check) };
}

function withInputs(subject: ToolSubject, trial: Trial): ToolSubject {
  const { tool, options } = subject;
  const sampleInputs = validValues(tool.inputSchema.jsonSchema, trial.random, Math.max(trial.runs, 1) * 3);
  const inputs = [...(options.inputs ?? []), ...sampleInputs];
  if (inputs.length === 0)
    trial.fail(
      `No valid input of ${tool.name} could be generated from its schema. Pass some as options.inputs.`,
    );
  return { ...subject, inputs };
}

/** Inputs at the edges reach the tool and lead to an outcome. */
async function validInputs({ tool, inputs, options }: ToolSubject, trial: Trial): Promise<void> {
  let hangs = 0;
  for (const input of inputs) {
    const { result, observation } = await call(tool, input, options, trial);
    const what = `With ${quote(input)}`;
    if (!result) {
      trial.fail(`${what}, it does not come to an end.`, "hangs");
      if (++hangs === mostHangs) return;
    } else if (observation.calls !== 1)
      trial.fail(`${what}, which its schema accepts, it was not called: ${resultText(result)}`);
    if (result) inspect(tool, result, observation, what, options, trial);
  }
}

function inspect(
  tool: Tool,
  result: ToolResult,
  { thrown, hasChanged, value }: Observation,
  what: string,
  { secrets = [] }: ToolCheckOptions,
  trial: Trial,
): void {
  if (thrown instanceof Error && crashes.has(thrown.name) && thrown.message !== "fetch failed")
    trial.fail(`${what}, it throws a ${thrown.name}: ${thrown.message}`, "crashes");
  if (hasChanged()) trial.fail(`${what}, it changes its arguments or context.`, "untouched");
  // What it throws, too: keys are masked in results only as far as their pattern is known.
  const output = JSON.stringify(result) + (thrown instanceof Error ? thrown.message : "");
  if (secrets.some((secret) => output.includes(secret)))
    trial.fail(`${what}, its result or error contains a secret.`, "secrets");
  if (result.isError) return;
  const { structuredContent } = result;
  if (typeof value === "number" && !Number.isFinite(value))
    trial.fail(`${what}, it returns ${value}, which is not JSON.`, "json");
  if (structuredContent !== undefined && !isJson(structuredContent))
    trial.fail(`${what}, its result is not JSON.`, "json");
  const checked = tool.outputSchema?.validate(valueOf(result));
  if (checked && !checked.ok)
    trial.fail(
      `${what}, its result does not fit its output schema: ${checked.issues[0]?.message}.`,
      "output",
    );
}

/** What the schema refuses does not reach the tool. */
async function invalidInputs({ tool, inputs, options }: ToolSubject, trial: Trial): Promise<void> {
  const [first] = inputs;
  const last = inputs.at(-1);
  for (const valid of first === last ? [first] : [first, last]) {
    for (const { value, what } of invalidValues(tool.inputSchema.jsonSchema, valid)) {
      const { result, observation } = await call(tool, value, options, trial);
      if (observation.calls > 0)
        trial.fail(`Where ${what}, which its schema refuses, it is called all the same.`);
      else if (result && result.outcome !== "invalid-arguments" && result.outcome !== "error")
        trial.fail(`Where ${what}, the outcome is "${result.outcome}".`);
    }
  }
}

/** Once its call is aborted, the tool has to come to an end, whatever the run does meanwhile. */
async function abort({ tool, inputs, options }: ToolSubject, trial: Trial): Promise<void> {
  // At once, and once it has got somewhere.
  for (const [delay, input] of [inputs[0], ...inputs.slice(0, 3)].entries()) {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const observation = observed(tool, delay === 0 ? stop : () => void setTimeout(stop, delay));
    await trial.settled(execute(observation.tool, input, options, controller.signal), "An aborted call");
    const what = `Called with ${quote(input)} and aborted, it`;
    await trial
      .settled(observation.settled(), what)
      .catch((error: unknown) => trial.fail(String(error instanceof Error ? error.message : error)));
  }
}

interface Called {
  /** `undefined` if it hangs. */
  readonly result: ToolResult | undefined;
  readonly observation: Observation;
}

async function call(tool: Tool, input: unknown, options: ToolCheckOptions, trial: Trial): Promise<Called> {
  const observation = observed(tool);
  const controller = new AbortController();
  try {
    const executed = execute(observation.tool, input, options, controller.signal);
    return { result: await trial.settled(executed, "A call"), observation };
  } catch {
    return { result: undefined, observation };
  } finally {
    controller.abort();
  }
}

async function execute(
  tool: Tool,
  input: unknown,
  { context }: ToolCheckOptions,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  const toolCall: ToolCall = { toolCallId: "check", toolName: tool.name, arguments: JSON.stringify(input) };
  const [result] = await executeToolCalls([toolCall], [tool], { context: frozenCopy(context ?? {}), signal });
  return result;
}
