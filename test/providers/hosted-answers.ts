/** Answers in which a provider has searched the web, as each protocol tells them. */
import { anthropic } from "skein/anthropic";
import { google } from "skein/google";
import type { JsonObject, Model } from "skein";
import { openai } from "skein/openai";
import { block, framed, messageEnd, messageStart, responsesEnd, type WireEvent } from "./answers.ts";
import { googleChunk } from "./google-answers.ts";

/** A protocol whose provider executes tools. */
export type HostedProtocol = "messages" | "responses" | "google";

/** What a provider does in one answer: how it is reached, and what it sends. */
export interface HostedScenario {
  readonly provider: string;
  /** A model that offers a search of the web. */
  readonly model: (url: string) => Model;
  /** The pieces of an answer with a search and a cited text. */
  readonly pieces: readonly string[];
  /** What a request offers for the search. */
  readonly offer: JsonObject;
  /** What another provider must never see: names and secrets of this one. */
  readonly own: RegExp;
  /** The states in which the search is reported. */
  readonly states: readonly string[];
}

const apiKey = "a-key-for-tests";

/** What all of them say. */
export const answerText = "Herons are grey.";

const searching = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
const results = {
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: [
    {
      type: "web_search_result",
      url: "https://a.test/",
      title: "Herons",
      page_age: "May 2026",
      encrypted_content: "EqgfCioI==",
    },
  ],
};
const citation = {
  type: "web_search_result_location",
  url: "https://a.test/",
  title: "Herons",
  cited_text: "The grey heron",
  encrypted_index: "Eo8=",
};

/** A search of Anthropic's, with its input at once, and its result. */
export const anthropicBlocks: { readonly searching: JsonObject; readonly results: JsonObject } = {
  searching: { ...searching, input: { query: "herons" } },
  results,
};

const messagesAnswer: readonly WireEvent[] = [
  messageStart("1"),
  ...block(0, searching, { type: "input_json_delta", partial_json: '{"query":"herons"}' }),
  ...block(1, results),
  ...block(
    2,
    { type: "text", text: "", citations: [] },
    { type: "text_delta", text: answerText },
    { type: "citations_delta", citation },
  ),
  ...messageEnd("end_turn"),
];

const searchItem = {
  id: "ws_1",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", queries: ["herons"], sources: [{ type: "url", url: "https://a.test/" }] },
};
const messageItem = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [
    {
      type: "output_text",
      text: answerText,
      annotations: [
        { type: "url_citation", url: "https://a.test/", title: "Herons", start_index: 0, end_index: 6 },
      ],
    },
  ],
};

const responsesAnswer: readonly WireEvent[] = [
  {
    type: "response.output_item.added",
    output_index: 0,
    item: { id: "ws_1", type: "web_search_call", status: "in_progress" },
  },
  { type: "response.web_search_call.searching", output_index: 0, item_id: "ws_1" },
  { type: "response.output_item.done", output_index: 0, item: searchItem },
  {
    type: "response.output_item.added",
    output_index: 1,
    item: { ...messageItem, status: "in_progress", content: [] },
  },
  {
    type: "response.output_text.delta",
    output_index: 1,
    item_id: "msg_1",
    content_index: 0,
    delta: answerText,
  },
  { type: "response.output_item.done", output_index: 1, item: messageItem },
  responsesEnd("1", [searchItem, messageItem]),
];

const signature = { thoughtSignature: "CiQB+own==" };
const groundingMetadata = {
  webSearchQueries: ["herons"],
  groundingChunks: [{ web: { uri: "https://a.test/", title: "Herons" } }],
  groundingSupports: [
    { segment: { startIndex: 0, endIndex: 16, text: answerText }, groundingChunkIndices: [0] },
  ],
};

const googleAnswer: readonly WireEvent[] = [
  googleChunk("1", [
    {
      toolCall: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["herons"] } },
      ...signature,
    },
  ]),
  googleChunk("1", [{ toolResponse: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", response: {} } }]),
  googleChunk("1", [{ text: answerText }]),
  googleChunk("1", [], { finishReason: "STOP", groundingMetadata }),
];

/** Each provider that executes tools. */
export const hostedScenarios: Readonly<Record<HostedProtocol, HostedScenario>> = {
  messages: {
    provider: "anthropic",
    model: (url) =>
      anthropic("claude-sonnet-4-6", {
        apiKey,
        baseURL: url,
        providerTools: [anthropic.tools.webSearch({ maxUses: 2 })],
      }),
    pieces: framed("messages", messagesAnswer),
    offer: { type: "web_search_20250305", name: "web_search", max_uses: 2 },
    own: /web_search|srvtoolu_1|EqgfCioI|Eo8=/,
    states: ["running", "completed"],
  },
  responses: {
    provider: "openai",
    model: (url) =>
      openai.responses("gpt-5.2", {
        apiKey,
        baseURL: `${url}/v1`,
        providerTools: [openai.tools.webSearch({ searchContextSize: "low" })],
      }),
    pieces: framed("responses", responsesAnswer),
    offer: { type: "web_search", search_context_size: "low" },
    own: /web_search|ws_1/,
    states: ["running", "completed"],
  },
  google: {
    provider: "google",
    model: (url) =>
      google("gemini-3.8-flash", {
        apiKey,
        baseURL: url,
        providerTools: [google.tools.googleSearch()],
      }),
    pieces: framed("google", googleAnswer),
    offer: { googleSearch: {} },
    own: /googleSearch|GOOGLE_SEARCH|own==/,
    // The sources of a search stand at the end of the answer.
    states: ["running", "completed", "completed"],
  },
};
