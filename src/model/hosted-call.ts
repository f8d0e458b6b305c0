import type { JsonValue } from "../base/util/json.ts";

/** What all calls of tools that a provider executes have. */
interface HostedCallFields<Tool extends string> {
  /** What kind of tool it is, the same for all providers. */
  readonly tool: Tool;
  /** The provider's own name of the tool, such as `"bash_code_execution"`. */
  readonly name: string;
  /** The provider's id of the call; made of its content where the provider has none. */
  readonly id: string;
  /** `running` if the result has not come: the answer still streams, or the provider has paused it. */
  readonly status: "running" | "completed" | "failed";
  /** Why it failed, as the provider says it. */
  readonly error?: string;
}

/** A page of the web that a provider has found or read. */
export interface HostedPage {
  readonly url: string;
  readonly title?: string;
  /** How old it is, or when it was read, in the provider's words. */
  readonly age?: string;
  /** What it says, where the provider shows that. */
  readonly text?: string;
}

/** A passage of a file that a provider has found. */
export interface HostedPassage {
  readonly fileId?: string;
  readonly filename?: string;
  readonly text?: string;
  /** How well it fits, 0 to 1. */
  readonly score?: number;
}

/** A search of the web. */
export interface HostedWebSearch extends HostedCallFields<"webSearch"> {
  readonly input: { readonly queries: readonly string[] };
  readonly results: readonly HostedPage[];
}

/** Pages of the web that were read. */
export interface HostedWebFetch extends HostedCallFields<"webFetch"> {
  readonly input: { readonly urls: readonly string[] };
  readonly results: readonly HostedPage[];
}

/** Code that ran at the provider. */
export interface HostedCodeExecution extends HostedCallFields<"codeExecution"> {
  readonly input: { readonly code: string };
  /** What it printed; `undefined` while it runs, and where the provider does not show it. */
  readonly output?: { readonly stdout: string; readonly stderr?: string; readonly exitCode?: number };
}

/** A search of uploaded files. */
export interface HostedFileSearch extends HostedCallFields<"fileSearch"> {
  readonly input: { readonly queries: readonly string[] };
  readonly results: readonly HostedPassage[];
}

/** A drawing. The image is an image part of the answer. */
export interface HostedImageGeneration extends HostedCallFields<"imageGeneration"> {
  readonly input: { readonly prompt?: string };
}

/** A call of any other tool, such as one of an MCP server. */
export interface HostedOtherCall extends HostedCallFields<"other"> {
  readonly input?: JsonValue;
  readonly output?: JsonValue;
}

/** A call of a tool that a provider executes, by `tool`. */
export type HostedCall =
  | HostedWebSearch
  | HostedWebFetch
  | HostedCodeExecution
  | HostedFileSearch
  | HostedImageGeneration
  | HostedOtherCall;
