import type { JsonValue } from "../base/util/json.ts";

/**
 * What a provider needs to see again, unchanged, when a part is replayed to it: signatures, item ids, encrypted content.
 * Adapters read only data of their own `provider`; to every other provider the part is sent without it.
 */
export interface ProviderData {
  /** The `provider` of the model that wrote the part, such as `"anthropic"`. */
  readonly provider: string;
  /** The provider's own fields, kept byte for byte. */
  readonly data: JsonValue;
}

/** Text, by a user, a model or a tool. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  /** Set for what a tool's result says to the model about itself: the value that other calls get is without it. */
  readonly note?: true;
  readonly providerData?: ProviderData;
}

/** An image. `url` is an `https:` address or a `data:` URL with base64 content. */
export interface ImagePart {
  readonly type: "image";
  readonly url: string;
  /** Such as `"image/png"`; not needed for a `data:` URL, which names its own. */
  readonly mediaType?: string;
  readonly providerData?: ProviderData;
}

/** A file, such as a PDF. `url` is an `https:` address or a `data:` URL with base64 content. */
export interface FilePart {
  readonly type: "file";
  readonly url: string;
  /** Such as `"application/pdf"`; not needed for a `data:` URL, which names its own. */
  readonly mediaType?: string;
  readonly filename?: string;
  readonly providerData?: ProviderData;
}

/** A model's reasoning. Its `providerData` (signature, encrypted content) lets the same provider take it up again. */
export interface ReasoningPart {
  readonly type: "reasoning";
  /** The reasoning or its summary; empty where the provider sends it encrypted or redacted only. */
  readonly text: string;
  readonly providerData?: ProviderData;
}

/** Marks where in the assistant's content a tool call stands; the call itself is in `toolCalls`. */
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly providerData?: ProviderData;
}

/** Something only its own provider understands (a server-side tool's call and result, say), replayed intact to it. */
export interface ProviderPart {
  readonly type: "provider";
  readonly providerData: ProviderData;
}

/** A part of what a user says or a tool returns. */
export type Part = TextPart | ImagePart | FilePart | ReasoningPart;

/** A part of what a model says, in the order of the wire. */
export type AssistantPart = TextPart | ImagePart | FilePart | ReasoningPart | ToolCallPart | ProviderPart;
