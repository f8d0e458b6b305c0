import type { JsonObject, JsonValue } from "../../base/util/json.ts";

/** How a response stands. */
export type ResponseStatus =
  | "queued"
  | "in_progress"
  | "completed"
  /** It reached a limit, or was withheld. */
  | "incomplete"
  | "failed"
  | "cancelled";

/** The text of a message. */
export interface ResponseOutputText {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: [];
  readonly logprobs: [];
}

/** Text of an agent. */
export interface ResponseMessageItem {
  readonly id: string;
  readonly type: "message";
  readonly status: "in_progress" | "completed" | "incomplete";
  readonly role: "assistant";
  readonly content: ResponseOutputText[];
  /** Set once it is certain whether the message is the answer, or what an agent says on its way there. */
  readonly phase?: "commentary" | "final_answer";
}

/** What a model wrote before it answered. */
export interface ResponseReasoningItem {
  readonly id: string;
  readonly type: "reasoning";
  readonly summary: ResponseSummaryText[];
}

/** The text of a reasoning item. */
export interface ResponseSummaryText {
  readonly type: "summary_text";
  readonly text: string;
}

/** A call that the client is to execute. */
export interface ResponseFunctionCallItem {
  readonly id: string;
  readonly type: "function_call";
  readonly status: "in_progress" | "completed";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A call of the agent's own tools that a person has to decide on: the `id` is that of the approval. */
export interface ResponseApprovalItem {
  readonly id: string;
  readonly type: "mcp_approval_request";
  readonly server_label: "skein";
  readonly name: string;
  readonly arguments: string;
}

/** A search of the web, or a page of it, that the provider of a model has looked up. */
export interface ResponseWebSearchItem {
  readonly id: string;
  readonly type: "web_search_call";
  readonly status: "in_progress" | "completed" | "failed";
  readonly action:
    | {
        readonly type: "search";
        readonly queries: string[];
        readonly query: string;
        readonly sources: { readonly type: "url"; readonly url: string }[];
      }
    | { readonly type: "open_page"; readonly url: string | null };
}

/** A search of files that the provider of a model has executed. What it has found is not sent. */
export interface ResponseFileSearchItem {
  readonly id: string;
  readonly type: "file_search_call";
  readonly status: "in_progress" | "completed" | "failed";
  readonly queries: string[];
  readonly results: null;
}

/** A call that the provider of a model has executed. */
export type ResponseSearchItem = ResponseWebSearchItem | ResponseFileSearchItem;

/** An item of a response. */
export type ResponseItem =
  | ResponseSearchItem
  | ResponseMessageItem
  | ResponseReasoningItem
  | ResponseFunctionCallItem
  | ResponseApprovalItem;

/** Tokens, in the form of Responses. What a provider did not report is 0. */
export interface ResponseUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

/** What a response repeats of its request, as plain JSON. */
export interface ResponseEcho {
  readonly instructions: string | null;
  readonly max_output_tokens: number | null;
  readonly parallel_tool_calls: boolean;
  readonly reasoning: { readonly effort: string | null; readonly summary: null };
  readonly store: boolean;
  readonly temperature: number;
  readonly text: { readonly format: JsonObject };
  readonly tool_choice: JsonValue;
  readonly tools: readonly JsonObject[];
  readonly top_p: number;
  readonly conversation?: { readonly id: string };
}

/** A response (https://platform.openai.com/docs/api-reference/responses/object). */
export interface ResponseObject extends ResponseEcho {
  readonly id: string;
  readonly object: "response";
  /** Seconds since 1970, as all times of it. */
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: ResponseStatus;
  readonly background: boolean;
  readonly error: {
    readonly code: "server_error" | "rate_limit_exceeded" | "invalid_prompt";
    readonly message: string;
  } | null;
  readonly incomplete_details: { readonly reason: "max_output_tokens" | "content_filter" } | null;
  readonly model: string;
  readonly output: ResponseItem[];
  readonly previous_response_id: string | null;
  readonly usage: ResponseUsage | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly frequency_penalty: 0;
  readonly max_tool_calls: null;
  readonly presence_penalty: 0;
  readonly prompt_cache_key: null;
  readonly safety_identifier: null;
  readonly service_tier: "default";
  readonly top_logprobs: 0;
  readonly truncation: "disabled";
}

/** Where in a response an event belongs. */
export interface ResponseItemPlace {
  readonly item_id: string;
  readonly output_index: number;
}

/** Where in a message. */
export interface ResponseTextPlace extends ResponseItemPlace {
  readonly content_index: 0;
}

/** Where in a piece of reasoning. */
export interface ResponseSummaryPlace extends ResponseItemPlace {
  readonly summary_index: 0;
}

/** An event of an item, without its number. */
export type ResponseItemEvent =
  | {
      readonly type: "response.output_item.added" | "response.output_item.done";
      readonly output_index: number;
      readonly item: ResponseItem;
    }
  | (ResponseTextPlace & {
      readonly type: "response.content_part.added" | "response.content_part.done";
      readonly part: ResponseOutputText;
    })
  | (ResponseTextPlace & {
      readonly type: "response.output_text.delta";
      readonly delta: string;
      readonly logprobs: [];
    })
  | (ResponseTextPlace & {
      readonly type: "response.output_text.done";
      readonly text: string;
      readonly logprobs: [];
    })
  | (ResponseSummaryPlace & {
      readonly type: "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done";
      readonly part: ResponseSummaryText;
    })
  | (ResponseSummaryPlace & {
      readonly type: "response.reasoning_summary_text.delta";
      readonly delta: string;
    })
  | (ResponseSummaryPlace & { readonly type: "response.reasoning_summary_text.done"; readonly text: string })
  | (ResponseItemPlace & {
      readonly type: `response.${ResponseSearchItem["type"]}.${"in_progress" | "searching" | "completed"}`;
    })
  | (ResponseItemPlace & { readonly type: "response.function_call_arguments.delta"; readonly delta: string })
  | (ResponseItemPlace & {
      readonly type: "response.function_call_arguments.done";
      readonly name: string;
      readonly arguments: string;
    });

/** An event of a response, without its number. */
export type ResponseEventBody =
  | ResponseItemEvent
  | {
      readonly type:
        | "response.created"
        | "response.in_progress"
        | "response.completed"
        | "response.incomplete"
        | "response.failed";
      readonly response: ResponseObject;
    }
  | {
      readonly type: "error";
      readonly code: string;
      readonly message: string;
      readonly param: null;
    };

/** An event of a response (https://platform.openai.com/docs/api-reference/responses-streaming). */
export type ResponseStreamEvent = ResponseEventBody & {
  /** Grows from event to event, with gaps: it comes from the index of the run's event, so that it is the same each time the run is read. */
  readonly sequence_number: number;
};
