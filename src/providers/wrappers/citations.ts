import type { Message } from "../../message/messages.ts";
import { type Citation, citationsIn } from "../kit/citations.ts";
import { partsOfAnswers } from "./parts-of-answers.ts";

/**
 * What answers are based on: pages of the web, passages of files and documents. Pass an answer, or the messages of a run. What has an
 * unknown form is left out.
 */
export function citationsOf(source: Message | readonly Message[]): readonly Citation[] {
  return partsOfAnswers(source).flatMap(citationsIn);
}
