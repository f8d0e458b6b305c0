import { historyProgress } from "../../message/history-progress.ts";
import type { Message } from "../../message/messages.ts";
import type { PrefixCache } from "../../base/util/prefix-cache.ts";

/** Reports something that could not be sent as requested. */
export type Warn = (warning: string) => void;

/** Appends a message to the turns of a protocol. It may replace the last turn by a new object, but not change it. */
export type AddMessage<Turn> = (turns: Turn[], message: Message, warn: Warn) => void;

/** Translates histories into the turns of a protocol. What was translated for an earlier request is reused. */
export interface TurnTranslator<Turn> {
  /**
   * @param key - Identifies the target: for one key, the same message must always give the same turns.
   * @param isFinal - Whether a message gives the same turns in every later request, too.
   */
  translate(
    key: string,
    history: readonly Message[],
    add: AddMessage<Turn>,
    options: { readonly warn: Warn; readonly isFinal: (message: Message) => boolean },
  ): readonly Turn[];
}

/** Creates a translator, which remembers how far each history is translated. */
export function turnTranslator<Turn>(): TurnTranslator<Turn> {
  const byKey = new Map<string, PrefixCache<Message, Turn[]>>();
  return {
    translate(key, history, add, options) {
      const progress = byKey.get(key) ?? historyProgress<Turn[]>();
      byKey.set(key, progress);
      const earlier = progress.checkout(history);
      const turns = earlier?.state ?? [];
      // A message with a warning is translated again, so that later requests warn too.
      let isFinal = true;
      const warn: Warn = (warning) => {
        isFinal = false;
        options.warn(warning);
      };
      for (const message of history.slice(earlier?.items.length)) {
        isFinal &&= options.isFinal(message);
        add(turns, message, warn);
      }
      if (isFinal) progress.store(history, turns, earlier);
      return [...turns];
    },
  };
}
