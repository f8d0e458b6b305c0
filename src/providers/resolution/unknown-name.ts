import { ModelNotFoundError } from "../../errors.ts";
import { nearest } from "../../base/util/nearest.ts";

/** The forms a model's name may have, for messages. */
export const modelForms = "openai:gpt-5.2, anthropic:claude-sonnet-5-5, ollama:qwen3, offline";

/** Names that people give without a provider, and the provider they mean. */
const habits: readonly (readonly [RegExp, string])[] = [
  [/^claude/i, "anthropic"],
  [/^(gpt|chatgpt|o\d)/i, "openai"],
];

/** The error for a name that is understood by no provider. `subject` is how the sentence names it. */
export function unknownName(name: string, subject: string, prefixes: readonly string[]): ModelNotFoundError {
  const meant = likely(name, prefixes);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new ModelNotFoundError(
    `${subject} is no model name that Skein knows.${hint} Names are provider and model id: ${modelForms}. ` +
      "For any other provider, give a Model object: openai(modelId, { baseURL }) from skein/openai, say.",
    { name },
  );
}

function likely(name: string, prefixes: readonly string[]): string | undefined {
  const colon = name.indexOf(":");
  if (colon < 0) {
    const provider = habits.find(([pattern]) => pattern.test(name))?.[1];
    if (provider !== undefined) return `${provider}:${name}`;
    const [whole] = nearest(name, ["offline", ...prefixes]);
    return whole === undefined || whole === "offline" ? whole : `${whole}:<model id>`;
  }
  const [prefix] = nearest(name.slice(0, colon), prefixes);
  return prefix === undefined ? undefined : `${prefix}:${name.slice(colon + 1) || "<model id>"}`;
}
