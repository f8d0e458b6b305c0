/**
 * The prompts of specification V4, limited to what Skein writes. The differences of V3 and V2 are in older.ts.
 * (https://github.com/vercel/ai/tree/main/packages/provider/src/language-model)
 */
import type { JsonObject, JsonValue } from "../../base/util/json.ts";

/** The metadata of a part, by the name of the provider that reads it. */
export type ProviderOptions = Readonly<Record<string, JsonObject>>;

/** A file's content in base64, or its URL. */
export type FileData =
  | { readonly type: "data"; readonly data: string }
  | { readonly type: "url"; readonly url: URL };

interface PromptPart<Type extends string> {
  readonly type: Type;
  readonly providerOptions?: ProviderOptions;
}

/** Text of any role. */
export interface TextPrompt extends PromptPart<"text"> {
  readonly text: string;
}

/** The reasoning of the model. */
export interface ReasoningPrompt extends PromptPart<"reasoning"> {
  readonly text: string;
}

/** An image or a file of any role. */
export interface FilePrompt extends PromptPart<"file"> {
  readonly data: FileData;
  readonly mediaType: string;
  readonly filename?: string;
}

/** A file that the model created during its reasoning. */
export interface ReasoningFilePrompt extends PromptPart<"reasoning-file"> {
  readonly data: FileData;
  readonly mediaType: string;
}

/** A part that only its provider understands. */
export interface CustomPrompt extends PromptPart<"custom"> {
  readonly kind: `${string}.${string}`;
}

/** A call of a tool of the program or of the provider. */
export interface ToolCallPrompt extends PromptPart<"tool-call"> {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: JsonValue;
  readonly providerExecuted?: boolean;
}

/** The output of a tool. */
export type ResultOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "json" | "error-json"; readonly value: JsonValue }
  | { readonly type: "content"; readonly value: readonly (TextPrompt | FilePrompt)[] };

/** The result of a call. */
export interface ToolResultPrompt extends PromptPart<"tool-result"> {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ResultOutput;
}

/** A part of a user message. */
export type UserPrompt = TextPrompt | FilePrompt;

/** A part of an assistant message, including results of the provider's own tools. */
export type AssistantPrompt =
  | TextPrompt
  | ReasoningPrompt
  | FilePrompt
  | ReasoningFilePrompt
  | CustomPrompt
  | ToolCallPrompt
  | ToolResultPrompt;

/** One entry of a prompt. */
export type PromptMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: readonly UserPrompt[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantPrompt[] }
  | { readonly role: "tool"; readonly content: readonly ToolResultPrompt[] };
