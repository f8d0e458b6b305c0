import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import type { Model, ModelSettings, ToolChoice } from "./types.ts";

const settingNames = {
  temperature: true,
  topP: true,
  maxOutputTokens: true,
  stopSequences: true,
  seed: true,
  presencePenalty: true,
  frequencyPenalty: true,
  reasoningEffort: true,
  logprobs: true,
  topLogprobs: true,
  cache: true,
  maxRetries: true,
  timeout: true,
  providerOptions: true,
} satisfies Record<keyof ModelSettings, true>;

const cacheValues: ReadonlySet<unknown> = new Set<ModelSettings["cache"]>([
  undefined,
  "auto",
  "5m",
  "1h",
  false,
]);

/** @throws ConfigurationError if a setting is misspelled, or `cache` has another value than it can. `place` is whose settings they are. */
export function assertSettings(settings: ModelSettings | undefined, place: string): void {
  if (settings === undefined) return;
  assertKnownOptions(settings, settingNames, `settings of ${place}`);
  const cache: unknown = settings.cache;
  if (!cacheValues.has(cache)) {
    throw invalidOption(
      `settings.cache of ${place} is ${describeValue(cache)}. Expected "auto", "5m", "1h" or false.`,
      { option: "cache" },
    );
  }
}

/** @throws ConfigurationError unless it is a `Model` or a name. */
export function assertModel(model: Model | string | undefined, place: string): void {
  if (model === undefined || typeof model === "string") return;
  if (typeof model === "object" && model !== null && typeof model.stream === "function") {
    const stream: unknown = Reflect.get(model, "stream");
    if (Object.prototype.toString.call(stream) !== "[object AsyncFunction]") return;
    throw invalidOption(
      `model.stream of ${place} must return an async iterable. Write async *stream(request) { ... }.`,
      { option: "model" },
    );
  }
  throw invalidOption(
    `The model of ${place} is not a Model. Pass openai("..."), a name such as "openai:gpt-5.2", or fromAiSdk(model) of skein/ai-sdk.`,
    { option: "model" },
  );
}

/** @throws ConfigurationError unless it is one of the choices. */
export function assertToolChoice(choice: ToolChoice | undefined, place: string): void {
  if (choice === undefined || choice === "auto" || choice === "required" || choice === "none") return;
  if (typeof choice === "object" && choice !== null && typeof choice.tool === "string") return;
  throw invalidOption(`The toolChoice of ${place} must be "auto", "required", "none" or { tool: "name" }.`, {
    option: "toolChoice",
  });
}
