import { askJudge } from "../ask-judge.ts";
import type { EvalCase, Scorer } from "../types.ts";
import type { JudgeOptions } from "./judge.ts";
import { scorer } from "./verdict.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** What an answer is compared with. */
export interface PairwiseOptions extends Pick<JudgeOptions, "model"> {
  /** The other answer, or how to find it for a case: in earlier results, say. */
  readonly against: string | ((evalCase: EvalCase) => string);
  /** What makes an answer the better one. */
  readonly criteria?: string;
}

const optionNames = {
  against: true,
  criteria: true,
  model: true,
} satisfies Record<keyof PairwiseOptions, true>;

/** What each answer of the judge counts, where our answer stands first. */
const firstWins: ReadonlyMap<string, number> = new Map([
  ["first", 1],
  ["tie", 0.5],
  ["second", 0],
]);

/**
 * A model says whether the last answer or another one is better. It is called twice, with the two in either order, since judges
 * lean to one side: 1 for two wins, 0.5 for as many wins as losses; half passes.
 */
export function pairwise(options: PairwiseOptions): Scorer {
  assertKnownOptions(options, optionNames, "pairwise()");
  const { against, criteria, model } = options;
  return scorer("pairwise", async ({ text, case: evalCase, messages }, tools) => {
    const other = typeof against === "string" ? against : against(evalCase);
    const question = messages.find(({ role }) => role === "user");
    const ask = async (first: string, second: string): Promise<{ points: number; reason: string }> => {
      const { answer, reason } = await askJudge(
        {
          instructions: `You compare two answers to a user. ${criteria ?? "The better one is more correct and more helpful."} Answer tie if neither is better.`,
          material: { user: question && "content" in question ? question.content : "", first, second },
          answers: [...firstWins.keys()],
        },
        model,
        tools,
      );
      return { points: firstWins.get(answer) ?? 0, reason };
    };
    const [asFirst, asSecond] = await Promise.all([ask(text, other), ask(other, text)]);
    const score = (asFirst.points + 1 - asSecond.points) / 2;
    return { score, pass: score >= 0.5, reason: `${asFirst.reason} / ${asSecond.reason}` };
  });
}
