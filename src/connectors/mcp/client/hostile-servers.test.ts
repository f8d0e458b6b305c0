import { expect, test, vi } from "vitest";
import { isPlainObject } from "../../../base/util/json.ts";
import { mcp } from "./mcp.ts";
import type { McpToolset } from "./toolset.ts";
import type { McpUrlOptions } from "./types.ts";

type Answer = (params: Readonly<Record<string, unknown>>) => object;

const offered = { context: {}, agent: undefined, messages: [] };

/** A server that answers each method with a result, without a network. */
function serverOf(
  answers: Readonly<Record<string, Answer>>,
  options: { maxTools?: number; maxMessageBytes?: number } = {},
): {
  readonly tools: McpToolset;
  readonly requests: string[];
} {
  const requests: string[] = [];
  const all: Readonly<Record<string, Answer>> = {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: "hostile", version: "1" },
    }),
    ...answers,
  };
  const fetch = async (_url: string | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params = {} } = await new Response(init.body).json();
    requests.push(method);
    const result = all[method]?.(params);
    if (id === undefined || !result) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: "2.0", id, result });
  };
  const tools = mcp({
    url: "https://mcp.example/mcp",
    name: "hostile",
    protocol: "legacy",
    fetch,
    ...options,
  });
  return { tools, requests };
}

function page(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${from + index}`,
    inputSchema: { type: "object" },
  }));
}

test("an endless list of tools ends with the page that has enough of them", async () => {
  let pages = 0;
  const { tools, requests } = serverOf({
    "tools/list": () => ({ tools: page(pages++ * 600, 600), nextCursor: `page ${pages}` }),
  });
  const warnings: string[] = [];
  const listed = await tools.tools({ ...offered, warn: (message) => void warnings.push(message) });
  expect(listed).toHaveLength(1_000);
  expect(requests.filter((method) => method === "tools/list")).toHaveLength(2);
  expect(warnings.join("\n")).toContain("only the first 1000 are taken");
  await tools.close();
});

test("pages without tools, or full of words, end as well", async () => {
  let pages = 0;
  const { tools, requests } = serverOf(
    {
      "tools/list": () => ({
        tools: [{ name: `t${pages}`, description: "x".repeat(50_000), inputSchema: { type: "object" } }],
        nextCursor: `page ${pages++}`,
      }),
    },
    { maxMessageBytes: 200_000 },
  );
  expect((await tools.tools(offered)).length).toBeLessThan(10);
  expect(requests.filter((method) => method === "tools/list").length).toBeLessThan(10);
  await tools.close();
});

test("an endless list of resources ends", async () => {
  let pages = 0;
  const { tools, requests } = serverOf({
    "resources/list": () => ({
      resources: Array.from({ length: 900 }, (_, index) => ({ uri: `x://${pages}/${index}`, name: "r" })),
      nextCursor: `page ${pages++}`,
    }),
  });
  expect((await tools.resources()).length).toBeLessThan(3_000);
  expect(requests.filter((method) => method === "resources/list").length).toBeLessThan(5);
  await tools.close();
});

/** What hides text: a tag, a right-to-left mark, a variation selector, joiners. */
const hidden = [
  "\u{E0041}",
  "\u202E",
  "\u200B",
  "\u{E0100}",
  "\u00AD",
  "\u3164",
  "\uFE00\uFE01",
  "\u200D\u200C",
];

test.each(hidden)(
  "names, enums, defaults and words of a schema have nothing invisible (case %#)",
  async (sign) => {
    const { tools } = serverOf({
      "tools/list": () => ({
        tools: [
          {
            name: `act${sign}`,
            title: `Act${sign}`,
            description: `Acts${sign}.`,
            inputSchema: {
              type: "object",
              properties: {
                [`secret${sign}`]: { type: "string" },
                unit: {
                  enum: ["celsius", `ignore${sign}`],
                  default: `x${sign}`,
                  description: `A unit${sign}`,
                },
                other: {
                  anyOf: [
                    { const: `c${sign}` },
                    { type: "string", examples: [`e${sign}`], $comment: `n${sign}` },
                  ],
                },
              },
              required: ["unit", `secret${sign}`],
            },
          },
        ],
      }),
    });
    const [tool] = await tools.tools(offered);
    expect(
      JSON.stringify([tool?.name, tool?.description, tool?.annotations, tool?.inputSchema.jsonSchema]),
    ).not.toContain(sign);
    const properties = tool?.inputSchema.jsonSchema["properties"];
    expect(isPlainObject(properties) && Object.keys(properties)).toEqual(["unit", "other"]);
    expect(properties).toMatchObject({ unit: { enum: ["celsius"], description: "A unit" } });
    expect(tool?.inputSchema.jsonSchema["required"]).toEqual(["unit"]);
    await tools.close();
  },
);

test("family emoji and Persian words stay as they are", async () => {
  const words = "👩‍👩‍👧 ❤️ می‌خواهم";
  const { tools } = serverOf({
    "tools/list": () => ({
      tools: [
        {
          name: "act",
          description: words,
          inputSchema: { type: "object", properties: { a: { enum: [words] } } },
        },
      ],
    }),
  });
  const [tool] = await tools.tools(offered);
  expect(tool?.description).toBe(words);
  expect(tool?.inputSchema.jsonSchema["properties"]).toEqual({ a: { enum: [words] } });
  await tools.close();
});

test("a pattern of a server that would take ages is tested at once", async () => {
  const { tools } = serverOf({
    "tools/list": () => ({
      tools: [
        {
          name: "act",
          inputSchema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } },
        },
      ],
    }),
  });
  const [tool] = await tools.tools(offered);
  const startedAt = performance.now();
  expect(tool?.inputSchema.validate({ a: `${"a".repeat(10_000)}!` }).ok).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(40_000);
  await tools.close();
});

test("a clock that is set back does not keep a server away", async () => {
  let isDown = true;
  const fetch = async (_url: string | URL, init?: RequestInit): Promise<Response> => {
    if (isDown) throw new TypeError("fetch failed");
    const { id, method } = await new Response(init?.body ?? "{}").json();
    if (id === undefined) return new Response(null, { status: init?.method === "POST" ? 202 : 405 });
    const result =
      method === "initialize"
        ? {
            protocolVersion: "2025-06-18",
            capabilities: { tools: {} },
            serverInfo: { name: "s", version: "1" },
          }
        : { tools: page(0, 1) };
    return Response.json({ jsonrpc: "2.0", id, result });
  };
  const tools = mcp({ url: "https://mcp.example/mcp", protocol: "legacy", fetch });
  await tools.tools(offered);
  isDown = false;
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now - 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await tools.tools(offered)).toHaveLength(1);
  await tools.close();
});

/** A server that wants an authorization, and says where that is given. */
function protectedServer(
  challenge: string,
  metadata: Readonly<Record<string, object>>,
): {
  readonly fetch: typeof globalThis.fetch;
  readonly requested: string[];
} {
  const requested: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    requested.push(url.href);
    if (url.pathname === "/mcp")
      return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
    const answer = metadata[url.href] ?? metadata[url.pathname];
    if (answer && "location" in answer)
      return new Response(null, { status: 302, headers: { location: String(answer.location) } });
    return answer ? Response.json(answer) : new Response(null, { status: 404 });
  };
  return { fetch, requested };
}

const inside = [
  "http://169.254.169.254/latest",
  "http://127.0.0.1:9/meta",
  "http://[::1]/meta",
  "http://10.0.0.1/meta",
  "http://localhost/meta",
];

test.each(inside)(
  "metadata of another origin is not requested from %s, directly or by a redirect",
  async (address) => {
    const openBrowser = vi.fn<(address: URL) => Promise<void>>();
    const auth = { openBrowser };
    const named = protectedServer(`Bearer resource_metadata="${address}"`, {});
    const first = mcp({
      url: "https://mcp.example/mcp",
      auth,
      fetch: named.fetch,
      required: true,
      connectTimeout: 3_000,
    });
    await expect(first.tools(offered)).rejects.toThrow("cannot be used");
    const redirecting = protectedServer("Bearer", {
      "/.well-known/oauth-protected-resource/mcp": { location: address },
    });
    const second = mcp({
      url: "https://mcp.example/mcp",
      auth: { openBrowser },
      fetch: redirecting.fetch,
      required: true,
      connectTimeout: 3_000,
    });
    await expect(second.tools(offered)).rejects.toThrow("cannot be used");
    expect(
      [...named.requested, ...redirecting.requested].filter((url) => url.startsWith(new URL(address).origin)),
    ).toEqual([]);
    expect(openBrowser).not.toHaveBeenCalled();
  },
);

test.each(["javascript:alert(1)", "file:///etc/passwd", "vscode://open", "data:text/html,x"])(
  "a page for people at %s is not opened",
  async (page) => {
    const openBrowser = vi.fn<(address: URL) => Promise<void>>();
    const issuer = "https://auth.example";
    const { fetch } = protectedServer("Bearer", {
      "/.well-known/oauth-protected-resource/mcp": {
        resource: "https://mcp.example/mcp",
        authorization_servers: [issuer],
      },
      "/.well-known/oauth-authorization-server": {
        issuer,
        authorization_endpoint: page,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      },
    });
    const auth = { openBrowser, clientId: "me" };
    const tools = mcp({ url: "https://mcp.example/mcp", auth, fetch, required: true, connectTimeout: 3_000 });
    await expect(tools.tools(offered)).rejects.toThrow("cannot be used");
    expect(openBrowser).not.toHaveBeenCalled();
  },
);

const person = "https://auth.example";

/** A server with an authorization server of its own at `issuer`. */
function authorizedBy(issuer: string, changes: object = {}): ReturnType<typeof protectedServer> {
  return protectedServer("Bearer", {
    "/.well-known/oauth-protected-resource/mcp": {
      resource: "https://mcp.example/mcp",
      authorization_servers: [issuer],
    },
    "/.well-known/oauth-authorization-server": {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      ...changes,
    },
  });
}

const robot = { clientId: "robot", clientSecret: "s3cret-of-the-robot" };

const toolsOf = (options: Pick<McpUrlOptions, "fetch" | "auth">): McpToolset =>
  mcp({ url: "https://mcp.example/mcp", ...options, required: true, connectTimeout: 3_000 });

test.each([
  ["metadata", authorizedBy("http://auth.example")],
  ["tokens", authorizedBy(person, { token_endpoint: "http://auth.example/token" })],
])("%s of an authorization server are not requested without encryption", async (_title, server) => {
  const { fetch, requested } = server;
  const tools = toolsOf({ fetch, auth: robot });
  await expect(tools.tools(offered)).rejects.toThrow(/not encrypted|non-https token endpoint/);
  expect(requested.filter((url) => url.startsWith("http:"))).toEqual([]);
});

test("a page for people is not opened without encryption", async () => {
  const openBrowser = vi.fn<(address: URL) => Promise<void>>();
  const { fetch } = authorizedBy(person, { authorization_endpoint: "http://auth.example/authorize" });
  const auth = { openBrowser, clientId: "me" };
  const tools = toolsOf({ fetch, auth });
  await expect(tools.tools(offered)).rejects.toThrow("http://auth.example is not encrypted");
  expect(openBrowser).not.toHaveBeenCalled();
});

test("tokens may come from another host than the issuer's, which is named by the issuer itself", async () => {
  const { fetch, requested } = authorizedBy(person, { token_endpoint: "https://tokens.example/token" });
  const tools = toolsOf({ fetch, auth: robot });
  await expect(tools.tools(offered)).rejects.toThrow("cannot be used");
  expect(requested).toContain("https://tokens.example/token");
});

test("a secret goes to no issuer but the one it was registered with", async () => {
  const { fetch, requested } = authorizedBy("https://evil.example");
  const auth = { ...robot, issuer: person };
  const tools = mcp({ url: "https://mcp.example/mcp", auth, fetch, required: true, connectTimeout: 3_000 });
  await expect(tools.tools(offered)).rejects.toThrow("cannot be used");
  expect(requested.filter((url) => url.endsWith("/token"))).toEqual([]);
});

const never = new Promise<never>(() => undefined);
const drip = (): Response => new Response(new ReadableStream({ pull: () => never }));

test.each<readonly [string, (url: URL) => Response | Promise<Response> | undefined]>([
  [
    "metadata of the resource",
    ({ pathname }) => (pathname.includes("protected-resource") ? never : undefined),
  ],
  [
    "metadata, once begun,",
    ({ pathname }) => (pathname.includes("authorization-server") ? drip() : undefined),
  ],
  ["tokens", ({ pathname }) => (pathname === "/token" ? never : undefined)],
])("%s that never come end with an error", async (_title, hang) => {
  const { fetch } = authorizedBy(person);
  const hanging: typeof fetch = async (input, init) =>
    hang(new URL(input instanceof Request ? input.url : input)) ?? fetch(input, init);
  for (const auth of [robot, { clientId: "me", openBrowser: () => undefined, timeout: 200 }]) {
    const tools = mcp({
      url: "https://mcp.example/mcp",
      auth,
      fetch: hanging,
      required: true,
      connectTimeout: 200,
    });
    await expect(tools.tools(offered)).rejects.toThrow(/did not answer within 200 ms|nobody allowed it/);
  }
});
