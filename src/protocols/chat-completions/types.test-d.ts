import type OpenAI from "openai";
import { expectTypeOf, test } from "vitest";
import type { ChatCompletion, ChatCompletionChunk } from "./types.ts";

test("the types are those of the official client", () => {
  expectTypeOf<ChatCompletion>().toExtend<OpenAI.ChatCompletion>();
  expectTypeOf<ChatCompletionChunk>().toExtend<OpenAI.ChatCompletionChunk>();
});
