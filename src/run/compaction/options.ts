import type { Message } from "../../message/messages.ts";
import type { Model } from "../../model/types.ts";

/**
 * When and how a history is made shorter. It happens before a model call, and only then: up to that the provider's cache
 * holds. System messages stay, and so do the user's last message and the newest messages; calls and their results are kept
 * or left out together.
 *
 * Tokens are estimated: four characters of ASCII are one, two of other alphabets, one of Chinese and the like; an image or a
 * file is 1,000. Once the provider has reported how many there were, estimates are corrected by it.
 */
export interface Compaction {
  /** The most tokens that a request may have; 100,000 by default. */
  readonly maxTokens?: number;
  /**
   * About how many tokens of the newest messages stay as they are; by default a quarter of what instructions and tools leave of
   * `maxTokens`.
   */
  readonly keep?: number;
  /**
   * Sums up the messages that are left out: `true` for the model that the turn calls, another model, its name, or a function. Without
   * it, a line says how many there were.
   * If it fails, the run warns and goes on with the history as it is. A summary that takes more than half of the room for the
   * history is cut, and the run warns.
   */
  readonly summarize?:
    | true
    | Model
    | string
    | ((messages: readonly Message[], options: { readonly signal: AbortSignal }) => string | Promise<string>);
  /** What is done first, and often is enough: old, large results of tools are replaced by a note. */
  readonly pruneResults?: {
    /** How many of the newest results stay, however large; 3 by default. */
    readonly keepLast?: number;
    /** Results up to this many characters stay; 2,000 by default, 200 at least. */
    readonly maxChars?: number;
  };
}
