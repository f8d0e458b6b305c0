/** The levels of effort, lowest first. */
export const effortLevels = ["low", "medium", "high", "xhigh", "max"] as const;
/** A level of `output_config.effort`. */
export type Effort = (typeof effortLevels)[number];

/** The capabilities of a model of the Messages API. */
export interface Capabilities {
  /** How thinking is controlled: not at all, with a budget of tokens, or with a level of effort. */
  readonly thinking: "none" | "budget" | "adaptive";
  readonly thinksByDefault: boolean;
  /** The `thinking.type` that turns thinking off; `"omit"` if leaving the field out does; absent if it cannot be turned off. */
  readonly thinkingOff?: "omit" | "disabled" | "between_tools";
  readonly efforts: readonly Effort[];
  /** Whether it returns the text of its thinking only on request. */
  readonly hidesThinking: boolean;
  /** Whether it checks that the conversation before a thinking block has not changed. */
  readonly bindsThinking: boolean;
  /** Which of `temperature` and `top_p` may be set. */
  readonly sampling: "none" | "one" | "both";
  /** Whether a conversation may end with the start of the model's answer. */
  readonly prefill: boolean;
  /** Whether `tool_choice` may be `any` or `tool`. */
  readonly forcedToolUse: boolean;
  /** Whether `output_config.format` can enforce an output schema. */
  readonly structuredOutput: boolean;
  /** `max_tokens` if the request sets none. */
  readonly defaultMaxTokens: number;
}

/** Another maker's model behind the same protocol. It gets the caller's settings unchanged. */
const foreign: Capabilities = {
  thinking: "budget",
  thinksByDefault: false,
  thinkingOff: "omit",
  efforts: [],
  hidesThinking: false,
  bindsThinking: false,
  sampling: "both",
  prefill: true,
  forcedToolUse: true,
  structuredOutput: false,
  defaultMaxTokens: 8192,
};

/**
 * The capabilities of a model, by its id. A Claude that is newer than this table, or whose id has no version, counts as
 * the newest one in it.
 *
 * Sources: https://platform.claude.com/docs/en/build-with-claude/thinking, .../effort, .../structured-outputs, .../about-claude/models/overview,
 * and the "what's new" page of each model.
 */
export function capabilitiesOf(modelId: string): Capabilities {
  const claude = parseClaude(modelId);
  if (!claude) return foreign;
  const { family, version } = claude;
  const isAdaptive = version >= 406;
  const alwaysThinks = family === "fable" || family === "mythos";
  const thinkingOff = offSwitch(family, version);
  return {
    thinking: isAdaptive ? "adaptive" : version >= 307 ? "budget" : "none",
    thinksByDefault: version >= 500 || alwaysThinks,
    ...(thinkingOff && { thinkingOff }),
    efforts:
      version >= 407 ? effortLevels : isAdaptive ? effortLevels.filter((level) => level !== "xhigh") : [],
    hidesThinking: version >= 407,
    bindsThinking: version >= 501 && family !== "mythos",
    sampling: version >= 407 ? "none" : version >= 401 ? "one" : "both",
    prefill: !isAdaptive,
    forcedToolUse: alwaysThinks ? version < 501 : version < 505 || family === "haiku",
    structuredOutput: version >= 405,
    defaultMaxTokens: isAdaptive ? 64_000 : version >= 307 ? 32_000 : version >= 305 ? 8192 : 4096,
  };
}

function offSwitch(family: string, version: number): Capabilities["thinkingOff"] {
  if (family === "fable" || family === "mythos") return undefined;
  if (version < 500) return "omit";
  if (version < 505 || family === "haiku") return "disabled";
  return family === "sonnet" ? "between_tools" : undefined;
}

interface Claude {
  readonly family: string;
  /** A hundred times the major version, plus the minor one. */
  readonly version: number;
}

/** Reads `claude-opus-4-8`, `claude-3-7-sonnet-20250219`, `anthropic/claude-opus-5.5` and the like. A date is not a version. */
function parseClaude(modelId: string): Claude | undefined {
  const id = modelId.toLowerCase();
  if (!id.includes("claude")) return undefined;
  const family = /opus|sonnet|haiku|fable|mythos/.exec(id)?.[0] ?? "";
  const version = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(id);
  if (!version) return { family, version: Infinity };
  return { family, version: Number(version[1]) * 100 + Number(version[2] ?? 0) };
}
