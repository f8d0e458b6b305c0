/**
 * Prompts as specification V4 has them, as far as Skein writes them; what V3 and V2 have otherwise is in older.ts.
 * (https://github.com/vercel/ai/tree/main/packages/provider/src/language-model)
 */
import type { JsonObject, JsonValue } from "../../base/util/json.ts";

/** Metadata of parts, by the name of the provider that reads it. */
export type ProviderOptions = Readonly<Record<string, JsonObject>>;

/** A file's content in base64, or its address. */
export type FileData =
  | { readonly type: "data"; readonly data: string }
  | { readonly type: "url"; readonly url: URL };

interface PromptPart<Type extends string> {
  readonly type: Type;
  readonly providerOptions?: ProviderOptions;
}

/** Text, by anybody. */
export interface TextPrompt extends PromptPart<"text"> {
  readonly text: string;
}

/** What the model thought. */
export interface ReasoningPrompt extends PromptPart<"reasoning"> {
  readonly text: string;
}

/** An image or a file, by anybody. */
export interface FilePrompt extends PromptPart<"file"> {
  readonly data: FileData;
  readonly mediaType: string;
  readonly filename?: string;
}

/** A file that the model made while it thought. */
export interface ReasoningFilePrompt extends PromptPart<"reasoning-file"> {
  readonly data: FileData;
  readonly mediaType: string;
}

/** Something that only its provider understands. */
export interface CustomPrompt extends PromptPart<"custom"> {
  readonly kind: `${string}.${string}`;
}

/** A call, of a tool of the program's or of the provider's own. */
export interface ToolCallPrompt extends PromptPart<"tool-call"> {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: JsonValue;
  readonly providerExecuted?: boolean;
}

/** What a tool gave back. */
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

/** A part of what the user says. */
export type UserPrompt = TextPrompt | FilePrompt;

/** A part of what the model said, results of the provider's own tools included. */
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
