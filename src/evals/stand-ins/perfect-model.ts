import type { AnyAgent } from "../../agent/agent.ts";
import type { Model, ModelRequest, ToolSpec } from "../../model/types.ts";
import { defaultMaxTurns } from "../../run/turn/limit-reached.ts";
import { type ExpectedCall, exampleOf } from "../expectations.ts";
import { toolOf } from "../made-calls.ts";
import type { EvalCase, EvalRunOptions } from "../types.ts";
import { type Move, playingModel } from "./playing-model.ts";
import { handoffTo, lists, nextOnTheWay, targetOf, turnsNeeded } from "./route.ts";
import { sampleArguments } from "./sample-value.ts";

/**
 * A model that does what a case states: makes the calls, handing over to the agent that has the tool, passes the lead to the expected
 * agent, and answers with the expected text or output. It shows that the cases can be passed, and that the agents and tools work.
 * What a case does not state it makes up (arguments that are required), and judges have to be scripted: give such a case a
 * `perfect` of its own.
 *
 * `runEval(evaluation, { model: perfectModel })`
 *
 * @param run The options of the evaluation's runs: calls that one answer each would take beyond `maxTurns` share an answer.
 */
export function perfectModel(evalCase: EvalCase, agent: AnyAgent, run: EvalRunOptions = {}): Model {
  if (evalCase.perfect) return evalCase.perfect();
  const { maxTurns = defaultMaxTurns } = run;
  const open = [...expectedCalls(evalCase)];
  let leader = agent;
  return playingModel("perfect", (request): Move => {
    const offered = new Map((request.tools ?? []).map((spec) => [spec.name, spec]));
    const call = (tool: string, args: unknown): Exclude<Move, string>[number] => {
      leader = targetOf(tool, leader) ?? leader;
      return { tool, arguments: sampleArguments(offered.get(tool), args) };
    };
    const towards = (isThere: (agent: AnyAgent) => boolean): Move | undefined => {
      const next = nextOnTheWay(leader, isThere);
      return next && offered.has(handoffTo(next)) ? [call(handoffTo(next), {})] : undefined;
    };
    const [next] = open;
    if (next !== undefined) {
      const tool = toolOf(next);
      if (!offered.has(tool)) {
        const move = towards((each) => lists(each, tool)) ?? towards(({ name }) => name === evalCase.agent);
        return move ?? `No agent that can be reached has the tool ${tool}.`;
      }
      const turnsLeft = maxTurns - turnsTaken(request);
      const fits = turnsNeeded(leader, open.map(toolOf), evalCase.agent) <= turnsLeft;
      const count = fits && !isAnyOrder(evalCase) ? 1 : sharedBy(open, offered, leader, request);
      return open.splice(0, count).map((each) => call(toolOf(each), exampleArguments(each)));
    }
    const last = leader.name === evalCase.agent ? undefined : towards(({ name }) => name === evalCase.agent);
    return last ?? answer(evalCase, request);
  });
}

/** The answers of the model since the user's last message. */
function turnsTaken({ messages }: ModelRequest): number {
  const at = messages.findLastIndex((message) => message.role === "user" && !message.correction);
  return messages.slice(at + 1).filter(({ role }) => role === "assistant").length;
}

/** How many of the next calls one answer can make: those of the agent's own tools, a handoff being the last. */
function sharedBy(
  open: readonly ExpectedCall[],
  offered: ReadonlyMap<string, ToolSpec>,
  leader: AnyAgent,
  { parallelToolCalls }: ModelRequest,
): number {
  if (parallelToolCalls === false) return 1;
  const foreign = open.findIndex((each) => !offered.has(toolOf(each)));
  const handoff = open.findIndex((each) => targetOf(toolOf(each), leader) !== undefined);
  return Math.min(foreign < 0 ? open.length : foreign, handoff < 0 ? open.length : handoff + 1);
}

function isAnyOrder({ calls = [] }: EvalCase): boolean {
  return "anyOrder" in calls;
}

/** The calls that a case expects, in an order that does. */
export function expectedCalls({ calls = [] }: EvalCase): readonly ExpectedCall[] {
  if ("anyOrder" in calls) return calls.anyOrder;
  return "include" in calls ? calls.include : calls;
}

function exampleArguments(expected: ExpectedCall): unknown {
  if (typeof expected === "string") return {};
  return expected.example ?? (expected.arguments === undefined ? {} : exampleOf(expected.arguments));
}

function answer({ text, output }: EvalCase, request: ModelRequest): string {
  if (request.output) return JSON.stringify(sampleArguments(asSpec(request), outputOf(output, request)));
  const all = text === undefined ? [] : typeof text === "string" || text instanceof RegExp ? [text] : text;
  return all.map((each) => (typeof each === "string" ? each : plainest(each))).join(" ") || "Done.";
}

/** An output that is not an object is requested as the only property of one. */
function outputOf(output: EvalCase["output"], { output: format }: ModelRequest): unknown {
  const example = output === undefined ? undefined : exampleOf(output);
  const properties = format?.schema["properties"];
  const [only, ...others] = Object.keys(
    typeof properties === "object" && properties !== null ? properties : {},
  );
  const isObject = typeof example === "object" && example !== null && !Array.isArray(example);
  return isObject || only === undefined || others.length > 0 ? example : { [only]: example };
}

function asSpec({ output }: ModelRequest): { name: string; inputSchema: Readonly<Record<string, unknown>> } {
  return { name: output?.name ?? "", inputSchema: output?.schema ?? {} };
}

/** A text that the expression probably matches: its own letters, the first of its alternatives. */
function plainest({ source }: RegExp): string {
  const unescaped = source
    .replaceAll(/\\[bB]|[\^$]/g, "")
    .replaceAll(/\(\?[:=!<]*/g, "(")
    .replaceAll(/\\d[+*]?/g, "1")
    .replaceAll(/\\s[+*]?/g, " ")
    .replaceAll(/\.[+*]\??/g, " ")
    .replaceAll(/\\(.)/g, "$1");
  const first = unescaped.replaceAll(/\(([^()|]*)(?:\|[^()]*)?\)/g, "$1").split("|")[0] ?? "";
  return first.replaceAll(/[?*+]/g, "");
}
