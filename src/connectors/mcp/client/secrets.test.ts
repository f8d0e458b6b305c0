import { onTestFinished, expect, test } from "vitest";
import { Agent, run } from "../../../index.ts";
import { ScriptedModel } from "../../../testing/index.ts";
import { mcp } from "../index.ts";
import { fixture } from "./test-servers.ts";
import type { McpClientOptions, McpUrlOptions } from "./types.ts";

const token = "TOPSECRETTOKEN9xyz-0123456789";

type Reply = (words: string) => Response | object;

interface Server {
  /** What it answers, by method; anything else as a server in order would. */
  readonly [method: string]: Reply;
}

/** The credential that a request came with, in words of the server. */
function credentialIn(url: string | URL, headers: Headers): string {
  const sent =
    headers.get("authorization")?.replace("Bearer ", "") ?? headers.get("x-api-key") ?? headers.get("x-pat");
  const [inAddress] = new URL(url).searchParams.values();
  return `the credential ${sent ?? inAddress} has no access`;
}

/** Options for a server without a network. */
function addressOf(server: Server, options: Partial<McpUrlOptions>): McpUrlOptions {
  const usual: Server = {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "x", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "look", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: "looked" }] }),
    "server/discover": () => new Response(null, { status: 404 }),
  };
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method !== "POST") return new Response(null, { status: 405 });
    const { id, method } = await new Response(init.body).json();
    const reply = server[method] ?? usual[method];
    if (id === undefined || !reply) return new Response(null, { status: 202 });
    const answer = reply(credentialIn(url, new Headers(init.headers)));
    return answer instanceof Response ? answer : Response.json({ jsonrpc: "2.0", id, ...wrapped(answer) });
  };
  return { name: "x", url: "https://mcp.example/mcp", fetch, ...options };
}

function wrapped(answer: object): object {
  return "error" in answer ? answer : { result: answer };
}

/** All that a run with the server shows: messages, warnings, the JSON of its events, and its error. */
async function shownBy(options: McpClientOptions): Promise<string> {
  const tools = mcp(options);
  onTestFinished(() => tools.close());
  const shown: unknown[] = [];
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "look" }] }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [tools] });
  const { messages, warnings } = await run(agent, "Hi", { onEvent: (event) => void shown.push(event) });
  for (const event of shown)
    if (typeof event === "object" && event && "error" in event) shown.push(causesOf(event.error));
  const listed = (await tools.tools()).map(({ description }) => description);
  return JSON.stringify([messages, warnings, shown, listed]);
}

function causesOf(error: unknown): unknown {
  return error instanceof Error
    ? [String(error), Object.entries(error), error.stack, causesOf(error.cause)]
    : error;
}

const ways: readonly (readonly [string, Partial<McpUrlOptions>])[] = [
  ["a bearer token of the headers", { headers: { authorization: `Bearer ${token}` } }],
  ["a key of the headers", { headers: { "x-api-key": token } }],
  ["a token", { auth: { token } }],
  ["a token of a function", { auth: { token: () => token } }],
  ["a token of a provider", { auth: { token: async () => token, onUnauthorized: async () => undefined } }],
  ["a personal token of the headers", { headers: { "x-pat": token } }],
  ["a key in the address", { url: `https://mcp.example/mcp?api_key=${token}` }],
  ["a code in the address", { url: `https://mcp.example/mcp?code=${token}` }],
  ["a signature in the address", { url: `https://mcp.example/mcp?sig=${token}` }],
];

const forbidden = (words: string): Response => new Response(words, { status: 403 });

const places: readonly (readonly [string, Server])[] = [
  ["a refused call", { "tools/call": forbidden }],
  ["a refused handshake", { initialize: forbidden }],
  ["a refused list", { "tools/list": forbidden }],
  ["an error of the protocol", { "tools/call": (message) => ({ error: { code: -32_000, message } }) }],
  [
    "a result with isError",
    { "tools/call": (text) => ({ content: [{ type: "text", text }], isError: true }) },
  ],
  ["a result", { "tools/call": (text) => ({ content: [{ type: "text", text }] }) }],
  [
    "a structured result",
    { "tools/call": (text) => ({ content: [], structuredContent: { [text]: [text] } }) },
  ],
  [
    "a description",
    {
      "tools/list": (description) => ({
        tools: [{ name: "look", description, inputSchema: { type: "object" } }],
      }),
    },
  ],
];

test.each(
  ways.flatMap(([way, options]) => places.map(([place, server]) => [way, place, options, server] as const)),
)("%s that the server sends back in %s is not shown", async (_way, _place, options, server) => {
  const shown = await shownBy(addressOf(server, options));
  expect(shown).not.toContain(token);
  expect(shown).toContain("the credential [redacted]");
});

test("a token is hidden before and after it is renewed", async () => {
  let count = 0;
  const shown = await shownBy(
    addressOf(
      { "tools/call": (words) => ({ content: [{ type: "text", text: `${words}; before: ${token}-1` }] }) },
      { auth: { token: () => `${token}-${++count}` } },
    ),
  );
  expect(shown).not.toContain(token);
});

test("what is not a secret stays as it is", async () => {
  const shown = await shownBy(
    addressOf(
      { "tools/call": () => ({ content: [{ type: "text", text: "Bearer bonds, key 42, mcp.example" }] }) },
      { headers: { authorization: `Bearer ${token}`, "x-region-code": "mcp.example" } },
    ),
  );
  expect(shown).toContain("Bearer bonds, key 42, mcp.example");
});

test.each(["http://ada:PASSWORD-12345@127.0.0.1:9/mcp", "ftp://ada:PASSWORD-12345@127.0.0.1/mcp"])(
  "an address with a login is refused without showing it",
  (url) => {
    for (const address of [url, new URL(url)]) {
      expect(() => mcp({ url: address })).toThrow(/url of mcp\(\)/);
      expect(() => mcp({ url: address })).not.toThrow(/PASSWORD|ada/);
    }
  },
);

test("a secret of a program's environment or arguments is hidden in its answers and in its last words", async () => {
  const args = [
    fixture("telling.ts"),
    "--api-key",
    `${token}-b`,
    "--header",
    `Authorization: Bearer ${token}-c`,
  ];
  const env = {
    API_TOKEN: `${token}/a`,
    DATABASE: `postgres://ada:${token}-d@db.example/x`,
    REGION: "europe-west-4",
  };
  const shown = await shownBy({ command: "node", args, env, name: "telling" });
  expect(shown).not.toContain(token);
  expect(shown).not.toContain(encodeURIComponent(`${token}/a`));
  expect(shown).toContain("europe-west-4");
  const dying = await shownBy({ command: "node", args: [...args, "die"], env, name: "telling" });
  expect(dying).toContain("The last it said");
  expect(dying).not.toContain(token);
  expect(dying).not.toContain(encodeURIComponent(`${token}/a`));
  expect(dying).not.toMatch(/\\u001b|\[31m/);
});
