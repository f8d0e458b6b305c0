import { MalformedResponseError } from "../errors.ts";
import { longestText } from "../message/longest-text.ts";

/** The model that an answer comes from. */
export interface AnswerSource {
  readonly provider: string;
  readonly modelId: string;
}

/** The error of an answer that is longer than any answer may be. */
export function answerTooLong({ provider, modelId }: AnswerSource): MalformedResponseError {
  return new MalformedResponseError(
    `${provider}:${modelId} answered with more than ${longestText} characters, and was not read to the end.`,
    { provider, modelId },
  );
}

/** The error of an answer whose data cannot be written as JSON again. */
export function answerTooDeep({ provider, modelId }: AnswerSource, cause: unknown): MalformedResponseError {
  return new MalformedResponseError(
    `${provider}:${modelId} sent data that is nested too deep to be kept, and was not read to the end.`,
    { provider, modelId, cause },
  );
}
