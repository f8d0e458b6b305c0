/** A world as data: what the models of a team call, what the tools call in turn, and what a person decides. */
import type { Random } from "../../../src/testing/conformance/random.ts";

/** Tools that have an effect and call nothing else. */
export const leafTools = [
  "plain",
  "pay",
  "limited",
  "lookup",
  "queue",
  "secret",
  "fail",
  "flaky",
  "note",
  "steps",
  "outside",
  "after",
  "last",
  "large",
  "late",
] as const;
/** Tools that call other tools, which are `calls` of their plan. */
export const callingTools = [
  "wrap",
  "payWrap",
  "cachedWrap",
  "queueWrap",
  "secretWrap",
  "flakyWrap",
  "stepsWrap",
] as const;
/** Tools that run an agent, whose answers are `turns` of their plan. */
export const agentTools = ["agent", "typedAgent", "runner"] as const;
/** Tools of the team, and calls that no tool takes. */
export const otherTools = ["transfer", "pass", "invalid", "unknown"] as const;

export type LeafTool = (typeof leafTools)[number];
export type CallingTool = (typeof callingTools)[number];
export type AgentTool = (typeof agentTools)[number];
export type ToolKind = LeafTool | CallingTool | AgentTool | (typeof otherTools)[number];

/** One call: of a model, or of a tool. */
export interface CallPlan {
  /** Begins with the id of the call, or of the goal, that it is made in. */
  readonly id: string;
  readonly tool: ToolKind;
  readonly n: number;
  /** The call of the same answer whose result is the argument `x`. */
  readonly reference?: string;
  readonly calls: readonly CallPlan[];
  readonly turns: readonly Turn[];
  readonly manner: "sequence" | "together";
  /** Whether the tool returns what it calls failed with, rather than fail itself. */
  readonly catches: boolean;
  readonly decision: "approve" | "deny" | "edit";
}
export type Turn = readonly CallPlan[];

/** What a user says, and the answers of the agents that follow. */
export interface Goal {
  readonly id: string;
  readonly turns: readonly Turn[];
}

/** How large worlds are, and what of. */
export interface WorldSize {
  readonly depth: number;
  readonly turns: number;
  readonly calls: number;
  readonly tools: readonly ToolKind[];
}

const calling: readonly string[] = callingTools;
const running: readonly string[] = agentTools;

function calledBy(random: Random, size: WorldSize, parent: string, depth: number): readonly CallPlan[] {
  const allowed = size.tools.filter(
    (name) => name !== "transfer" && name !== "unknown" && name !== "invalid",
  );
  return Array.from({ length: random.integer(1, 3) }, (_, index) =>
    callOf(random, { ...size, tools: allowed }, `${parent}-w${index}`, depth + 1),
  );
}

function callOf(random: Random, size: WorldSize, id: string, depth: number): CallPlan {
  const deepest = depth >= size.depth;
  const tools = size.tools.filter((name) => !deepest || !(calling.includes(name) || running.includes(name)));
  const tool = random.pick(tools) ?? "plain";
  return {
    id,
    tool,
    n: random.integer(0, 9),
    calls: calling.includes(tool) || tool === "runner" ? calledBy(random, size, id, depth) : [],
    turns: running.includes(tool) ? turnsOf(random, size, id, depth + 1) : [],
    manner: random.pick(["sequence", "together"] as const) ?? "sequence",
    catches: random.integer(0, 2) > 0,
    decision: random.pick(["approve", "approve", "approve", "deny", "edit"] as const) ?? "approve",
  };
}

function turnsOf(random: Random, size: WorldSize, parent: string, depth: number): readonly Turn[] {
  return Array.from({ length: random.integer(1, size.turns) }, (_, turn) => {
    const calls = Array.from({ length: random.integer(1, size.calls) }, (__, index) =>
      callOf(random, size, `${parent}-${turn}${"abcdefgh"[index]}`, depth),
    );
    return calls.map((call, index) => {
      const other = random.integer(0, 3) === 0 && index > 0 ? calls[random.integer(0, index - 1)] : undefined;
      return other ? { ...call, reference: other.id } : call;
    });
  });
}

/** The goal of that id: the same for the same numbers. */
export const goalOf = (random: Random, size: WorldSize, id: string): Goal => ({
  id,
  turns: turnsOf(random, size, id, 1),
});

/** Every call of the goal by its id. */
export function indexCalls(
  turns: readonly Turn[],
  index: Map<string, CallPlan> = new Map<string, CallPlan>(),
): Map<string, CallPlan> {
  const add = (call: CallPlan): void => {
    index.set(call.id, call);
    call.calls.forEach(add);
    indexCalls(call.turns, index);
  };
  turns.flat().forEach(add);
  return index;
}

/** The same goal with one thing less, in all ways: to find the smallest that still fails. */
export function* smallerTurns(turns: readonly Turn[]): Generator<readonly Turn[]> {
  for (const [at, turn] of turns.entries()) {
    // A turn that is left out moves the others forward: their ids stay.
    yield turns.toSpliced(at, 1);
    for (const [place, call] of turn.entries()) {
      if (turn.length > 1) {
        const rest = turn.toSpliced(place, 1).map(({ reference, ...other }) => ({
          ...other,
          ...(reference !== undefined && reference !== call.id && { reference }),
        }));
        yield turns.with(at, rest);
      }
      for (const smaller of smallerCalls(call)) yield turns.with(at, turn.with(place, smaller));
    }
  }
}

function* smallerCalls(call: CallPlan): Generator<CallPlan> {
  for (const turns of smallerTurns(call.turns)) if (turns.length > 0) yield { ...call, turns };
  for (const [place, inner] of call.calls.entries()) {
    yield { ...call, calls: call.calls.toSpliced(place, 1) };
    for (const smaller of smallerCalls(inner)) yield { ...call, calls: call.calls.with(place, smaller) };
  }
  if (call.reference !== undefined) {
    const { reference: _, ...rest } = call;
    yield rest;
  }
  if (call.decision !== "approve") yield { ...call, decision: "approve" };
  if (call.manner !== "sequence") yield { ...call, manner: "sequence" };
}

/** A goal in a few lines, for a person. */
export function describeTurns(turns: readonly Turn[], indent = ""): string {
  return turns
    .map((turn) => `${indent}turn\n${turn.map((call) => describeCall(call, `${indent}  `)).join("")}`)
    .join("");
}

function describeCall(call: CallPlan, indent: string): string {
  const { id, tool, n, reference, manner, catches, decision, calls, turns } = call;
  const details = [
    reference === undefined ? "" : `x=${reference}`,
    decision === "approve" ? "" : decision,
    calls.length > 1 ? manner : "",
    calls.length > 0 && catches ? "catches" : "",
  ].filter((text) => text !== "");
  const within = calls.map((inner) => describeCall(inner, `${indent}  `)).join("");
  return `${indent}${tool}(${id}, ${n}) ${details.join(" ")}\n${describeTurns(turns, `${indent}  `)}${within}`;
}
