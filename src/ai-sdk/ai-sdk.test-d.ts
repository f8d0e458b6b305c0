import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import { expectTypeOf, test } from "vitest";
import type { PromptMessage } from "./prompt-types.ts";
import type { AiSdkCallOptions, AiSdkLanguageModel } from "./types.ts";

type Frozen<T> = T extends Uint8Array | URL
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

test("a language model of each specification is one to fromAiSdk", () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>();
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>();
  expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>();
});

test("what Skein writes is what specification V4 takes", () => {
  expectTypeOf<PromptMessage>().toExtend<Frozen<LanguageModelV4Message>>();
});

test("the settings are those of each specification", () => {
  type Settings = Omit<
    AiSdkCallOptions,
    "prompt" | "tools" | "toolChoice" | "providerOptions" | "reasoning" | "stopSequences"
  >;
  expectTypeOf<Settings>().toExtend<Omit<LanguageModelV2CallOptions, "prompt">>();
  expectTypeOf<Settings>().toExtend<Omit<LanguageModelV3CallOptions, "prompt">>();
  expectTypeOf<Settings>().toExtend<Omit<LanguageModelV4CallOptions, "prompt">>();
});
