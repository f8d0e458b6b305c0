import type { AiSdkLanguageModel } from "./types.ts";

/** The providers and models that enforce an output schema, also when tools are offered. */
const supported: readonly {
  readonly provider: RegExp;
  readonly models: RegExp;
  readonly isNewOnly?: true;
}[] = [
  {
    provider: /^(?:openai|azure)\.(?:chat|responses)$/,
    models:
      /^(?:gpt-4o(?:-mini|-2024-(?:08|11)|$)|gpt-4\.1|gpt-[5-9](?!.*-chat)|o1(?:-2024-12|$)|o[3-9](?:-|$))/,
  },
  // With a schema, the V2 packages of these two providers leave out the tools or prevent calls.
  { provider: /^anthropic\./, models: /^claude-[a-z]+-(?:4-[5-9]|[5-9](?!\d))/, isNewOnly: true },
  { provider: /^google\.generative-ai$/, models: /^gemini-(?:[3-9]|\d\d)/, isNewOnly: true },
];

/** Whether a model is known to support output schemas, also when tools are offered. */
export function supportsSchemas({ provider, modelId, specificationVersion }: AiSdkLanguageModel): boolean {
  return supported.some(
    ({ provider: maker, models, isNewOnly }) =>
      maker.test(provider) && models.test(modelId) && !(isNewOnly && specificationVersion === "v2"),
  );
}
