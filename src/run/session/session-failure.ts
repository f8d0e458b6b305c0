import { SkeinError } from "../../errors.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import { safeMessage } from "../../base/util/error-message.ts";

/** @throws SkeinError (`session-failed`) for whatever a store throws that is not a SkeinError. */
export async function orFail<T>(what: "read" | "written", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkeinError) throw error;
    throw new SkeinError(`The session could not be ${what}: ${safeMessage(error)}`, {
      code: "session-failed",
      cause: withoutSecrets(error),
    });
  }
}
