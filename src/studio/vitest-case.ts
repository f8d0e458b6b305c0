import { basename } from "node:path";
import { isPlainObject } from "../base/util/json.ts";
import { editNote } from "../executor/approved-call.ts";
import { Refusal } from "../server/refusal.ts";
import { contextAt } from "./context-at.ts";
import { hasCase } from "./has-case.ts";
import type { AgentView, ToolStep } from "./records.ts";
import type { RunRecord } from "./run-record.ts";

/** Where agents are exported, for what imports them. */
export interface AgentExports {
  /** The file, as the user named it. */
  readonly file?: string;
  /** Under which name the file exports each agent. */
  readonly exportNames?: ReadonlyMap<string, string>;
}

/**
 * A call as a test of vitest, which expects what came of it. Where a run has to fulfil a condition first, such as a decision, a run makes the
 * call: what a person has denied is denied again, and what was approved with other arguments is approved with these.
 * @throws Refusal (409): `no-case` for a call of which nothing came, `no-export` for an agent that the file does not export.
 */
export function vitestCase(
  record: RunRecord,
  step: ToolStep,
  agents: readonly AgentView[],
  { file, exportNames = new Map() }: AgentExports,
): string {
  const name = exportNames.get(step.agent);
  const tool = agents
    .find((each) => each.name === step.agent)
    ?.tools.find((each) => each.name === step.toolName);
  const problem = problemOf(step, tool !== undefined, file !== undefined && name === undefined, file);
  if (problem) throw problem;
  const isUsable = name !== undefined && isIdentifier(name);
  const agent = isUsable ? name : identifierOf(step.agent);
  const needsRun =
    step.decided === true ||
    (tool?.policies.some((policy) => /^(?:approval|requires)/.test(policy)) ?? false);
  const { toolCallId, toolName, arguments: text, outcome = "success" } = step;
  const about = {
    agent,
    import: importOf(name, agent),
    // A program that opens the studio itself has its agents anywhere.
    module:
      file === undefined
        ? `"./agents.ts"; // Your program's module with this agent.`
        : `${code(`./${basename(file)}`)};`,
    title: code(`${toolName}: ${titleOf(step)}`),
    call: `{ toolCallId: ${code(toolCallId)}, toolName: ${code(toolName)}, arguments: ${code(text)} }`,
    expected: `{ outcome: ${code(outcome)}, content: ${contentOf(record, step)} }`,
    context: contextText(contextAt(record, step.id)),
  };
  return needsRun ? caseOfRun(about, code(record.question), decisionOf(step)) : caseOfCall(about);
}

function problemOf(step: ToolStep, hasTool: boolean, isNotExported: boolean, file = ""): Refusal | undefined {
  const { agent, toolName } = step;
  if (!hasCase(step))
    return new Refusal(409, "no-case", `Nothing came of this call of ${toolName}: there is nothing to test.`);
  if (!hasTool) return new Refusal(409, "no-case", `The studio has no agent "${agent}" with "${toolName}".`);
  if (isNotExported)
    return new Refusal(
      409,
      "no-export",
      `${basename(file)} does not export the agent "${agent}". Export it: a test imports it by its name.`,
    );
  if (step.edited?.endsWith("…"))
    return new Refusal(409, "no-case", "The arguments that it was approved with are not known whole.");
  return undefined;
}

/** The beginning of an import. An export may have any name, such as one that the test has, too. */
function importOf(name: string | undefined, agent: string): string {
  if (name === "default") return `import ${agent} from`;
  if (name === undefined || name === agent) return `import { ${agent} } from`;
  return `import { ${/^[\w$]+$/.test(name) ? name : code(name)} as ${agent} } from`;
}

/** The decision on the call, as code without the id of the approval. */
function decisionOf({ outcome, edited, result = "" }: ToolStep): string {
  if (outcome !== "denied")
    return edited === undefined
      ? `decision: "approve"`
      : `decision: "approve", arguments: ${code(JSON.parse(edited))}`;
  const [, reason] = /The reason given: ([\s\S]*)$/.exec(result) ?? [];
  return reason === undefined ? `decision: "deny"` : `decision: "deny", reason: ${code(reason)}`;
}

/** What the model reads, part by part. Of parts other than texts the type is enough. */
function contentOf({ outcomes }: RunRecord, step: ToolStep): string {
  const content =
    outcomes.get(step.id)?.result.content ?? textsOf(step).map((text) => ({ type: "text" as const, text }));
  return code(content.map((part) => ("text" in part ? part : { type: part.type })));
}

/** The result, and the note at its end that a person has changed the arguments. */
function textsOf({ result = "", edited }: ToolStep): readonly string[] {
  const at = edited === undefined ? -1 : result.lastIndexOf(`\n${editNote({ arguments: "" })}`);
  return at < 0 ? [result] : [result.slice(0, at), result.slice(at + 1)];
}

/** A value as code, without characters that an editor hides or turns around. */
function code(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu, (hidden) =>
    Array.from({ length: hidden.length }, (_, at) => escaped(hidden.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

interface CaseParts {
  readonly agent: string;
  readonly import: string;
  readonly module: string;
  readonly title: string;
  readonly call: string;
  readonly expected: string;
  readonly context: string | undefined;
}

function caseOfCall({ agent, module, title, call, expected, context, ...parts }: CaseParts): string {
  const options = context === undefined ? "" : `, { context: ${context} }`;
  return `import { executeToolCalls } from "skein";
import { expect, test } from "vitest";
${parts.import} ${module}

test(${title}, async () => {
  const call = ${call};
  const [result] = await executeToolCalls([call], ${agent}.tools${options});
  expect(result).toMatchObject(${expected});
});
`;
}

function caseOfRun(
  { agent, module, title, call, expected, context, ...parts }: CaseParts,
  question: string,
  decision: string,
): string {
  const options = context === undefined ? "" : `, { context: ${context} }`;
  return `import { run } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
${parts.import} ${module}

test(${title}, async () => {
  const call = ${call};
  const caller = ${agent}.with({ model: new ScriptedModel([{ toolCalls: [call] }, "Done."]) });
  const first = await run(caller, ${question}${options});
  const approvals = first.pending.map(({ approvalId = "" }) => ({ approvalId, ${decision} }) as const);
  const { state } = first.status === "paused" ? await run(caller, first.state, { approvals }) : first;
  const message = state.messages.find((each) => each.role === "tool");
  expect(message?.result).toMatchObject(${expected});
});
`;
}

/** The result in a few words. */
function titleOf({ outcome = "success", result = "" }: ToolStep): string {
  const text = result.replaceAll(/\s+/g, " ").slice(0, 60);
  return outcome === "success" ? text : outcome;
}

/** A name that code can have: that of the agent. */
function identifierOf(agent: string): string {
  const words = agent.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const name = words
    .map((word, index) => (index === 0 ? word[0]?.toLowerCase() : word[0]?.toUpperCase()) + word.slice(1))
    .join("");
  const identifier = /^\p{L}/u.test(name) ? name : `agent${name}`;
  return isIdentifier(identifier) ? identifier : `${identifier}Agent`;
}

/** Whether it can be the name of a variable beside those that a test has. */
function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && !otherNames.has(name);
}

/** What tests use, and the words of the language that no variable may have as its name. */
const otherNames: ReadonlySet<string> = new Set(
  (
    "approvalId approvals call caller executeToolCalls expect first message result run ScriptedModel state test " +
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public return " +
    "static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** The context as code; `undefined` for none, and for what is not plain data. */
function contextText(context: unknown): string | undefined {
  if (!isPlainObject(context) || Object.keys(context).length === 0) return undefined;
  try {
    return code(context);
  } catch {
    return undefined;
  }
}
