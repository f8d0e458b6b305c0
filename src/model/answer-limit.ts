import { MalformedResponseError } from "../errors.ts";
import { longestText } from "../message/longest-text.ts";

/** The model that an answer comes from. */
export interface AnswerSource {
  readonly provider: string;
  readonly modelId: string;
}

/** How many characters a call counts as, in addition to its name and arguments. */
export const callWeight = 4_096;

/** What is wrong with an answer that is longer than any answer may be. */
export const tooLong: string = `answered with more than ${longestText} characters, each call counted as ${callWeight}, and was not read to the end.`;

/** The error of an answer that is longer than any answer may be. */
export function answerTooLong({ provider, modelId }: AnswerSource): MalformedResponseError {
  return new MalformedResponseError(`${provider}:${modelId} ${tooLong}`, { provider, modelId });
}

/** The error of an answer whose data cannot be written as JSON again. */
export function answerTooDeep({ provider, modelId }: AnswerSource, cause: unknown): MalformedResponseError {
  return new MalformedResponseError(
    `${provider}:${modelId} sent data that is nested too deep to be kept, and was not read to the end.`,
    { provider, modelId, cause },
  );
}

/** The most characters that are received of one answer beside its output, envelopes of events left out. */
const mostReceived = 67_108_864;

/** What an event with output may have around it: servers repeat names, ids and counts in each. */
const envelope = 512;

/** The least that an event counts as. */
const leastWeight = 64;

/**
 * Counts what comes of one answer, whatever a decoder makes of it: what is stored until the end is bounded without each part being
 * counted where it is stored. The output itself is counted by `GenerationBuilder`, more strictly.
 */
export class AnswerMeter {
  #room = mostReceived;

  /**
   * Whether the answer may go on.
   * @param length - How many characters an event has.
   * @param hasOutput - Whether it led to events of the model.
   */
  accepts(length: number, hasOutput: boolean): boolean {
    this.#room -= hasOutput ? Math.max(leastWeight, length - envelope) : Math.max(leastWeight, length);
    return this.#room >= 0;
  }
}
