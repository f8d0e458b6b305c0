import { Agent } from "../../agent/agent.ts";
import { ConfigurationError } from "../../errors.ts";
import { tool } from "../../tool/define.ts";
import type { Tool } from "../../tool/types.ts";
import { canonicalJson } from "../../base/util/canonical-json.ts";
import { isPlainObject, type JsonValue } from "../../base/util/json.ts";
import { toJson } from "../../base/util/to-json.ts";
import { isLike } from "../likeness.ts";
import { scorer, verdict } from "../scorers/verdict.ts";
import { playingModel } from "../stand-ins/playing-model.ts";
import type { EvalCase, Transcript, World } from "../types.ts";
import type { BfclCall } from "./compare-calls.ts";
import type { BfclAnswer, BfclEntry, BfclFunction } from "./format.ts";
import { jsonSchemaOf, legalNames } from "./functions.ts";
import { parsePythonCall } from "./python-call.ts";
import { categoryOf } from "./single-turn.ts";

/** What the functions of a multi-turn entry do, for one conversation. */
export interface BfclEnvironment {
  /** Calls a function by its name, and returns its result. */
  call(name: string, args: Readonly<Record<string, unknown>>): unknown;
  /** Whatever the calls may have changed. */
  state(): unknown;
}

/** Makes what the functions of an entry work on, afresh: `initialConfig` says what there is. */
export type BfclWorld = (entry: BfclEntry) => BfclEnvironment;

/** Said where an entry has nothing to say but that functions were added. */
const moreFunctions = "There are more functions now. Can you do it with them?";

/** How far one conversation has come, and what was there after each turn. */
class TurnLog {
  turn = 0;
  readonly results: JsonValue[][] = [[]];
  readonly states: JsonValue[] = [];
}

/** A conversation of several turns, each with calls that have to be made. */
export interface MultiTurnCase {
  readonly evalCase: EvalCase & { readonly name: string };
  /** A world for one run of it. */
  readonly setup: () => World;
}

/**
 * Without an environment, each turn's calls have to be made by the end of it; functions then answer nothing of use. With one,
 * what counts is what the leaderboard looks at: after each turn the state is what the right calls lead to, and their results
 * are among those of the calls made so far. Where a turn has no right call, none must be made.
 * @throws ConfigurationError (`bfcl-file`)
 */
export function multiTurnCase(
  entry: BfclEntry,
  answer: BfclAnswer | undefined,
  described: readonly BfclFunction[],
  world: BfclWorld | undefined,
): MultiTurnCase {
  const functions = described.filter(({ name }) => !entry.excluded.includes(name));
  const names = legalNames(functions.map(({ name }) => name));
  const turns = rightTurns(entry, answer, functions);
  const lines = entry.question.map((messages) => messages.map(({ content }) => content).join("\n"));
  const evalCase = {
    name: entry.id,
    input: lines[0] || moreFunctions,
    tags: [categoryOf(entry)],
    scorers: [
      scorer("bfcl", (transcript) => {
        const callsByTurn = madeByTurn(transcript, names.original);
        const log = logOf(transcript);
        const problem =
          idleProblem(turns, callsByTurn) ??
          (world && log
            ? worldProblem(turns, log, world(entry))
            : turnProblem(turns, callsByTurn, functions));
        return verdict(problem === undefined, () => problem ?? "");
      }),
    ],
    perfect: () => {
      const left = turns.map((calls) => [...calls]);
      return playingModel("perfect", ({ messages }) => {
        const turn = messages.filter(({ role }) => role === "user").length - 1;
        // All of a turn's calls in one answer: one call for each answer would meet the limit of model calls.
        const calls = left[turn]?.splice(0) ?? [];
        return calls.length > 0
          ? calls.map(({ name, arguments: args }) => ({ tool: names.legal(name), arguments: asObject(args) }))
          : "Done.";
      });
    },
    wrong: () => playingModel("wrong", () => "…"),
  };
  return {
    evalCase,
    setup: () => {
      const log = new TurnLog();
      const environment = world?.(entry);
      const finishTurn = (): void => void log.states.push(toJson(environment?.state()).value);
      const tools = functions.map((each) =>
        toolFor(each, names.legal(each.name), (args) => {
          const value = environment ? environment.call(each.name, args) : { status: "done" };
          log.results[log.turn]?.push(toJson(value).value);
          return value;
        }),
      );
      return {
        agent: new Agent({
          name: "assistant",
          tools: [
            {
              name: "functions",
              tools: () => tools.filter((_, index) => isThere(entry, functions[index]?.name ?? "", log.turn)),
            },
          ],
        }),
        context: { log },
        user: () => {
          finishTurn();
          log.turn += 1;
          log.results.push([]);
          return log.turn < lines.length ? lines[log.turn] || moreFunctions : undefined;
        },
      };
    },
  };
}

function toolFor(
  each: BfclFunction,
  name: string,
  execute: (args: Readonly<Record<string, unknown>>) => unknown,
): Tool {
  return tool({
    name,
    ...(each.description !== undefined && { description: each.description }),
    input: jsonSchemaOf(each),
    execute: (args: unknown) => execute(asObject(args)),
  });
}

/** Whether a function is not held back at that turn. */
function isThere({ missed }: BfclEntry, name: string, turn: number): boolean {
  return Object.entries(missed).every(([from, withheld]) => turn >= Number(from) || !withheld.includes(name));
}

/** The calls of each turn, arguments by name. */
function rightTurns(
  { id }: BfclEntry,
  answer: BfclAnswer | undefined,
  functions: readonly BfclFunction[],
): readonly (readonly BfclCall[])[] {
  if (!answer?.every((turn): turn is readonly string[] => Array.isArray(turn)))
    throw new ConfigurationError(`bfcl(): ${id} has no answer of several turns.`, {
      code: "bfcl-file",
      data: { id },
    });
  return answer.map((turn) =>
    turn.map((text) => {
      const { name, positional, named } = parsePythonCall(text);
      const keys = Object.keys(functions.find((each) => each.name === name)?.parameters.properties ?? {});
      const first = positional.map((value, index) => [keys[index] ?? String(index), value] as const);
      return { name, arguments: { ...Object.fromEntries(first), ...named } };
    }),
  );
}

function madeByTurn(
  { calls }: Transcript,
  original: (name: string) => string,
): ReadonlyMap<number, readonly BfclCall[]> {
  const executed = calls.filter(
    ({ outcome }) => outcome !== "invalid-arguments" && outcome !== "unknown-tool",
  );
  const named = executed.map((call) => ({
    turn: call.message,
    name: original(call.tool),
    arguments: call.arguments,
  }));
  return Map.groupBy(named, ({ turn }) => turn);
}

function idleProblem(
  turns: readonly (readonly BfclCall[])[],
  callsByTurn: ReadonlyMap<number, readonly BfclCall[]>,
): string | undefined {
  for (const [index, right] of turns.entries()) {
    const calls = callsByTurn.get(index) ?? [];
    if (right.length > 0 && calls.length === 0) return `turn ${index + 1}: no call is made`;
    if (right.length === 0 && calls.length > 0)
      return `turn ${index + 1}: ${calls.map(({ name }) => name).join(", ")} called, where nothing can be done`;
  }
  return undefined;
}

/** The calls are compared, with the defaults of what is left out: each right one is among those made so far. */
function turnProblem(
  turns: readonly (readonly BfclCall[])[],
  callsByTurn: ReadonlyMap<number, readonly BfclCall[]>,
  functions: readonly BfclFunction[],
): string | undefined {
  const left: BfclCall[] = [];
  for (const [index, right] of turns.entries()) {
    left.push(...(callsByTurn.get(index) ?? []));
    for (const call of right) {
      const wanted = withDefaults(call, functions);
      const matchIndex = left.findIndex(
        (each) => each.name === call.name && isLike(withDefaults(each, functions), wanted),
      );
      if (matchIndex < 0)
        return `turn ${index + 1}: ${call.name}(${JSON.stringify(call.arguments)}) is not called; open: ${left.map(({ name, arguments: args }) => `${name}(${JSON.stringify(args)})`).join(", ") || "none"}`;
      left.splice(matchIndex, 1);
    }
  }
  return undefined;
}

function withDefaults({ name, arguments: args }: BfclCall, functions: readonly BfclFunction[]): object {
  const { properties = {} } = functions.find((each) => each.name === name)?.parameters ?? {};
  const defaults = Object.entries(properties).flatMap(([key, type]) =>
    type["default"] === undefined ? [] : [[key, type["default"]] as const],
  );
  return { ...Object.fromEntries(defaults), ...asObject(args) };
}

/** The right calls, made in a world of their own, lead to the same states, and to results that the model's calls had, too. */
function worldProblem(
  turns: readonly (readonly BfclCall[])[],
  log: TurnLog,
  environment: BfclEnvironment,
): string | undefined {
  const open: string[] = [];
  for (const [index, right] of turns.entries()) {
    open.push(...(log.results[index] ?? []).map(canonicalJson));
    const results = right.map((call) =>
      canonicalJson(toJson(environment.call(call.name, asObject(call.arguments))).value),
    );
    if (right.length === 0) continue;
    if (canonicalJson(log.states[index]) !== canonicalJson(toJson(environment.state()).value))
      return `turn ${index + 1}: the state is not what the right calls lead to`;
    const left = [...open];
    for (const each of results) {
      const matchIndex = left.indexOf(each);
      if (matchIndex < 0) return `turn ${index + 1}: no call had the result ${each.slice(0, 200)}`;
      left.splice(matchIndex, 1);
    }
  }
  return undefined;
}

function logOf({ context }: Transcript): TurnLog | undefined {
  const log = isPlainObject(context) ? context["log"] : undefined;
  return log instanceof TurnLog ? log : undefined;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
