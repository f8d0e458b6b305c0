import type { ModelRequest, ModelSettings } from "../../model/types.ts";
import { type Capabilities, type Effort, effortLevels } from "./capabilities.ts";
import type { Warn } from "../kit/turns.ts";
import type { ThinkingParam } from "./wire.ts";

/** The fields of a request that control thinking. */
export interface Thinking {
  readonly thinking?: ThinkingParam;
  readonly effort?: Effort;
}

/** The other properties of a request that thinking depends on. */
export interface ThinkingContext {
  readonly capabilities: Capabilities;
  readonly maxTokens: number;
  /** Whether `tool_choice` forces a tool call: the API refuses thinking then. */
  readonly isForced: boolean;
  /** Whether the request goes to Anthropic's own API, which supports the beta settings. */
  readonly isFirstParty: boolean;
  /** Whether tool results follow an answer without thinking: the API refuses a thinking budget then. */
  readonly continuesWithoutThinking: boolean;
  readonly warn: Warn;
}

/** The beta that `block_binding` requires. */
export const bindingBeta = "thinking-binding-controls-2026-08-01";

type ReasoningEffort = NonNullable<ModelSettings["reasoningEffort"]>;

/** The share of `max_tokens` that is the thinking budget. */
const budgetShares = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.9,
  max: 0.95,
} as const satisfies Record<Exclude<ReasoningEffort, "none">, number>;

/** The smallest budget that the API accepts. */
const minBudget = 1024;

/** Translates `reasoningEffort` for the model, with a warning if the model does not support it. */
export function thinkingFor(request: ModelRequest, context: ThinkingContext): Thinking {
  const requested = request.settings?.reasoningEffort;
  switch (context.capabilities.thinking) {
    case "adaptive":
      return adaptive(requested, context);
    case "budget":
      return budget(requested, context);
    case "none":
      if (requested !== undefined && requested !== "none")
        context.warn("This model does not support thinking: reasoningEffort is left out.");
      return {};
  }
}

function adaptive(requested: ReasoningEffort | undefined, context: ThinkingContext): Thinking {
  const { capabilities, isForced, warn } = context;
  const { thinkingOff, thinksByDefault, bindsThinking, hidesThinking } = capabilities;
  const off = thinkingOff === undefined || thinkingOff === "omit" ? {} : { thinking: { type: thinkingOff } };
  if (requested === "none" && thinkingOff) return off;
  if (isForced && thinkingOff && (requested !== undefined || thinksByDefault)) {
    if (requested !== undefined)
      warn("The API refuses thinking while toolChoice forces a tool: it is turned off.");
    return { ...off, ...(requested && { effort: atMostHigh(effortOf(requested, context)) }) };
  }
  const binding =
    bindsThinking && context.isFirstParty
      ? { block_binding: { prefix_mismatch_behavior: "drop_block" as const } }
      : {};
  if (requested === undefined)
    return "block_binding" in binding ? { thinking: { type: "adaptive", ...binding } } : {};
  if (requested === "none") warn("This model always thinks: reasoningEffort is sent as low.");
  const display = hidesThinking ? { display: "summarized" as const } : {};
  return { thinking: { type: "adaptive", ...display, ...binding }, effort: effortOf(requested, context) };
}

function effortOf(requested: ReasoningEffort, { capabilities, warn }: ThinkingContext): Effort {
  if (requested === "none") return "low";
  const exact = capabilities.efforts.find((level) => level === requested);
  if (exact) return exact;
  const nearest = requested === "minimal" ? "low" : "high";
  warn(`This model does not support the reasoningEffort ${requested}: it is sent as ${nearest}.`);
  return nearest;
}

function atMostHigh(effort: Effort): Effort {
  return effortLevels.indexOf(effort) > effortLevels.indexOf("high") ? "high" : effort;
}

function budget(requested: ReasoningEffort | undefined, context: ThinkingContext): Thinking {
  if (requested === undefined || requested === "none") return {};
  const obstacle = obstacleToBudget(context);
  if (obstacle) {
    context.warn(`reasoningEffort is left out: ${obstacle}.`);
    return {};
  }
  const share = Math.floor(context.maxTokens * budgetShares[requested]);
  return { thinking: { type: "enabled", budget_tokens: Math.max(minBudget, share) } };
}

function obstacleToBudget({
  maxTokens,
  isForced,
  continuesWithoutThinking,
}: ThinkingContext): string | undefined {
  if (isForced) return "the API refuses thinking while toolChoice forces a tool";
  if (maxTokens <= minBudget) return `thinking needs maxOutputTokens above ${minBudget}`;
  if (continuesWithoutThinking)
    return "the API refuses it while tool results follow an answer without thinking";
  return undefined;
}
