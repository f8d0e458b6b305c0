/** The class of `src/clerk.ts`, its types in comments. */
import { got, gotContext } from "./witness.js";

/** @typedef {{ user: string, role: string, token: string }} Session */

/** A clerk. */
export class Clerk {
  /**
   * File a letter.
   * @param {string} letter
   * @param {number} [copies] - How many @minimum 1
   * @public
   */
  file(letter, copies = 1) {
    return got(letter, copies);
  }

  /**
   * Stamp a letter.
   * @param {import("skein").ToolContext<Session>} caller
   * @param {string} text
   * @public
   */
  stamp(caller, text) {
    gotContext(caller.context);
    return got(caller.context.user, text);
  }
}
