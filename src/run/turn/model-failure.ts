import { ModelError, SkeinError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { copyError } from "../../model/secrets.ts";
import { redactKeys } from "../../base/util/redact-keys.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** The error to throw for a failed model call: typed, and without the secrets of the caller. */
export function modelFailure(run: ActiveRun, { provider, modelId }: Model, error: unknown): unknown {
  if (error instanceof SkeinError || run.config.scope.isCancelled) return error;
  const message = `${provider}:${modelId} failed: ${safeMessage(error)}`;
  return new ModelError(message, "model-failed", { provider, modelId, cause: copyError(error, redactKeys) });
}
