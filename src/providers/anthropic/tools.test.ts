import { expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { ModelRequest } from "../../model/types.ts";
import { anthropic } from "./model.ts";
import { buildRequest } from "./request.ts";
import type { AnthropicTool } from "./tools.ts";

const { tools } = anthropic;
const hello: Message = { role: "user", content: "Hi" };
const weather = { name: "weather", inputSchema: { type: "object" as const } };
const mark = { cache_control: { type: "ephemeral" } };

function bodyOf(providerTools: readonly AnthropicTool[], request: Partial<ModelRequest> = {}): object {
  const target = { provider: "anthropic", modelId: "claude-opus-4-5", isFirstParty: true, providerTools };
  return buildRequest({ messages: [hello], ...request }, target).body;
}

test("options are sent under the names of the API", () => {
  expect(
    tools.webSearch({ maxUses: 3, allowedDomains: ["a.org"], userLocation: { city: "Paris" } }).definition,
  ).toEqual({
    type: "web_search_20250305",
    name: "web_search",
    max_uses: 3,
    allowed_domains: ["a.org"],
    user_location: { type: "approximate", city: "Paris" },
  });
  expect(
    tools.webFetch({ version: "20260318", citations: true, maxContentTokens: 900, useCache: false })
      .definition,
  ).toEqual({
    type: "web_fetch_20260318",
    name: "web_fetch",
    citations: { enabled: true },
    max_content_tokens: 900,
    use_cache: false,
  });
  expect(tools.codeExecution().definition).toEqual({
    type: "code_execution_20250825",
    name: "code_execution",
  });
});

test("a tool never changes, whatever becomes of its options", () => {
  const allowedDomains = ["a.org"];
  const tool = tools.webSearch({ allowedDomains });
  allowedDomains.push("b.org");
  expect(tool.definition["allowed_domains"]).toEqual(["a.org"]);
  expect(Object.isFrozen(tool.definition)).toBe(true);
});

test("what the API refuses is an error that names the option", () => {
  expect(() => tools.webSearch({ allowedDomains: [] })).toThrow(
    "allowedDomains of anthropic.tools.webSearch({ ... }) is empty.",
  );
  for (const create of [tools.webSearch, tools.webFetch, tools.codeExecution])
    expect(() => create(JSON.parse("null"))).toThrow(expect.objectContaining({ code: "invalid-option" }));
  expect(() => tools.webSearch({ allowedDomains: ["a.org"], blockedDomains: ["b.org"] })).toThrow(
    "anthropic.tools.webSearch({ ... }) has allowedDomains and blockedDomains. Pass one of the two.",
  );
  expect(() => tools.webFetch({ blockedDomains: ["https://b.org"] })).toThrow(
    'blockedDomains of anthropic.tools.webFetch({ ... }) has "https://b.org". Pass a list of domains without "https://"',
  );
  expect(() => tools.webSearch({ maxUses: 0.5 })).toThrow(
    "maxUses of anthropic.tools.webSearch({ ... }) is 0.5. Pass a whole number of at least 1.",
  );
  expect(() => tools.webFetch({ useCache: true })).toThrow(
    'useCache of anthropic.tools.webFetch({ ... }) needs a later version of the tool. Pass version: "20260309" with it.',
  );
  const misspelled: object = { maxUse: 1 };
  expect(() => tools.webSearch(misspelled)).toThrow(
    'anthropic.tools.webSearch({ ... }) has no option "maxUse". Did you mean "maxUses"?',
  );
  const old: object = { version: "20250825", name: "x" };
  expect(() => tools.codeExecution(old)).toThrow('has no option "name"');
});

test("they come first, so that the breakpoint after the tools is behind them", () => {
  expect(bodyOf([tools.webSearch()], { tools: [weather] })).toMatchObject({
    tools: [{ name: "web_search" }, { name: "weather", ...mark }],
  });
});

test("a request with no functions has a breakpoint after them, and no tool_choice", () => {
  const body = bodyOf([tools.webSearch()]);
  expect(body).toMatchObject({ tools: [{ name: "web_search", ...mark }] });
  expect(body).not.toHaveProperty("tool_choice");
  expect(bodyOf([tools.webSearch()], { settings: { cache: false } })).toMatchObject({
    tools: [{ type: "web_search_20250305", name: "web_search" }],
  });
});

test("they stay allowed after a handoff, where functions of the history are only declared", () => {
  const history: Message[] = [
    hello,
    {
      role: "assistant",
      content: [],
      toolCalls: [{ toolCallId: "c1", toolName: "weather", arguments: "{}" }],
    },
    {
      role: "tool",
      result: {
        toolCallId: "c1",
        toolName: "weather",
        content: [{ type: "text", text: "Sunny" }],
        isError: false,
        outcome: "success",
      },
    },
  ];
  const body = bodyOf([tools.webSearch()], { messages: history });
  expect(body).toMatchObject({ tools: [{ name: "web_search" }, { name: "weather" }] });
  expect(body).not.toHaveProperty("tool_choice");
  expect(bodyOf([], { messages: history })).toMatchObject({ tool_choice: { type: "none" } });
});

test("those of providerOptions are added to them", () => {
  const settings = { providerOptions: { tools: [{ type: "memory_20250818", name: "memory" }] } };
  expect(bodyOf([tools.webSearch()], { settings })).toMatchObject({
    tools: [{ name: "web_search" }, { name: "memory" }],
  });
});

test("code goes on in the container that it ran in", () => {
  const container = { id: "box", expires_at: "2999-01-01T00:00:00Z", type: "container" };
  const messages: Message[] = [
    hello,
    {
      role: "assistant",
      content: [{ type: "provider", providerData: { provider: "anthropic", data: container } }],
      toolCalls: [],
    },
    hello,
  ];
  expect(bodyOf([tools.codeExecution()], { messages })).toMatchObject({ container: "box" });
  expect(bodyOf([], { messages })).not.toHaveProperty("container");
});

test("a model refuses another provider's tools, functions and the same tool twice", () => {
  const other: object = { ...tools.webSearch(), provider: "openai" };
  const wrong = (providerTools: unknown): object => ({ providerTools });
  expect(() => anthropic("claude-x", wrong([other]))).toThrow(
    'providerTools[0] of anthropic("claude-x", { ... }) is openai.tools.webSearch(), which only openai executes.',
  );
  expect(() => anthropic("claude-x", wrong([() => 1]))).toThrow(
    'providerTools[0] of anthropic("claude-x", { ... }) is a function. Pass a list of anthropic.tools, such as [anthropic.tools.webSearch()]. Functions go into the agent\'s tools.',
  );
  expect(() => anthropic("claude-x", wrong(tools.webSearch()))).toThrow(
    'providerTools of anthropic("claude-x", { ... }) is',
  );
  expect(() => anthropic("claude-x", { providerTools: [tools.webSearch(), tools.webSearch()] })).toThrow(
    'providerTools[1] of anthropic("claude-x", { ... }) is the second anthropic.tools.webSearch(). Pass it once.',
  );
});
