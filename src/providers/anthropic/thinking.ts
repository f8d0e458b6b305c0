import type { ModelRequest, ModelSettings } from "../../model/types.ts";
import { type Capabilities, type Effort, effortLevels } from "./capabilities.ts";
import type { Warn } from "../kit/turns.ts";
import type { ThinkingParam } from "./wire.ts";

/** How a request asks the model to think. */
export interface Thinking {
  readonly thinking?: ThinkingParam;
  readonly effort?: Effort;
}

/** What else the request says that bears on thinking. */
export interface ThinkingContext {
  readonly capabilities: Capabilities;
  readonly maxTokens: number;
  /** Whether `tool_choice` forces a tool: the API refuses that together with thinking. */
  readonly isForced: boolean;
  /** Whether the request goes to Anthropic's own API, which knows the beta settings. */
  readonly isFirstParty: boolean;
  /** Whether tool results follow an answer that was given without thinking: with a budget, the API refuses that. */
  readonly continuesWithoutThinking: boolean;
  readonly warn: Warn;
}

/** The beta that `block_binding` needs. */
export const bindingBeta = "thinking-binding-controls-2026-08-01";

type ReasoningEffort = NonNullable<ModelSettings["reasoningEffort"]>;

/** The share of `max_tokens` that models with a budget may think for. */
const budgetShares = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.9,
  max: 0.95,
} as const satisfies Record<Exclude<ReasoningEffort, "none">, number>;

/** The smallest budget that the API takes. */
const minBudget = 1024;

/** Translates `reasoningEffort` into what the model knows, with a warning for what it does not. */
export function thinkingFor(request: ModelRequest, context: ThinkingContext): Thinking {
  const wanted = request.settings?.reasoningEffort;
  switch (context.capabilities.thinking) {
    case "adaptive":
      return adaptive(wanted, context);
    case "budget":
      return budget(wanted, context);
    case "none":
      if (wanted !== undefined && wanted !== "none")
        context.warn("This model cannot think: reasoningEffort is left out.");
      return {};
  }
}

function adaptive(wanted: ReasoningEffort | undefined, context: ThinkingContext): Thinking {
  const { capabilities, isForced, warn } = context;
  const { thinkingOff, thinksByDefault, bindsThinking, hidesThinking } = capabilities;
  const off = thinkingOff === undefined || thinkingOff === "omit" ? {} : { thinking: { type: thinkingOff } };
  if (wanted === "none" && thinkingOff) return off;
  if (isForced && thinkingOff && (wanted !== undefined || thinksByDefault)) {
    if (wanted !== undefined)
      warn("The API refuses thinking while toolChoice forces a tool: it is turned off.");
    return { ...off, ...(wanted && { effort: atMostHigh(effortOf(wanted, context)) }) };
  }
  const binding =
    bindsThinking && context.isFirstParty
      ? { block_binding: { prefix_mismatch_behavior: "drop_block" as const } }
      : {};
  if (wanted === undefined)
    return "block_binding" in binding ? { thinking: { type: "adaptive", ...binding } } : {};
  if (wanted === "none") warn("This model always thinks: reasoningEffort is sent as low.");
  const display = hidesThinking ? { display: "summarized" as const } : {};
  return { thinking: { type: "adaptive", ...display, ...binding }, effort: effortOf(wanted, context) };
}

function effortOf(wanted: ReasoningEffort, { capabilities, warn }: ThinkingContext): Effort {
  if (wanted === "none") return "low";
  const known = capabilities.efforts.find((level) => level === wanted);
  if (known) return known;
  const nearest = wanted === "minimal" ? "low" : "high";
  warn(`This model does not know the reasoningEffort ${wanted}: it is sent as ${nearest}.`);
  return nearest;
}

function atMostHigh(effort: Effort): Effort {
  return effortLevels.indexOf(effort) > effortLevels.indexOf("high") ? "high" : effort;
}

function budget(wanted: ReasoningEffort | undefined, context: ThinkingContext): Thinking {
  if (wanted === undefined || wanted === "none") return {};
  const obstacle = obstacleToBudget(context);
  if (obstacle) {
    context.warn(`reasoningEffort is left out: ${obstacle}.`);
    return {};
  }
  const share = Math.floor(context.maxTokens * budgetShares[wanted]);
  return { thinking: { type: "enabled", budget_tokens: Math.max(minBudget, share) } };
}

function obstacleToBudget({
  maxTokens,
  isForced,
  continuesWithoutThinking,
}: ThinkingContext): string | undefined {
  if (isForced) return "the API refuses thinking while toolChoice forces a tool";
  if (maxTokens <= minBudget) return `thinking needs maxOutputTokens above ${minBudget}`;
  if (continuesWithoutThinking) return "tool results follow an answer that was given without thinking";
  return undefined;
}
