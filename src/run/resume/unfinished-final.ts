import { resultText } from "../../executor/finalize.ts";
import type { Message } from "../../message/messages.ts";

/** The text of a result that was to end the run when calls beside it still waited; `undefined` if there is none. */
export function unfinishedFinal(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== "tool") return undefined;
    if (message.result.final) return resultText(message.result);
  }
  return undefined;
}
