import { basename } from "node:path";
import { isPlainObject } from "../base/util/json.ts";
import { contextAt } from "./context-at.ts";
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
 * call.
 */
export function vitestCase(
  record: RunRecord,
  step: ToolStep,
  agents: readonly AgentView[],
  { file = "agents.ts", exportNames = new Map() }: AgentExports,
): string {
  const name = exportNames.get(step.agent);
  const agent = name === undefined || name === "default" ? identifierOf(step.agent) : name;
  const tool = agents
    .find((each) => each.name === step.agent)
    ?.tools.find((each) => each.name === step.toolName);
  const needsRun = tool?.policies.some((policy) => /^(?:approval|requires)/.test(policy)) ?? false;
  const context = contextText(contextAt(record, step.id));
  const about = {
    agent,
    import: name === "default" ? `import ${agent} from` : `import { ${agent} } from`,
    module: JSON.stringify(`./${basename(file)}`),
    title: JSON.stringify(`${step.toolName}: ${titleOf(step)}`),
    call: `{ toolCallId: ${JSON.stringify(step.toolCallId)}, toolName: ${JSON.stringify(step.toolName)}, arguments: ${JSON.stringify(step.arguments)} }`,
    expected: `{ outcome: ${JSON.stringify(step.outcome ?? "success")}, content: [{ type: "text", text: ${JSON.stringify(step.result ?? "")} }] }`,
    context,
  };
  return needsRun ? caseOfRun(about, JSON.stringify(record.question)) : caseOfCall(about);
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
${parts.import} ${module};

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
): string {
  const options = context === undefined ? "" : `, { context: ${context} }`;
  return `import { run } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
${parts.import} ${module};

test(${title}, async () => {
  const call = ${call};
  const caller = ${agent}.with({ model: new ScriptedModel([{ toolCalls: [call] }, "Done."]) });
  const first = await run(caller, ${question}${options});
  const approvals = first.pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" as const }));
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

/** A name that code can have. */
function identifierOf(agent: string): string {
  const words = agent.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const name = words
    .map((word, index) => (index === 0 ? word[0]?.toLowerCase() : word[0]?.toUpperCase()) + word.slice(1))
    .join("");
  return /^\p{L}/u.test(name) ? name : `agent${name}`;
}

/** The context as code; `undefined` for none, and for what is not plain data. */
function contextText(context: unknown): string | undefined {
  if (!isPlainObject(context) || Object.keys(context).length === 0) return undefined;
  try {
    return JSON.stringify(context);
  } catch {
    return undefined;
  }
}
