import type {
  JSONValue,
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import { expectTypeOf } from "vitest";
import type { PromptMessage } from "./prompt-types.ts";
import type { AiSdkCallOptions, AiSdkLanguageModel } from "./types.ts";

// fromAiSdk accepts a language model of each specification.
expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>();
expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>();
expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>();

/** `T`, deeply read-only, with `unknown` in the place of any JSON. */
type Frozen<T> = T extends Uint8Array | URL
  ? T
  : T extends object
    ? {
        readonly [Key in keyof T]: Key extends "providerOptions"
          ? unknown
          : JSONValue extends T[Key]
            ? unknown
            : Frozen<T[Key]>;
      }
    : T;

// Specification V4 accepts what Skein writes.
expectTypeOf<PromptMessage>().toExtend<Frozen<LanguageModelV4Message>>();
expectTypeOf<{ role: "user"; content: { type: "reasoning"; text: "" }[] }>().not.toExtend<
  Frozen<LanguageModelV4Message>
>();

/** The settings that are the same in every specification. */
type Settings = Pick<
  AiSdkCallOptions,
  "maxOutputTokens" | "temperature" | "topP" | "presencePenalty" | "frequencyPenalty" | "seed" | "abortSignal"
>;
expectTypeOf<Settings>().toExtend<Omit<LanguageModelV2CallOptions, "prompt">>();
expectTypeOf<Settings>().toExtend<Omit<LanguageModelV3CallOptions, "prompt">>();
expectTypeOf<Settings>().toExtend<Omit<LanguageModelV4CallOptions, "prompt">>();
