import type { ToolContext } from "skein";
import { got, gotContext, type Session } from "./witness.ts";

/** Notes each call of a method. */
function logged<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
  _context: ClassMethodDecoratorContext,
): (this: This, ...args: Args) => Result {
  return function (this: This, ...args: Args): Result {
    return method.apply(this, args);
  };
}

/** A clerk. */
export class Clerk {
  /**
   * File a letter.
   * @param copies - How many @minimum 1
   */
  @logged
  file(letter: string, copies = 1): string {
    return got(letter, copies);
  }

  /** Stamp a letter. */
  @logged
  stamp(caller: ToolContext<Session>, text: string): string {
    gotContext(caller.context);
    return got(caller.context.user, text);
  }
}
