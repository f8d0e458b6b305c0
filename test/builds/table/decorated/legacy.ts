import type { ToolContext } from "skein";
import { got, gotContext, type Session } from "./witness.ts";

/** Notes each call of a method. */
function Logged(): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    const method = descriptor.value;
    descriptor.value = function (...args: unknown[]) {
      return method.apply(this, args);
    };
  };
}

/** A clerk. */
export class Clerk {
  /**
   * File a letter.
   * @param copies - How many @minimum 1
   */
  @Logged()
  file(letter: string, copies = 1): string {
    return got(letter, copies);
  }

  /** Stamp a letter. */
  @Logged()
  stamp(caller: ToolContext<Session>, text: string): string {
    gotContext(caller.context);
    return got(caller.context.user, text);
  }
}
