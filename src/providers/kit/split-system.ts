import type { Message } from "../../message/messages.ts";

/** A history whose leading system messages are joined with the instructions. */
export interface SplitHistory {
  /** The instructions, then the leading system messages; `undefined` if all of them are blank. */
  readonly system: string | undefined;
  /** The history from the first message of another role on. */
  readonly messages: readonly Message[];
}

/** Separates the system text from a history, for APIs that have a field of its own for it. */
export function splitSystem(instructions: string | undefined, history: readonly Message[]): SplitHistory {
  const first = history.findIndex(({ role }) => role !== "system");
  const start = first < 0 ? history.length : first;
  const leading = history
    .slice(0, start)
    .flatMap((message) => (message.role === "system" ? [message.content] : []));
  const texts = [instructions ?? "", ...leading].filter((text) => text.trim() !== "");
  return {
    system: texts.length === 0 ? undefined : texts.join("\n\n"),
    messages: history.slice(start),
  };
}
