/** The price of a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Tokens read from the provider's cache; the price of `input` by default. */
  readonly cachedInput?: number;
  /** Tokens written to the provider's cache; the price of `input` by default. */
  readonly cacheWrite?: number;
  /** The prices of all tokens of a request and its answer if the request has more than `above` tokens. */
  readonly long?: Omit<Price, "long"> & { readonly above: number };
}

/** Prices by model name, such as `"openai:gpt-5.2"`, without a date at the end. */
export type Prices = Readonly<Record<string, Price>>;

/**
 * The prices of well-known models: US dollars per million tokens at standard rates, as of 27 October 2026. OpenAI's prices are from
 * https://developers.openai.com/api/docs/pricing and its model pages, Anthropic's from
 * https://platform.claude.com/docs/en/about-claude/pricing, Google's (text, images and video; not audio) from
 * https://ai.google.dev/gemini-api/docs/pricing, each confirmed by the provider's page or by two independent lists that cite it
 * (`@pydantic/genai-prices` 0.1.8 is one; for Google's, the other is of May or July 2026). Cache writes have the price of the shortest lifetime. Models whose price could
 * not be confirmed are missing. An answer of `batched` costs half of them. Usage does not show flex and fast modes, nor the provider's own
 * tools.
 *
 * To add or replace prices: `{ ...prices, "groq:some-model": { input: 0.1, output: 0.3 } }`.
 */
export const prices: Prices = {
  "openai:gpt-6.1-sol": {
    input: 2,
    cachedInput: 0.1,
    cacheWrite: 2.5,
    output: 10,
    long: { above: 272_000, input: 4, cachedInput: 0.2, cacheWrite: 5, output: 15 },
  },
  "openai:gpt-6.1-terra": {
    input: 1,
    cachedInput: 0.05,
    cacheWrite: 1.25,
    output: 5,
    long: { above: 272_000, input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 7.5 },
  },
  "openai:gpt-6-astra": {
    input: 10,
    cachedInput: 1,
    cacheWrite: 12.5,
    output: 50,
    long: { above: 272_000, input: 20, cachedInput: 2, cacheWrite: 25, output: 75 },
  },
  "openai:gpt-6-sol": {
    input: 2,
    cachedInput: 0.2,
    cacheWrite: 2.5,
    output: 10,
    long: { above: 272_000, input: 4, cachedInput: 0.4, cacheWrite: 5, output: 15 },
  },
  "openai:gpt-6-luna": {
    input: 0.1,
    cachedInput: 0.01,
    cacheWrite: 0.125,
    output: 0.5,
    long: { above: 272_000, input: 0.2, cachedInput: 0.02, cacheWrite: 0.25, output: 0.75 },
  },
  "openai:gpt-5.6-terra": {
    input: 2,
    cachedInput: 0.2,
    cacheWrite: 2.5,
    output: 12,
    long: { above: 272_000, input: 4, cachedInput: 0.4, cacheWrite: 5, output: 18 },
  },
  "openai:gpt-5.6-luna": {
    input: 0.2,
    cachedInput: 0.02,
    cacheWrite: 0.25,
    output: 1.2,
    long: { above: 272_000, input: 0.4, cachedInput: 0.04, cacheWrite: 0.5, output: 1.8 },
  },
  "openai:gpt-5.5": {
    input: 5,
    cachedInput: 0.5,
    cacheWrite: 5,
    output: 30,
    long: { above: 272_000, input: 10, cachedInput: 1, cacheWrite: 10, output: 45 },
  },
  "openai:gpt-5.4": {
    input: 2.5,
    cachedInput: 0.25,
    cacheWrite: 2.5,
    output: 15,
    long: { above: 272_000, input: 5, cachedInput: 0.5, cacheWrite: 5, output: 22.5 },
  },
  "openai:gpt-5.4-mini": { input: 0.75, cachedInput: 0.075, cacheWrite: 0.75, output: 4.5 },
  "openai:gpt-5.4-nano": { input: 0.2, cachedInput: 0.02, cacheWrite: 0.2, output: 1.25 },
  "openai:gpt-5.2": { input: 1.75, cachedInput: 0.175, cacheWrite: 1.75, output: 14 },
  "openai:gpt-5.1": { input: 1.25, cachedInput: 0.125, cacheWrite: 1.25, output: 10 },
  "openai:gpt-5": { input: 1.25, cachedInput: 0.125, cacheWrite: 1.25, output: 10 },
  "openai:gpt-5-mini": { input: 0.25, cachedInput: 0.025, cacheWrite: 0.25, output: 2 },
  "openai:gpt-5-nano": { input: 0.05, cachedInput: 0.005, cacheWrite: 0.05, output: 0.4 },
  "openai:gpt-4.1": { input: 2, cachedInput: 0.5, cacheWrite: 2, output: 8 },
  "openai:gpt-4.1-mini": { input: 0.4, cachedInput: 0.1, cacheWrite: 0.4, output: 1.6 },
  "openai:gpt-4.1-nano": { input: 0.1, cachedInput: 0.025, cacheWrite: 0.1, output: 0.4 },
  "openai:gpt-4o": { input: 2.5, cachedInput: 1.25, cacheWrite: 2.5, output: 10 },
  "openai:gpt-4o-mini": { input: 0.15, cachedInput: 0.075, cacheWrite: 0.15, output: 0.6 },
  "openai:o3": { input: 2, cachedInput: 0.5, cacheWrite: 2, output: 8 },
  "openai:o4-mini": { input: 1.1, cachedInput: 0.275, cacheWrite: 1.1, output: 4.4 },
  "anthropic:claude-fable-5-1": { input: 10, cachedInput: 0.25, cacheWrite: 12.5, output: 50 },
  "anthropic:claude-fable-5": { input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50 },
  "anthropic:claude-opus-5-5": { input: 4, cachedInput: 0.2, cacheWrite: 5, output: 20 },
  "anthropic:claude-opus-5": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic:claude-opus-4-8": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic:claude-opus-4-7": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic:claude-opus-4-6": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic:claude-opus-4-5": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic:claude-sonnet-5-5": { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 },
  "anthropic:claude-sonnet-5": { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10 },
  "anthropic:claude-sonnet-4-6": { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
  "anthropic:claude-haiku-5-5": {
    input: 0.1,
    cachedInput: 0.01,
    cacheWrite: 0.125,
    output: 0.5,
    long: { above: 100_000, input: 0.5, cachedInput: 0.05, cacheWrite: 0.625, output: 2.5 },
  },
  "anthropic:claude-haiku-4-5": { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 },
  "google:gemini-3.5-flash": { input: 1.5, cachedInput: 0.15, output: 9 },
  "google:gemini-3-flash-preview": { input: 0.5, cachedInput: 0.05, output: 3 },
};
