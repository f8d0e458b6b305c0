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

// A language model of each specification is one to fromAiSdk.
expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>();
expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>();
expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>();

/** `T` with everything in it read-only; what may be any JSON may be anything. */
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

// What Skein writes is what specification V4 takes.
expectTypeOf<PromptMessage>().toExtend<Frozen<LanguageModelV4Message>>();
expectTypeOf<{ role: "user"; content: { type: "reasoning"; text: "" }[] }>().not.toExtend<
  Frozen<LanguageModelV4Message>
>();

/** What is the same in every specification. */
type Settings = Pick<
  AiSdkCallOptions,
  "maxOutputTokens" | "temperature" | "topP" | "presencePenalty" | "frequencyPenalty" | "seed" | "abortSignal"
>;
expectTypeOf<Settings>().toExtend<Omit<LanguageModelV2CallOptions, "prompt">>();
expectTypeOf<Settings>().toExtend<Omit<LanguageModelV3CallOptions, "prompt">>();
expectTypeOf<Settings>().toExtend<Omit<LanguageModelV4CallOptions, "prompt">>();
