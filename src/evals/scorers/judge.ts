import type { Model } from "../../model/types.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { askJudge, type JudgeQuestion, shownConversation } from "../ask-judge.ts";
import type { Score, Scorer, ScorerTools } from "../types.ts";
import { scorer } from "./verdict.ts";

/** Who judges. */
export interface JudgeOptions {
  /** The evaluation's judge by default. */
  readonly model?: Model | string;
  /** How often the judge model is called, an odd number: the majority decides. Once by default. */
  readonly votes?: number;
}

const optionNames = { model: true, votes: true } satisfies Record<keyof JudgeOptions, true>;

const yesOrNo: readonly string[] = ["yes", "no"];

/**
 * A model decides whether the conversation keeps to a rubric.
 * @param rubric what has to hold, each in a sentence; all of them for a list.
 * @throws ConfigurationError unless the votes are odd.
 */
export function judge(rubric: string | readonly string[], options: JudgeOptions = {}): Scorer {
  const rules = typeof rubric === "string" ? [rubric] : rubric;
  assertOptions(options, "judge()");
  return scorer("judge", (transcript, tools) =>
    vote(
      {
        instructions:
          "You judge how an assistant handled a conversation. Answer yes only if every rule holds, whatever else is good.",
        material: { rules, conversation: shownConversation(transcript) },
        answers: yesOrNo,
      },
      options,
      tools,
    ),
  );
}

/**
 * A model decides whether the last answer means the same, in whatever words.
 * @throws ConfigurationError unless the votes are odd.
 */
export function means(expected: string, options: JudgeOptions = {}): Scorer {
  assertOptions(options, "means()");
  return scorer("meaning", ({ text }, tools) =>
    vote(
      {
        instructions:
          "You compare an answer with what it should say. Answer yes if it says that, in whatever words, and nothing that contradicts it.",
        material: { expected, answer: text },
        answers: yesOrNo,
      },
      options,
      tools,
    ),
  );
}

/** The share of votes for it; it passes with more than half. */
async function vote(question: JudgeQuestion, options: JudgeOptions, tools: ScorerTools): Promise<Score> {
  const { votes = 1, model } = options;
  const verdicts = await Promise.all(Array.from({ length: votes }, () => askJudge(question, model, tools)));
  const share = verdicts.filter(({ answer }) => answer === "yes").length / votes;
  const pass = share > 0.5;
  const decisive = verdicts.find(({ answer }) => (answer === "yes") === pass);
  return { score: share, pass, ...(decisive && { reason: decisive.reason }) };
}

function assertOptions(options: JudgeOptions, place: string): void {
  assertKnownOptions(options, optionNames, place);
  const { votes = 1 } = options;
  if (Number.isInteger(votes) && votes > 0 && votes % 2 === 1) return;
  throw invalidOption(`votes must be an odd number, so that there is a majority, not ${votes}.`, {
    option: "votes",
  });
}
