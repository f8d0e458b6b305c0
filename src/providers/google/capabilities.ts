/** A level of `thinkingConfig.thinkingLevel`. */
export type ThinkingLevel = "minimal" | "low" | "medium" | "high" | "xhigh";

/** How thinking is controlled: not at all, with one of these levels (lowest first), or with a budget of tokens. */
export type ThinkingControl =
  | { readonly kind: "none" }
  | { readonly kind: "level"; readonly levels: readonly ThinkingLevel[] }
  | { readonly kind: "budget"; readonly least: number; readonly most: number; readonly canBeOff: boolean };

/** What a model of the Gemini API can do. */
export interface Capabilities {
  readonly thinking: ThinkingControl;
  /** Whether the API refuses calls in the history that have no thought signature. */
  readonly requiresSignatures: boolean;
  /** Whether the result of a call may contain images and documents. */
  readonly mediaInResults: boolean;
  /** Whether the API can enforce an output schema, also when tools are offered. */
  readonly structuredOutput: boolean;
  /** Whether functions may be offered together with tools that Google executes; `undefined` if that is not known. */
  readonly mixedTools: boolean | undefined;
  /** Whether `presencePenalty` and `frequencyPenalty` may be set. */
  readonly penalties: boolean;
}

/**
 * The capabilities of a model, by its id. A Gemini id without a version (`gemini-flash-latest`) counts as the newest one.
 *
 * Sources: https://ai.google.dev/gemini-api/docs/thinking, .../thought-signatures, .../function-calling, .../structured-output,
 * .../tool-combination.
 */
export function capabilitiesOf(modelId: string): Capabilities {
  const gemini = parseGemini(modelId);
  const isNew = gemini !== undefined && gemini.version >= 300;
  return {
    thinking: gemini ? thinkingControlOf(gemini) : { kind: "none" },
    requiresSignatures: isNew,
    mediaInResults: isNew,
    structuredOutput: isNew,
    mixedTools: gemini && isNew,
    penalties: gemini?.version !== 205,
  };
}

interface Gemini {
  /** A hundred times the major version, plus the minor one. */
  readonly version: number;
  readonly variant: string;
}

/** Reads `gemini-2.5-flash-lite`, `models/gemini-3-pro-preview`, `gemini-flash-latest` and the like. */
function parseGemini(modelId: string): Gemini | undefined {
  const [, major, minor, variant = ""] =
    /(?:^|\/)gemini-(?:(\d+)(?:\.(\d+))?-)?([a-z].*)$/.exec(modelId.toLowerCase()) ?? [];
  if (variant === "") return undefined;
  return { version: major === undefined ? Infinity : Number(major) * 100 + Number(minor ?? 0), variant };
}

function thinkingControlOf({ version, variant }: Gemini): ThinkingControl {
  if (version < 205) return { kind: "none" };
  const isPro = variant.startsWith("pro");
  if (version >= 300) return { kind: "level", levels: levelsOf({ version, variant }, isPro) };
  if (isPro) return { kind: "budget", least: 128, most: 32_768, canBeOff: false };
  return {
    kind: "budget",
    least: variant.startsWith("flash-lite") ? 512 : 1,
    most: 24_576,
    canBeOff: true,
  };
}

function levelsOf({ version, variant }: Gemini, isPro: boolean): readonly ThinkingLevel[] {
  // Gemini 3 Pro has only two levels.
  if (isPro && version === 300) return ["low", "high"];
  if (variant.startsWith("hydrogen")) return ["low", "medium", "high", "xhigh"];
  const isFlash = variant.startsWith("flash") && !variant.startsWith("flash-lite");
  const hasMinimal = !isPro && !(isFlash && version >= 307);
  return hasMinimal ? ["minimal", "low", "medium", "high"] : ["low", "medium", "high"];
}
