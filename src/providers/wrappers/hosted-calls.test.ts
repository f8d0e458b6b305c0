import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import type { AssistantMessage } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";
import { citationsOf } from "./citations.ts";
import { hostedCalls } from "./hosted-calls.ts";

function answer(provider: string, ...data: readonly JsonValue[]): AssistantMessage {
  const content = data.map((each): AssistantPart => ({
    type: "provider",
    providerData: { provider, data: each },
  }));
  return { role: "assistant", content, toolCalls: [] };
}

function serverUse(name: string, input: JsonObject): JsonObject {
  return { type: "server_tool_use", id: "s1", name, input };
}

function result(type: string, content: JsonValue, more: JsonObject = {}): JsonObject {
  return { type: `${type}_tool_result`, tool_use_id: "s1", content, ...more };
}

describe("calls of Anthropic's tools", () => {
  test.each<[string, JsonObject, JsonObject, object]>([
    [
      "a page that was read",
      serverUse("web_fetch", { url: "https://a.test" }),
      result("web_fetch", {
        type: "web_fetch_result",
        url: "https://a.test",
        retrieved_at: "2026-05-01",
        content: {
          type: "document",
          title: "A",
          source: { type: "text", media_type: "text/plain", data: "Hi" },
        },
      }),
      {
        tool: "webFetch",
        input: { urls: ["https://a.test"] },
        results: [{ url: "https://a.test", title: "A", age: "2026-05-01", text: "Hi" }],
      },
    ],
    [
      "a PDF, whose content is not text",
      serverUse("web_fetch", { url: "https://a.test/b.pdf" }),
      result("web_fetch", {
        type: "web_fetch_result",
        url: "https://a.test/b.pdf",
        content: { type: "document", title: null, source: { type: "base64", data: "JVBE" } },
      }),
      { tool: "webFetch", results: [{ url: "https://a.test/b.pdf" }] },
    ],
    [
      "Python that ran",
      serverUse("code_execution", { code: "print(1)" }),
      result("code_execution", {
        type: "code_execution_result",
        stdout: "1\n",
        stderr: "",
        return_code: 0,
        content: [],
      }),
      { tool: "codeExecution", input: { code: "print(1)" }, output: { stdout: "1\n", exitCode: 0 } },
    ],
    [
      "a command that ran",
      serverUse("bash_code_execution", { command: "ls x" }),
      result("bash_code_execution", { stdout: "", stderr: "no x", return_code: 2, content: [] }),
      {
        tool: "codeExecution",
        name: "bash_code_execution",
        input: { code: "ls x" },
        output: { stdout: "", stderr: "no x", exitCode: 2 },
      },
    ],
    [
      "code whose output is encrypted",
      serverUse("code_execution", { code: "1" }),
      result("code_execution", {
        type: "encrypted_code_execution_result",
        encrypted_stdout: "Eo8=",
        return_code: 0,
      }),
      { tool: "codeExecution", status: "completed" },
    ],
    [
      "a search that failed",
      serverUse("web_search", { query: "x" }),
      result("web_search", { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" }),
      { tool: "webSearch", status: "failed", error: "max_uses_exceeded", results: [] },
    ],
    [
      "a call of an MCP server that failed",
      { type: "mcp_tool_use", id: "s1", name: "feed", server_name: "birds", input: { bird: "heron" } },
      {
        type: "mcp_tool_result",
        tool_use_id: "s1",
        is_error: true,
        content: [{ type: "text", text: "Asleep." }],
      },
      { tool: "other", name: "feed", input: { bird: "heron" }, status: "failed", error: "Asleep." },
    ],
    [
      "a tool that is not known",
      serverUse("dream", { of: "herons" }),
      result("dream", { wings: 2 }),
      { tool: "other", name: "dream", input: { of: "herons" }, output: { wings: 2 } },
    ],
  ])("%s", (_, call, end, expected) => {
    expect(hostedCalls(answer("anthropic", call, end))).toMatchObject([
      { provider: "anthropic", id: "s1", status: "completed", raw: [call, end], ...expected },
    ]);
    expect(hostedCalls(answer("anthropic", call))).toMatchObject([{ status: "running", raw: [call] }]);
    expect(hostedCalls([answer("anthropic", call), answer("anthropic", end)])).toEqual(
      hostedCalls(answer("anthropic", call, end)),
    );
  });
});

describe("calls of OpenAI's tools", () => {
  test.each<[string, JsonObject, object]>([
    [
      "a page that the model opened",
      {
        type: "web_search_call",
        id: "w1",
        status: "completed",
        action: { type: "open_page", url: "https://a.test" },
      },
      { tool: "webFetch", name: "web_search", input: { urls: ["https://a.test"] } },
    ],
    [
      "an older search, with one query",
      { type: "web_search_call", id: "w1", status: "completed", action: { type: "search", query: "x" } },
      { tool: "webSearch", input: { queries: ["x"] }, results: [] },
    ],
    [
      "a search of files",
      {
        type: "file_search_call",
        id: "f1",
        status: "completed",
        queries: ["a", "b"],
        results: [
          { file_id: "file_1", filename: "a.md", score: 0.9, text: "Hi", attributes: {} },
          { score: "?" },
        ],
      },
      {
        tool: "fileSearch",
        input: { queries: ["a", "b"] },
        results: [{ fileId: "file_1", filename: "a.md", score: 0.9, text: "Hi" }, {}],
      },
    ],
    [
      "code that ran",
      {
        type: "code_interpreter_call",
        id: "c1",
        status: "completed",
        code: "print(1)",
        outputs: [
          { type: "logs", logs: "1\n" },
          { type: "image", url: "https://a.test/i.png" },
        ],
      },
      { tool: "codeExecution", input: { code: "print(1)" }, output: { stdout: "1\n" } },
    ],
    [
      "a search that failed",
      { type: "file_search_call", id: "f1", status: "failed", queries: [] },
      { tool: "fileSearch", status: "failed", error: "failed" },
    ],
    [
      "a call of an MCP server",
      {
        type: "mcp_call",
        id: "m1",
        name: "feed",
        arguments: "{}",
        output: "fed",
        error: null,
        server_label: "birds",
      },
      { tool: "other", name: "feed", input: "{}", output: "fed", status: "completed" },
    ],
    [
      "a call of an MCP server that failed",
      {
        type: "mcp_call",
        id: "m1",
        name: "feed",
        arguments: "{}",
        error: { type: "http_error", message: "502" },
      },
      { tool: "other", status: "failed", error: "502" },
    ],
  ])("%s", (_, item, expected) => {
    expect(hostedCalls(answer("openai", { item }))).toMatchObject([
      { provider: "openai", raw: [item], ...expected },
    ]);
  });

  test("an image is a part of its own, and the call that drew it is read from it", () => {
    const item = { type: "image_generation_call", id: "i1", status: "completed", revised_prompt: "A heron" };
    const content: AssistantPart[] = [
      {
        type: "image",
        url: "data:image/png;base64,iVBO",
        providerData: { provider: "openai", data: { item } },
      },
    ];
    expect(hostedCalls({ role: "assistant", content, toolCalls: [] })).toMatchObject([
      { tool: "imageGeneration", id: "i1", input: { prompt: "A heron" }, status: "completed" },
    ]);
  });

  test("what the program has to execute itself, and what is not a call, is none", () => {
    const items = ["local_shell_call", "computer_call", "reasoning", "mcp_list_tools", "compaction"];
    expect(hostedCalls(answer("openai", ...items.map((type) => ({ item: { type, id: type } }))))).toEqual([]);
  });
});

describe("calls of Google's tools", () => {
  test("code is followed by its result, with ids or without", () => {
    const code = (n: number): JsonObject => ({ executableCode: { language: "PYTHON", code: `print(${n})` } });
    const done = (output: string): JsonObject => ({ codeExecutionResult: { outcome: "OUTCOME_OK", output } });
    const failed = { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "?", id: "e1" } };
    const named = { executableCode: { code: "x", id: "e1" } };
    expect(
      hostedCalls(answer("google", code(1), done("1"), code(1), done("1"), named, failed)),
    ).toMatchObject([
      { tool: "codeExecution", input: { code: "print(1)" }, output: { stdout: "1" }, status: "completed" },
      { tool: "codeExecution", input: { code: "print(1)" }, output: { stdout: "1" }, status: "completed" },
      { tool: "codeExecution", id: "e1", status: "failed", error: "OUTCOME_FAILED", output: { stdout: "?" } },
    ]);
  });

  test("searches, pages, passages and places are read from the sources of an answer", () => {
    const metadata = {
      groundingMetadata: {
        webSearchQueries: ["herons"],
        groundingChunks: [
          { web: { uri: "https://a.test", title: "A" } },
          { retrievedContext: { title: "b.md", text: "Hi", documentName: "documents/b" } },
          { maps: { uri: "https://maps.test", title: "Pond", placeId: "p" } },
        ],
      },
      urlContextMetadata: {
        urlMetadata: [
          { retrievedUrl: "https://c.test", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
          { retrievedUrl: "https://d.test", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_PAYWALL" },
        ],
      },
    };
    expect(hostedCalls(answer("google", { metadata }))).toMatchObject([
      { tool: "webSearch", input: { queries: ["herons"] }, results: [{ url: "https://a.test", title: "A" }] },
      { tool: "fileSearch", results: [{ fileId: "documents/b", filename: "b.md", text: "Hi" }] },
      { tool: "other", name: "googleMaps", output: [{ title: "Pond" }] },
      {
        tool: "webFetch",
        status: "completed",
        input: { urls: ["https://c.test", "https://d.test"] },
        results: [{ url: "https://c.test" }],
      },
    ]);
  });
});

test("calls of an AI SDK provider are in its package's form", () => {
  const call = { type: "tool-call", toolCallId: "t1", toolName: "web_search", input: { query: "x" } };
  const end = {
    type: "tool-result",
    toolCallId: "t1",
    toolName: "web_search",
    result: [{ url: "https://a.test" }],
  };
  expect(hostedCalls(answer("ai-sdk/x", call, end))).toMatchObject([
    { tool: "other", name: "web_search", input: { query: "x" }, output: [{ url: "https://a.test" }] },
  ]);
  expect(hostedCalls(answer("ai-sdk/x", call, { ...end, isError: true, result: "no" }))).toMatchObject([
    { status: "failed", error: "no" },
  ]);
});

test("whatever a part holds, reading it never fails", () => {
  const values: readonly JsonValue[] = [
    null,
    1,
    "x",
    [],
    {},
    { type: 1 },
    { item: null },
    { item: [] },
    { metadata: [] },
  ];
  const keys = [
    "type",
    "content",
    "input",
    "action",
    "results",
    "groundingMetadata",
    "toolCall",
    "executableCode",
  ];
  const nested = keys.flatMap((key) => values.map((value): JsonObject => ({ [key]: value })));
  const uses = values.map((input): JsonObject => ({
    type: "server_tool_use",
    name: "web_search",
    id: "s1",
    input,
  }));
  const ends = values.map((content) => result("web_search", content));
  const items = ["web_search_call", "file_search_call", "code_interpreter_call", "mcp_call"].flatMap((type) =>
    nested.map((fields): JsonObject => ({ item: { ...fields, type } })),
  );
  const metadata = nested.map((fields): JsonObject => ({ metadata: fields }));
  const all = [...values, ...nested, ...uses, ...ends, ...items, ...metadata];
  for (const one of all) {
    expect(() => hostedCalls(answer("x", one, one))).not.toThrow();
    expect(() => citationsOf(answer("x", one))).not.toThrow();
  }
  expect(() => hostedCalls(answer("x", ...all))).not.toThrow();
});

describe("citations", () => {
  const text = (value: string, provider: string, data: JsonValue): AssistantMessage => ({
    role: "assistant",
    content: [{ type: "text", text: value, providerData: { provider, data } }],
    toolCalls: [],
  });

  test("of Anthropic are those of a whole text", () => {
    const citations = [
      { type: "web_search_result_location", url: "https://a.test", title: "A", cited_text: "grey" },
      { type: "char_location", document_title: "b.pdf", file_id: "file_1", cited_text: "wings" },
    ];
    expect(citationsOf(text("They are grey.", "anthropic", { citations }))).toEqual([
      {
        provider: "anthropic",
        text: "They are grey.",
        url: "https://a.test",
        title: "A",
        quote: "grey",
        raw: citations[0],
      },
      {
        provider: "anthropic",
        text: "They are grey.",
        title: "b.pdf",
        fileId: "file_1",
        quote: "wings",
        raw: citations[1],
      },
    ]);
  });

  test("of OpenAI are those of a piece of a text, or of a file after it", () => {
    const annotations = [
      { type: "url_citation", url: "https://a.test", title: "A", start_index: 0, end_index: 4 },
      { type: "file_citation", file_id: "file_1", filename: "b.md", index: 9 },
    ];
    const data = { item: { type: "message" }, content: { type: "output_text", annotations } };
    expect(citationsOf([text("They are grey.", "openai", data)])).toMatchObject([
      { text: "They", url: "https://a.test", title: "A" },
      { text: "They are grey.", fileId: "file_1", title: "b.md" },
    ]);
  });

  test("of Google name the places of their sources", () => {
    const metadata = {
      groundingMetadata: {
        groundingChunks: [
          { web: { uri: "https://a.test", title: "A" } },
          { retrievedContext: { title: "b.md", text: "wings", documentName: "documents/b" } },
        ],
        groundingSupports: [
          { segment: { text: "grey" }, groundingChunkIndices: [1, 0, 7] },
          { segment: null },
        ],
      },
    };
    expect(citationsOf(answer("google", { metadata }))).toMatchObject([
      { text: "grey", fileId: "documents/b", title: "b.md", quote: "wings" },
      { text: "grey", url: "https://a.test", title: "A" },
    ]);
  });
});
