import type { Message } from "../../../message/messages.ts";

// Written out rather than taken from the official SDK: applications that use other entries need not have its types.

/** What a server says of a resource, a template or a content beside what it is. */
export interface McpAnnotations {
  readonly audience?: readonly ("user" | "assistant")[] | undefined;
  /** From 0, of no importance, to 1. */
  readonly priority?: number | undefined;
  /** When it was changed last (ISO 8601). */
  readonly lastModified?: string | undefined;
}

interface Described {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A resource that a server lists. */
export interface McpListedResource extends Described {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  readonly annotations?: McpAnnotations | undefined;
}

/** A pattern of addresses (RFC 6570) under which a server has resources. */
export interface McpListedTemplate extends Described {
  readonly uriTemplate: string;
  readonly mimeType?: string | undefined;
  readonly annotations?: McpAnnotations | undefined;
}

/** A prompt that a server lists. */
export interface McpListedPrompt extends Described {
  readonly arguments?:
    | readonly {
        readonly name: string;
        readonly description?: string | undefined;
        readonly required?: boolean | undefined;
      }[]
    | undefined;
}

/** What a resource holds: text, or bytes in base64. */
export type McpContents = {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
} & ({ readonly text: string } | { readonly blob: string });

/** A resource that has been read. */
export interface McpResourceResult {
  readonly contents: readonly McpContents[];
}

/** A prompt that a server has filled in. */
export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly Message[];
}
