import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Agent, run, type RunResult } from "skein";
import { type Evaluation, isEvaluation } from "skein/evals";
import { offline } from "skein/offline";
import type { Arguments, Row } from "./row.ts";

const folder = fileURLToPath(new URL("../../../examples/", import.meta.url));

/** The names of all examples whose agents the offline model can play: the coder's stand-in knows a script. */
export const examples: readonly string[] = readdirSync(folder).filter(
  (name) => name !== "coder" && existsSync(`${folder}${name}/evals.ts`),
);

/** What a sentence led to. */
export interface Outcome {
  readonly row: Row;
  /** Whether the reaction, the active agent and the words are among those expected. */
  readonly isRight: boolean;
  /** A call that is not expected, unless it only reads something and passes no arguments. */
  readonly isNonsense: boolean;
  /** What happened, in a line. */
  readonly description: string;
}

/** The names of tools that change nothing. */
const reading = /^(?:list|get|show|read|find|count|can|open|ledger_(?:list|total)|browser_snapshot)/;

interface Call {
  readonly tool: string;
  readonly args: unknown;
}

/** Says each sentence to the example in a world of its own, with the offline model. */
export async function play(example: string, rows: readonly Row[]): Promise<readonly Outcome[]> {
  const evaluation = await evaluationOf(example);
  const outcomes: Outcome[] = [];
  for (const each of rows) outcomes.push(await playRow(evaluation, each));
  return outcomes;
}

async function evaluationOf(example: string): Promise<Evaluation> {
  const module: Record<string, unknown> = await import(`../../../examples/${example}/evals.ts`);
  const evaluation = Object.values(module).find(isEvaluation);
  if (!evaluation) throw new Error(`${example} exports no evaluation`);
  return evaluation;
}

async function playRow(evaluation: Evaluation, row: Row): Promise<Outcome> {
  const [evalCase] = evaluation.cases;
  if (!evalCase) throw new Error("the evaluation has no case");
  const world = (await evaluation.setup?.({ ...evalCase, context: {}, tags: [] })) ?? {};
  const agent = world.agent ?? (typeof evaluation.agent === "function" ? undefined : evaluation.agent);
  if (!agent) throw new Error("the evaluation has no agent");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context comes from the evaluation of the agent
  const result = await run(agent as unknown as Agent, row.text, {
    context: { ...evaluation.context, ...world.context },
    ...(agent.model === undefined && { model: offline() }),
  });
  await world.close?.();
  return judge(row, result);
}

function judge(row: Row, result: RunResult): Outcome {
  const made = callsOf(result);
  const question = /For \\?"(.*?)\\?" I need/.exec(result.text)?.[1];
  const isExpected = row.reactions.some((reaction) => {
    if (reaction.kind === "none") return made.length === 0 && question === undefined;
    if (reaction.kind === "asks")
      return made.length === 0 && question !== undefined && plain(question) === plain(reaction.tool);
    return (
      made.length === reaction.calls.length &&
      reaction.calls.every(({ tool, args }) =>
        made.some((call) => call.tool === tool && fits(args, call.args)),
      )
    );
  });
  const isStated = (call: Call): boolean =>
    row.reactions.some(
      (reaction) =>
        reaction.kind === "calls" &&
        reaction.calls.some(({ tool, args }) => tool === call.tool && fits(args, call.args)),
    );
  const isThere = row.agents.includes(result.agent.name);
  const isSaid = row.says === undefined || row.says.test(result.text);
  const what = made.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`).join(", ");
  return {
    row,
    isRight: isExpected && isThere && isSaid,
    isNonsense: made.some(
      (call) => !isStated(call) && (JSON.stringify(call.args) !== "{}" || !reading.test(call.tool)),
    ),
    description: `${row.text} -> ${result.agent.name}: ${what || (question === undefined ? "no call" : `asks for ${question}`)}${isSaid ? "" : `, says ${JSON.stringify(result.text)}`}`,
  };
}

/** The calls of a run, without handoffs. */
function callsOf({ messages }: RunResult): Call[] {
  return messages
    .flatMap((message) => (message.role === "assistant" ? message.toolCalls : []))
    .filter(({ toolName }) => !toolName.startsWith("transfer_to_"))
    .map(({ toolName, arguments: text }) => ({ tool: toolName, args: JSON.parse(text) }));
}

function fits(expected: Arguments, actual: unknown): boolean {
  if (typeof actual !== "object" || actual === null) return false;
  const entries = Object.entries(actual);
  return (
    entries.length === Object.keys(expected).length &&
    entries.every(([name, value]: [string, unknown]) => {
      const wanted = expected[name];
      if (wanted instanceof RegExp) return typeof value === "string" && wanted.test(value);
      return typeof wanted === "object" ? fits(wanted, value) : wanted === value;
    })
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}
