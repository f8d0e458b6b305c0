import { Agent } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import type { ServeOptions } from "skein/server";
import { greeter, request, served } from "./serving.ts";

const protocols = ["native", "chat-completions", "responses", "ui-messages", "ag-ui", "a2a"] as const;

const message = { role: "user", content: "Hi" };

const agUi = {
  threadId: "t",
  runId: "r",
  messages: [{ id: "m", ...message }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
};

const uiMessage = { id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] };

const a2aMessage = { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hi" }] } };

/** A request to an agent, in the words of a protocol. */
interface ToAgent {
  readonly what: string;
  readonly path: (name: string) => string;
  readonly body?: object;
}

const rpc = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: a2aMessage };

const requests: readonly ToAgent[] = [
  { what: "native", path: (name) => `/runs/${name}`, body: { input: "Hi" } },
  { what: "Chat Completions", path: () => "/v1/chat/completions", body: { messages: [message] } },
  { what: "Responses", path: () => "/v1/responses", body: { input: "Hi" } },
  { what: "models", path: (name) => `/v1/models/${name}` },
  { what: "useChat", path: (name) => `/chat/${name}`, body: { id: "c", messages: [uiMessage] } },
  { what: "AG-UI", path: (name) => `/ag-ui/${name}`, body: agUi },
  { what: "A2A by JSON-RPC", path: (name) => `/a2a/${name}`, body: rpc },
  { what: "A2A by HTTP+JSON", path: (name) => `/a2a/${name}/message:send`, body: a2aMessage },
  { what: "a card", path: (name) => `/a2a/${name}/.well-known/agent-card.json` },
];

async function ask(
  { path, body }: ToAgent,
  name: string,
  options: ServeOptions = {},
): Promise<readonly [number, string]> {
  const agents = { greet: greeter("Greeter"), other: greeter("Other desk") };
  const server = served(agents, { protocols, ...options });
  const isOpenAi = path(name).startsWith("/v1/");
  const sent = body && { ...body, ...(isOpenAi && { model: name }) };
  const response = await server.fetch(
    request(sent ? "POST" : "GET", path(encodeURIComponent(name)), sent, { "a2a-version": "1.0" }),
  );
  return [response.status, await response.text()];
}

test.each(requests)("%s: an agent that is not served is refused with the names there are", async (each) => {
  const [status, text] = await ask(each, "nobody");
  expect([status, text]).toEqual([404, expect.stringContaining("was not found. There are: greet, other.")]);
});

test.each(requests)("$what: an agent answers to its own name, too", async (each) => {
  const [status] = await ask(each, "Other desk");
  expect(status).toBeLessThan(300);
});

test.each(requests)("$what: a user reads the names alone of agents that are theirs", async (each) => {
  const authorize = () => ({ user: "ann", agents: ["greet"] });
  for (const name of ["other", "Other desk"]) {
    const [status, text] = await ask(each, name, { authorize });
    expect([status, text]).toEqual([404, expect.stringContaining("There are: greet.")]);
  }
});

test("the name that an agent is served under comes before the name that another has", async () => {
  const answering = (name: string): Agent => new Agent({ name, model: new ScriptedModel([`I am ${name}.`]) });
  const agents = { b: answering("a"), a: answering("b") };
  const text = async (options?: ServeOptions): Promise<string> => {
    const body = { model: "a", messages: [message] };
    return (await served(agents, options).fetch(request("POST", "/v1/chat/completions", body))).text();
  };
  expect(await text()).toContain("I am b.");
  // Nor is it found by that for those who may not use the one that is served under it.
  expect(await text({ authorize: () => ({ user: "ann", agents: ["b"] }) })).toContain("There are: b.");
});
