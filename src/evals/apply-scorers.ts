import { isPromiseLike } from "../base/util/promise-like.ts";
import { errorMessage } from "../base/util/error-message.ts";
import type { ScoreRecord } from "./results.ts";
import type { Score, Scorer, ScorerTools, Transcript, Verdict } from "./types.ts";

/** Asks each scorer in turn. One that throws has found nothing good, and says why; the others go on. */
export async function applyScorers(
  scorers: readonly Scorer[],
  transcript: Transcript,
  tools: ScorerTools,
): Promise<readonly ScoreRecord[]> {
  const records: ScoreRecord[] = [];
  for (const { name, score } of scorers) {
    let result: Score;
    try {
      result = asScore(await score(transcript, tools));
    } catch (error) {
      result = { score: 0, pass: false, reason: `the scorer failed: ${errorMessage(error)}` };
    }
    records.push({ scorer: name, ...result });
  }
  return records;
}

/** @throws TypeError for what is not a verdict. */
function asScore(verdict: Verdict): Score {
  if (typeof verdict === "boolean") return { score: verdict ? 1 : 0, pass: verdict };
  const score = typeof verdict === "number" ? { score: verdict, pass: verdict >= 0.5 } : verdict;
  if (isPromiseLike(score?.pass)) throw new TypeError("its pass is a promise: await it");
  if (typeof score?.score === "number" && score.score >= 0 && score.score <= 1) return score;
  throw new TypeError("it returned neither a boolean, nor a number from 0 to 1, nor a score with one");
}
