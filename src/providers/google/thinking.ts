import type { ModelSettings } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import type { Warn } from "../kit/turns.ts";
import type { ThinkingControl, ThinkingLevel } from "./capabilities.ts";

type ReasoningEffort = NonNullable<ModelSettings["reasoningEffort"]>;

const efforts: readonly ReasoningEffort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The share of the largest budget that a model may think for. */
const budgetShares = {
  minimal: 0.05,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.9,
  max: 1,
} as const satisfies Record<Exclude<ReasoningEffort, "none">, number>;

/** Translates `reasoningEffort` into `thinkingConfig`, with a warning if the model does not support it. */
export function thinkingConfig(
  effort: ReasoningEffort | undefined,
  control: ThinkingControl,
  warn: Warn,
): JsonObject | undefined {
  if (effort === undefined) return undefined;
  switch (control.kind) {
    case "none":
      if (effort !== "none") warn("This model does not support thinking: reasoningEffort is left out.");
      return undefined;
    case "level":
      return { thinkingLevel: levelFor(effort, control.levels, warn), includeThoughts: effort !== "none" };
    case "budget":
      return budgetFor(effort, control, warn);
  }
}

/** The level with the name of the effort, else the next higher one, else the highest. */
function levelFor(effort: ReasoningEffort, levels: readonly ThinkingLevel[], warn: Warn): string {
  const exact = levels.find((level) => level === effort);
  if (exact) return exact;
  const above = levels.find((level) => efforts.indexOf(level) > efforts.indexOf(effort));
  const level = above ?? levels.at(-1) ?? "high";
  warn(
    effort === "none"
      ? `This model always thinks: reasoningEffort is sent as ${level}.`
      : `This model does not support the reasoningEffort ${effort}: it is sent as ${level}.`,
  );
  return level;
}

function budgetFor(
  effort: ReasoningEffort,
  { least, most, canBeOff }: Extract<ThinkingControl, { kind: "budget" }>,
  warn: Warn,
): JsonObject {
  if (effort !== "none") {
    return {
      thinkingBudget: Math.max(least, Math.floor(most * budgetShares[effort])),
      includeThoughts: true,
    };
  }
  if (canBeOff) return { thinkingBudget: 0 };
  warn(`This model always thinks: reasoningEffort is sent as a budget of ${least} tokens.`);
  return { thinkingBudget: least };
}
