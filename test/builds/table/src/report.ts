/** What comes of the table where this program runs. */
import { run, type Agent, type ToolSpec } from "skein";
import { ScriptedModel } from "skein/testing";
import type { Case, CaseReport } from "./case.ts";
import { contextCases } from "./context-cases.ts";
import { decoratedCases } from "./decorated-cases.ts";
import { functionCases } from "./function-cases.ts";
import { hostileArguments } from "./hostile.ts";
import { objectCases } from "./object-cases.ts";
import { wrapperCases } from "./wrapper-cases.ts";
import { session, takeWitnessed } from "./witness.ts";

/** What comes of every case. */
export async function report(): Promise<readonly CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const one of [...functionCases, ...contextCases, ...objectCases, ...decoratedCases, ...wrapperCases])
    reports.push(await tryCase(one));
  return reports;
}

async function tryCase(one: Case): Promise<CaseReport> {
  const { title, receives, needsNoTypes = false } = one;
  try {
    const agent = one.agent();
    const { tools, received, warnings } = await callOnce(agent, one);
    const hostile = await callHostilely(agent, one, tools);
    return { title, needsNoTypes, tools, warnings, received, receives, hostile };
  } catch (error) {
    const { injected, forged } = takeWitnessed();
    const refused = error instanceof Error ? error.message : String(error);
    const hostile = { calls: 0, injected, forged };
    return { title, needsNoTypes, tools: [], warnings: [], refused, received: [], receives, hostile };
  }
}

/** A model that sees the tools and makes a valid call. */
async function callOnce(
  agent: Agent<typeof session>,
  { toolName, arguments: args }: Case,
): Promise<Pick<CaseReport, "tools" | "received" | "warnings">> {
  const tools: ToolSpec[] = [];
  const model = new ScriptedModel([
    (request) => {
      tools.push(...(request.tools ?? []));
      return { toolCalls: [{ toolName, arguments: args }] };
    },
    "Done.",
  ]);
  const { warnings } = await run(agent, "Go.", { model, context: session, executeTools: true, maxTurns: 1 });
  return { tools, received: takeWitnessed().received, warnings };
}

/** A model that calls every tool with contexts of its own. */
async function callHostilely(
  agent: Agent<typeof session>,
  { toolName, arguments: valid }: Case,
  tools: readonly ToolSpec[],
): Promise<CaseReport["hostile"]> {
  const toolCalls = tools.flatMap((spec) =>
    hostileArguments(spec, spec.name === toolName ? valid : {}).map((args) => ({
      toolName: spec.name,
      arguments: args,
    })),
  );
  const model = new ScriptedModel([{ toolCalls }, "Done."]);
  await run(agent, "Go.", { model, context: session, maxTurns: 1 });
  const { injected, forged } = takeWitnessed();
  return { calls: toolCalls.length, injected, forged };
}
