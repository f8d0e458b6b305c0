import { historyProgress } from "../../message/history-progress.ts";
import type { Message } from "../../message/messages.ts";
import type { PrefixCache } from "../../base/util/prefix-cache.ts";

/** Reports something that could not be sent as requested. */
export type Warn = (warning: string) => void;

/** Translates a message into the turns of a protocol, the last of which it may replace by another object. */
export type AddMessage<Turn> = (turns: Turn[], message: Message, warn: Warn) => void;

/** A history as the turns of a protocol. What was translated for an earlier request is not translated again. */
export interface TurnTranslator<Turn> {
  /**
   * @param key - Tells apart whom the history is for: for each key, the same message must give the same turns.
   * @param isFinal - Whether a message gives the same turns in every later request, too.
   */
  translate(
    key: string,
    history: readonly Message[],
    add: AddMessage<Turn>,
    options: { readonly warn: Warn; readonly isFinal: (message: Message) => boolean },
  ): readonly Turn[];
}

/** Makes a translator, which keeps how far histories are translated. */
export function turnTranslator<Turn>(): TurnTranslator<Turn> {
  const byKey = new Map<string, PrefixCache<Message, Turn[]>>();
  return {
    translate(key, history, add, options) {
      const progress = byKey.get(key) ?? historyProgress<Turn[]>();
      byKey.set(key, progress);
      const earlier = progress.checkout(history);
      const turns = earlier?.state ?? [];
      // What is warned of must be warned of again.
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
