import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  Tool,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { JsonObject } from "../../base/util/json.ts";
import { isJsonObject } from "../kit/json-values.ts";
import type { InputBlock } from "./request-parts.ts";

/** A block of an answer that is sent back unchanged. */
export interface ReplayedBlock extends JsonObject {
  readonly type: string;
}

/** The result of a call, limited to the content that this adapter sends. */
export interface ToolResultBlock extends ToolResultBlockParam {
  content?: InputBlock[];
}

/** A block of a message in a request. */
export type RequestBlock = Exclude<ContentBlockParam, ToolResultBlockParam> | ToolResultBlock | ReplayedBlock;

/** A message of a request. */
export interface RequestMessage {
  readonly role: "user" | "assistant";
  readonly content: RequestBlock[];
}

/** A tool that the API executes, as `anthropic.tools` writes it. */
export type HostedParam = JsonObject;

/** A tool of a request. */
export type ToolParam = Tool | HostedParam;

/** The fields of a body that this adapter sends, without the messages. */
export type RequestFields = Omit<MessageCreateParamsStreaming, "messages" | "thinking" | "tools"> & {
  readonly tools?: readonly ToolParam[];
  readonly thinking?: ThinkingParam;
  readonly temperature?: number;
  readonly top_p?: number;
};

/** The `thinking` field, with the beta setting for blocks whose conversation has changed. */
export type ThinkingParam =
  | { readonly type: "disabled" | "between_tools" }
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | {
      readonly type: "adaptive";
      readonly display?: "summarized";
      readonly block_binding?: { readonly prefix_mismatch_behavior: "drop_block" };
    };

/** `value`, parsed from JSON, if it is an object with a `type`, as every block and event is. */
export function typedObject(value: unknown): ReplayedBlock | undefined {
  return isReplayedBlock(value) ? value : undefined;
}

function isReplayedBlock(value: unknown): value is ReplayedBlock {
  return isJsonObject(value) && typeof value["type"] === "string";
}
