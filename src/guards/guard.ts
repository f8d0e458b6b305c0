import type { StepMiddleware } from "../tool/step-middleware.ts";
import { aroundModel } from "./around-model.ts";
import { aroundTool } from "./around-tool.ts";
import type { GuardChecks, GuardOptions } from "./checks.ts";
import { readSettings } from "./settings.ts";

/**
 * A middleware that judges what goes into a run, through it and out of it. A check that says why not ends the run with the status
 * `"blocked"`; one that fails, or takes too long, fails the run: nothing passes that was not checked. Works in the list of a run, which
 * includes the runs within it, and in that of an agent.
 * @param checks - What it judges: at least one.
 * @throws ConfigurationError (`invalid-option`)
 */
export function guard(checks: GuardChecks, options: GuardOptions = {}): StepMiddleware {
  const settings = readSettings(checks, options);
  const { input, output, tool, result } = settings.checks;
  return {
    ...(output && { wholeAnswers: true }),
    ...((input ?? output) && { model: aroundModel(settings) }),
    ...((tool ?? result ?? output) && { tool: aroundTool(settings) }),
  };
}
