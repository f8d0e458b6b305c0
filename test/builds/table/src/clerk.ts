import type { ToolContext } from "skein";
import { got, gotContext, type Session } from "./witness.ts";

/** A clerk. Where decorators are compiled, a file of this name whose methods have some is tried. */
export class Clerk {
  /**
   * File a letter.
   * @param copies - How many @minimum 1
   */
  file(letter: string, copies = 1): string {
    return got(letter, copies);
  }

  /** Stamp a letter. */
  stamp(caller: ToolContext<Session>, text: string): string {
    gotContext(caller.context);
    return got(caller.context.user, text);
  }
}
