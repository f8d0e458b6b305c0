import { SkeinError } from "../../errors.ts";
import type { JsonObject } from "../../base/util/json.ts";

/**
 * Another run works in this session, or executes the pending calls of this state. Nothing of this run was stored, and
 * nothing was executed. Try again later, or have runs wait for each other with `busy: "wait"`.
 */
export class SessionBusyError extends SkeinError {
  static override readonly name: string = "SessionBusyError";

  constructor(message: string, data?: JsonObject) {
    super(message, { code: "session-busy", data });
  }
}
