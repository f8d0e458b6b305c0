import { afterEach, expect, test, vi } from "vitest";
import { Agent, run } from "../../index.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { openapi, type OpenApiAuth } from "./index.ts";
import { call, serve, type TestServer, textOf } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

let server: TestServer | undefined;

afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
});

const securitySchemes = {
  key: { type: "apiKey", in: "header", name: "x-key" },
  token: { type: "http", scheme: "bearer" },
  user: { type: "http", scheme: "basic" },
  client: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/token", scopes: { read: "" } } } },
  code: { type: "oauth2", flows: { authorizationCode: {} } },
  tls: { type: "mutualTLS" },
};

const secured = (...security: readonly object[]): Record<string, unknown> =>
  documentOf({ security }, { components: { securitySchemes } });

/** What a request is sent with. */
async function sent(security: readonly object[], auth: OpenApiAuth): Promise<string | undefined> {
  server = await serve((_request, response) => void response.end("ok"));
  const result = await call(openapi(secured(...security), { baseUrl: server.url, auth }), "ask", {});
  await server.close();
  return server.requests[0] ?? textOf(result);
}

const user = { username: "ann", password: "pw" };

test.each([
  [
    "the first alternative that there is all of",
    [{ key: [], token: [] }, { token: [] }],
    { token: "t" },
    "authorization: Bearer t",
  ],
  [
    "all of an alternative",
    [{ key: [], token: [] }, { token: [] }],
    { token: "t", key: "k" },
    "authorization: Bearer t\nx-key: k",
  ],
  ["credentials, though it would do without", [{}, { key: [] }], { key: "k" }, "x-key: k"],
  ["nothing where nothing is needed", [{}], { key: "k" }, ""],
  ["one secret for whatever takes one", [{ user: [] }, { code: [] }], "s", "authorization: Bearer s"],
  [
    "what a function gives",
    [{ user: [] }],
    { user: { ...user, password: async () => "later" } },
    "authorization: Basic YW5uOmxhdGVy",
  ],
] as const)("a request has %s", async (_what, security, auth, headers) => {
  expect(await sent(security, auth)).toBe(`GET /ask${headers === "" ? "" : `\n${headers}`}`);
});

test.each([
  [[{ key: [] }], { token: "x" }, "key"],
  [[{ user: [] }], { user: "a word alone" }, "user"],
  [[{ key: [], token: [] }, { tls: [] }], { token: "t" }, "key with token, or tls"],
  [[{ unknown: [] }], { key: "k" }, "unknown"],
] as const)("%o is not asked without what it needs", async (security, auth, names) => {
  const words = "ask failed: it needs credentials that the program has not given (auth of openapi()): ";
  expect(await sent(security, auth)).toBe(words + names);
});

const nothing: () => string = () => JSON.parse('{"forgotten":1}').token;
test.each<[string, OpenApiAuth]>([
  ["an empty text", ""],
  ["undefined", nothing],
  ["an empty text", { token: async () => "" }],
])("a credential that is %s is an error, and nothing is sent", async (what, auth) => {
  expect(await sent([{ token: [] }], auth)).toBe(
    `ask failed: a credential of the program is ${what} (auth of openapi()), so nothing was sent`,
  );
});

test.each(["X-HTTP-Method-Override", "x-http-method", "X-Method-Override"])(
  "the model cannot make another method of a request by the header %s",
  async (name) => {
    server = await serve((_request, response) => void response.end("ok"));
    const document = documentOf({ parameters: [{ name, in: "header", schema: { type: "string" } }] });
    const set = openapi(document, { baseUrl: server.url });
    const [tool] = await set.tools();
    expect(tool?.inputSchema.jsonSchema).toMatchObject({ properties: {} });
    await call(set, "ask", {});
    expect(server.requests).toEqual(["GET /ask"]);
  },
);

test("the report says which credentials are missing", async () => {
  const { notes } = await openapi(secured({ key: [] }, { tls: [] }), {
    baseUrl: "https://a.example",
  }).report();
  expect(notes).toEqual(["1 operations need credentials that auth does not have, for key or tls."]);
});

test("a program's headers or fetch may hold the credentials", async () => {
  server = await serve((_request, response) => void response.end("ok"));
  const set = openapi(secured({ key: [] }), { baseUrl: server.url, headers: { "X-Key": "mine" } });
  await call(set, "ask", {});
  expect(server.requests).toEqual(["GET /ask\nx-key: mine"]);
});

test("a program's cookies are sent beside those of parameters and credentials, and before them", async () => {
  server = await serve((_request, response) => void response.end("ok"));
  const parameters = ["sid", "lang"].map((name) => ({ name, in: "cookie", schema: { type: "string" } }));
  const key = { type: "apiKey", in: "cookie", name: "key" };
  const document = documentOf(
    { security: [{ key: [] }], parameters },
    { components: { securitySchemes: { key } } },
  );
  const headers = { Cookie: "sid=of-the-program; theme=dark" };
  const set = openapi(document, { baseUrl: server.url, headers, auth: { key: "key-1234567890" } });
  await call(set, "ask", { sid: "of-somebody-else", lang: "en" });
  expect(server.requests).toEqual([
    "GET /ask\ncookie: sid=of-the-program; theme=dark; lang=en; key=key-1234567890",
  ]);
});

test("a secret can depend on the run's context", async () => {
  server = await serve((_request, response) => void response.end("ok"));
  const auth = ({ context }: { context: unknown }): string => (context as { token: string }).token;
  const set = openapi(secured({ token: [] }), { baseUrl: server.url, auth });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "ask", arguments: {} }] }, "done"]);
  await run(new Agent({ name: "A", model, tools: [set] }), "go", { context: { token: "of-ann" } });
  expect(server.requests).toEqual(["GET /ask\nauthorization: Bearer of-ann"]);
});

test("reports a secret that a header cannot hold without showing it", async () => {
  server = await serve((_request, response) => void response.end("ok"));
  const text = textOf(
    await call(openapi(secured({ token: [] }), { baseUrl: server.url, auth: "se\ncret" }), "ask", {}),
  );
  expect(text).toMatch(/a credential holds characters that a header cannot/);
  expect(text).not.toContain("cret,");
});

/** A server with tokens that it may take back; they are `t1`, `t2` and so on. */
async function tokenServer(answer: object = {}, status = 200): Promise<{ good: Set<string> }> {
  const good = new Set<string>();
  let made = 0;
  server = await serve(({ url, headers }, response) => {
    if (url === "/token") {
      made += 1;
      good.add(`Bearer t${made}`);
      response
        .writeHead(status)
        .end(JSON.stringify({ access_token: `t${made}`, expires_in: 3_600, ...answer }));
    } else response.writeHead(good.has(headers.authorization ?? "") ? 200 : 401).end("ok");
  });
  return { good };
}

const client = { clientId: "id:1", clientSecret: "s e" };

test("requests a token once, also for concurrent calls, and again shortly before it expires", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  await tokenServer();
  const set = openapi(secured({ client: ["read"] }), { baseUrl: server?.url ?? "", auth: { client } });
  const results = await Promise.all([call(set, "ask", {}), call(set, "ask", {})]);
  expect(results.map(textOf)).toEqual(["ok", "ok"]);
  vi.setSystemTime(3_569_000);
  await call(set, "ask", {});
  const tokens = (): readonly string[] =>
    server?.requests.filter((request) => request.startsWith("POST")) ?? [];
  expect(tokens()).toEqual([
    `POST /token\nauthorization: Basic ${btoa("id%3A1:s%20e")}\ncontent-type: application/x-www-form-urlencoded\n\ngrant_type=client_credentials&scope=read`,
  ]);
  vi.setSystemTime(3_570_001);
  await call(set, "ask", {});
  expect(tokens()).toHaveLength(2);
  expect(server?.requests.at(-1)).toBe("GET /ask\nauthorization: Bearer t2");
});

test("a token that was taken back is replaced once", async () => {
  const { good } = await tokenServer();
  const set = openapi(secured({ client: [] }), { baseUrl: server?.url ?? "", auth: { client } });
  await call(set, "ask", {});
  good.clear();
  expect(textOf(await call(set, "ask", {}))).toBe("ok");
  expect(server?.requests.at(-1)).toBe("GET /ask\nauthorization: Bearer t2");
});

test("a client can show who it is in the body, at an address and with scopes of its own", async () => {
  await tokenServer();
  const own = {
    ...client,
    authentication: "body",
    tokenUrl: `${server?.url}/token`,
    scopes: ["a", "b"],
  } as const;
  const set = openapi(secured({ client: ["read"] }), { baseUrl: server?.url ?? "", auth: { client: own } });
  await call(set, "ask", {});
  expect(server?.requests[0]).toBe(
    "POST /token\ncontent-type: application/x-www-form-urlencoded\n\ngrant_type=client_credentials&scope=a+b&client_id=id%3A1&client_secret=s+e",
  );
});

test("with a baseUrl, a client's secret goes to its origin, or to the tokenUrl that the program gives", async () => {
  const { good } = await tokenServer();
  good.add("Bearer t");
  const elsewhere = await serve((_request, response) => void response.end('{"access_token":"t"}'));
  try {
    const flows = { clientCredentials: { tokenUrl: `${elsewhere.url}/token`, scopes: {} } };
    const schemes = { components: { securitySchemes: { client: { type: "oauth2", flows } } } };
    const document = documentOf({ security: [{ client: [] }] }, schemes);
    const baseUrl = server?.url ?? "";
    const { host } = new URL(elsewhere.url);
    expect(textOf(await call(openapi(document, { baseUrl, auth: { client } }), "ask", {}))).toBe(
      `ask failed: the document's token server ${host} is another than the baseUrl of openapi(). If the client's secret may go there, set tokenUrl beside it: auth: { "client": { clientId, clientSecret, tokenUrl } }`,
    );
    expect(elsewhere.requests).toEqual([]);
    const named = { ...client, tokenUrl: `${elsewhere.url}/token` };
    const auth = { client: named };
    const allowed = openapi(document, { baseUrl, auth, allowPrivateAddresses: true });
    expect(textOf(await call(allowed, "ask", {}))).toBe("ok");
    expect(elsewhere.requests).toHaveLength(1);
  } finally {
    await elsewhere.close();
  }
});

test("a server that gives no token is named, the secret is not, and the next call asks again", async () => {
  await tokenServer({ access_token: undefined, error: "invalid_client" }, 401);
  const set = openapi(secured({ client: [] }), { baseUrl: server?.url ?? "", auth: { client } });
  const host = new URL(server?.url ?? "").host;
  const words = `ask failed: the token server ${host} gave no token (401, invalid_client)`;
  expect(textOf(await call(set, "ask", {}))).toBe(words);
  expect(textOf(await call(set, "ask", {}))).toBe(words);
  expect(server?.requests).toHaveLength(2);
});

test("a token server that sends the secret back as its error does not show it", async () => {
  const secret = { clientId: "id", clientSecret: "s-e-c/r-e-t" };
  await tokenServer({ access_token: undefined, error: "no s-e-c%2Fr-e-t, s-e-c/r-e-t" }, 401);
  const set = openapi(secured({ client: [] }), { baseUrl: server?.url ?? "", auth: { client: secret } });
  expect(textOf(await call(set, "ask", {}))).toMatch(/\(401, no \[redacted\], \[redacted\]\)$/);
});

test("a name that is not one of the document's schemes is refused, with the nearest that is", async () => {
  const set = openapi(secured({ key: [] }), { auth: { kee: "k-123" } });
  await expect(set.tools()).rejects.toMatchObject({
    code: "invalid-option",
    message:
      'auth of openapi() has "kee", which is not a security scheme of the document given to openapi(). Did you mean "key"?',
  });
});
