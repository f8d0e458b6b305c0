import type { AiSdkLanguageModel } from "./types.ts";

/** Who is known to hold models to a schema beside tools, and which models. */
const known: readonly { readonly provider: RegExp; readonly models: RegExp; readonly isNewOnly?: true }[] = [
  {
    provider: /^(?:openai|azure)\.(?:chat|responses)$/,
    models:
      /^(?:gpt-4o(?:-mini|-2024-(?:08|11)|$)|gpt-4\.1|gpt-[5-9](?!.*-chat)|o1(?:-2024-12|$)|o[3-9](?:-|$))/,
  },
  // Earlier packages of these two leave tools out, or let the model call none, where a schema is asked for.
  { provider: /^anthropic\./, models: /^claude-[a-z]+-(?:4-[5-9]|[5-9](?!\d))/, isNewOnly: true },
  { provider: /^google\.generative-ai$/, models: /^gemini-(?:[3-9]|\d\d)/, isNewOnly: true },
];

/** Whether a model is known to be held to a schema by its provider, also while it may call tools. */
export function takesSchemas({ provider, modelId, specificationVersion }: AiSdkLanguageModel): boolean {
  return known.some(
    ({ provider: maker, models, isNewOnly }) =>
      maker.test(provider) && models.test(modelId) && !(isNewOnly && specificationVersion === "v2"),
  );
}
