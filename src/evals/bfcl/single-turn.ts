import { Agent } from "../../agent/agent.ts";
import { ConfigurationError } from "../../errors.ts";
import { tool } from "../../tool/define.ts";
import { scorer, verdict } from "../scorers/verdict.ts";
import { playingModel } from "../stand-ins/playing-model.ts";
import type { EvalCase, Scorer, Transcript } from "../types.ts";
import { argumentsOf, type BfclCall, callsProblem, type RightCall } from "./compare-calls.ts";
import type { BfclAnswer, BfclEntry, BfclType } from "./format.ts";
import { jsonSchemaOf, legalNames, type LegalNames } from "./functions.ts";

/** A case, and the agent that it is for. */
export interface BfclCase {
  readonly evalCase: EvalCase & { readonly name: string };
  readonly agent: Agent;
}

/**
 * A question that one answer settles: which functions to call, with what.
 * @throws ConfigurationError (`bfcl-file`) if its answer is missing, or is one of several turns.
 */
export function singleTurnCase(entry: BfclEntry, answer: BfclAnswer | undefined): BfclCase {
  const names = legalNames(entry.functions.map(({ name }) => name));
  const expected = rightCalls(entry, answer);
  return {
    agent: new Agent({
      name: "assistant",
      tools: entry.functions.map((each) =>
        tool({
          name: names.legal(each.name),
          ...(each.description !== undefined && { description: each.description }),
          input: jsonSchemaOf(each),
        }),
      ),
    }),
    evalCase: {
      name: entry.id,
      input: entry.question.flat(),
      tags: [categoryOf(entry)],
      scorers: [scorerFor(entry, expected, names)],
      perfect: () =>
        playingModel("perfect", ({ tools = [] }) => {
          const [first] = tools;
          if (isRelevance(entry) && first) return [{ tool: first.name, arguments: {} }];
          const calls = expected.flatMap((call) =>
            Object.entries(call).map(([name, allowed]) => ({
              tool: names.legal(name),
              arguments: argumentsOf(allowed, parametersOf(entry, name)),
            })),
          );
          return calls.length > 0 ? calls : "None of these functions helps.";
        }),
      wrong: () =>
        playingModel("wrong", ({ tools = [] }) => {
          const [first] = tools;
          return expected.length > 0 || isRelevance(entry) || !first
            ? "…"
            : [{ tool: first.name, arguments: {} }];
        }),
    },
  };
}

function parametersOf({ functions }: BfclEntry, name: string): BfclType {
  return functions.find((each) => each.name === name)?.parameters ?? {};
}

/** The category is what stands before the number. */
export function categoryOf({ id }: Pick<BfclEntry, "id">): string {
  return id.replace(/_\d+(?:-\d+)*$/, "");
}

function scorerFor(entry: BfclEntry, expected: readonly RightCall[], names: LegalNames): Scorer {
  return scorer("bfcl", ({ calls }: Transcript) => {
    const actual = calls.map(({ tool, arguments: args }): BfclCall => ({
      name: names.original(tool),
      arguments: args,
    }));
    if (isRelevance(entry)) return verdict(actual.length > 0, () => "no function is called");
    const problem = callsProblem(entry.functions, actual, expected);
    return verdict(problem === undefined, () => problem ?? "");
  });
}

function rightCalls(entry: BfclEntry, answer: BfclAnswer | undefined): readonly RightCall[] {
  if (answer === undefined && /(?:ir)?relevance/.test(entry.id)) return [];
  const calls = answer?.filter((call): call is RightCall => !Array.isArray(call));
  if (calls !== undefined && calls.length === answer?.length) return calls;
  throw new ConfigurationError(
    `bfcl(): ${entry.id} has ${answer ? "an answer of several turns" : "no answer. Pass the file of possible answers for these questions"}.`,
    { code: "bfcl-file", data: { id: entry.id } },
  );
}

/** Whether any call will do. */
function isRelevance({ id }: BfclEntry): boolean {
  return /(?:^|_)relevance_/.test(id);
}
