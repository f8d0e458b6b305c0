import { promises as dns } from "node:dns";
import { expect, test, vi } from "vitest";
import { Agent, run } from "../../index.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { openapi } from "./index.ts";
import { call, serveTest, type TestServer, textOf } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

/** A server that sends everybody on to another address. */
function redirecting(target: () => string, status = 302): Promise<TestServer> {
  return serveTest((_request, response) => void response.writeHead(status, { location: target() }).end());
}

const answering = (): Promise<TestServer> => serveTest((_request, response) => void response.end("here"));

test("a redirect to an address that is not one of the API's servers is not followed", async () => {
  const elsewhere = await answering();
  const api = await redirecting(() => `${elsewhere.url}/stolen?with=data`);
  const set = openapi(documentOf({}), { baseUrl: api.url, allowPrivateAddresses: true });
  const result = await call(set, "ask", {});
  expect(textOf(result)).toBe(
    `ask failed: the server redirects to ${elsewhere.url}, which is not one of the API's servers: not followed`,
  );
  expect(elsewhere.requests).toEqual([]);
});

test("a fetch that follows redirects by itself does not get its answer to the model", async () => {
  const elsewhere = await answering();
  const api = await redirecting(() => elsewhere.url);
  const follows: typeof fetch = (input, init) => fetch(input, { ...init, redirect: "follow" });
  const result = await call(openapi(documentOf({}), { baseUrl: api.url, fetch: follows }), "ask", {});
  expect(textOf(result)).toMatch(/which is not one of the API's servers/);
});

const bearer = { components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } } };

/** The requests of a call to `/v1/ask` whose server answers with one redirect, and the result. */
async function redirectedOnce(
  method: string,
  status: number,
  location: string,
): Promise<{ readonly requests: readonly string[]; readonly text: string }> {
  const api = await serveTest(({ url }, response) => {
    if (url === "/v1/ask") response.writeHead(status, { location }).end();
    else response.end("arrived");
  });
  const document = documentOf({ security: [{ key: [] }] }, { method, ...bearer });
  const set = openapi(document, { baseUrl: `${api.url}/v1`, auth: "secret-token", approval: "none" });
  const text = textOf(await call(set, "ask", {}));
  return { requests: api.requests, text };
}

test.each([
  ["get", 307, "/v1/there?x=1", "GET /v1/there?x=1"],
  ["post", 307, "/v1/ask/", "POST /v1/ask/"],
  ["post", 303, "/v1/there", "GET /v1/there"],
  ["delete", 302, "/v1/ask/?x=1", "DELETE /v1/ask/?x=1"],
])("%s with a redirect %i to %s is followed with the credentials", async (method, status, to, line) => {
  const { requests, text } = await redirectedOnce(method, status, to);
  expect(text).toBe("arrived");
  expect(requests[1]).toBe(`${line}\nauthorization: Bearer secret-token`);
});

test.each([
  ["get", 302, "/tenants/other"],
  ["get", 302, "/v1/../v2/ask"],
  ["get", 302, "/v1/%2e%2e/v2"],
  ["get", 302, "/v1/..%2fv2"],
  ["get", 302, "/v12/ask"],
  ["post", 307, "/tenants/other/wipe"],
  ["post", 308, "/v1/wipe"],
  ["put", 302, "/v1/wipe"],
  ["delete", 301, "/v1/ask/all"],
])("%s with a redirect %i to %s is not followed", async (method, status, to) => {
  const { requests, text } = await redirectedOnce(method, status, to);
  expect(text).toMatch(/redirects .* to another path of http.*: not followed$/);
  expect(requests).toHaveLength(1);
});

test.each(["post", "put", "patch", "delete", "query"])(
  "a call with %s waits for approval",
  async (method) => {
    const set = openapi(documentOf({}, { method }), { baseUrl: "https://a.example" });
    const agent = new Agent({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [{ toolName: "ask", arguments: {} }] }]),
      tools: [set],
    });
    expect((await run(agent, "go")).pending).toHaveLength(1);
  },
);

test("a redirect to another of the API's servers is followed without credentials, headers and cookies", async () => {
  const second = await answering();
  const first = await redirecting(() => `${second.url}/there`, 303);
  const document = documentOf(
    { security: [{ key: [] }], parameters: [{ name: "X-Own", in: "header", schema: {} }] },
    {
      method: "post",
      servers: [{ url: first.url }, { url: second.url }],
      components: { securitySchemes: { key: { type: "apiKey", in: "cookie", name: "sid" } } },
    },
  );
  const options = {
    auth: "secret",
    headers: { "x-tenant": "t" },
    allowPrivateAddresses: true,
    approval: "none",
  } as const;
  expect(textOf(await call(openapi(document, options), "ask", { "X-Own": "own" }))).toBe("here");
  expect(first.requests).toEqual(["POST /ask\ncookie: sid=secret\nx-own: own\nx-tenant: t"]);
  expect(second.requests).toEqual(["GET /there"]);
});

test.each([301, 302])(
  "a POST with a redirect %i is not made a GET, which would look like a success",
  async (status) => {
    const { requests, text } = await redirectedOnce("post", status, "/v1/ask/");
    expect(text).toContain(
      `redirects a POST with ${status}, after which it would be a GET without a body: not followed`,
    );
    expect(requests).toHaveLength(1);
  },
);

test("endless redirects come to an end", async () => {
  let count = 0;
  const api = await redirecting(() => `/again/${count++}`);
  const result = await call(openapi(documentOf({}), { baseUrl: api.url }), "ask", {});
  expect(textOf(result)).toMatch(/redirects more than 5 times/);
  expect(api.requests).toHaveLength(6);
});

test.each([
  ["post", 307, "/ask", 1],
  ["post", 308, "/ask#again", 1],
  ["patch", 308, "", 1],
  ["put", 302, "/ask", 1],
  ["delete", 301, "/ask", 1],
  ["get", 302, "/ask", 1],
  // Answered with 303, a POST goes on with GET.
  ["post", 303, "/ask", 2],
])("%s with a redirect %i to its own address %j is sent once", async (method, status, to, count) => {
  const api = await redirecting(() => to, status);
  const set = openapi(documentOf({}, { method }), { baseUrl: api.url, approval: "none" });
  expect(textOf(await call(set, "ask", {}))).toMatch(/the server redirects in a circle: not followed$/);
  expect(api.requests).toHaveLength(count);
});

test("two addresses that redirect to each other get one request each", async () => {
  const api = await serveTest(({ url }, response) => {
    response.writeHead(307, { location: url === "/ask" ? "/ask/" : "/ask" }).end();
  });
  const set = openapi(documentOf({}, { method: "post" }), { baseUrl: api.url, approval: "none" });
  expect(textOf(await call(set, "ask", {}))).toMatch(/redirects in a circle/);
  expect(api.requests).toEqual(["POST /ask", "POST /ask/"]);
});

test("servers in private networks are not asked unless that is allowed", async () => {
  const api = await answering();
  const document = documentOf({}, { servers: [{ url: api.url }] });
  const refused = await call(openapi(document), "ask", {});
  expect(textOf(refused)).toMatch(/is an address of a private network: not asked \(allowPrivateAddresses/);
  expect(api.requests).toEqual([]);
  expect(textOf(await call(openapi(document, { allowPrivateAddresses: true }), "ask", {}))).toBe("here");
  expect(textOf(await call(openapi(documentOf({}), { baseUrl: api.url }), "ask", {}))).toBe("here");
});

test("a name that resolves to a private address is not asked", async () => {
  const lookup = vi.spyOn(dns, "lookup");
  lookup.mockImplementation((async () => [
    { address: "93.184.216.34", family: 4 },
    { address: "10.0.0.7", family: 4 },
  ]) as unknown as typeof dns.lookup);
  const fetching = vi.spyOn(globalThis, "fetch");
  const set = openapi(documentOf({}, { servers: [{ url: "https://rebind.example" }] }));
  expect(textOf(await call(set, "ask", {}))).toMatch(/rebind\.example is an address of a private network/);
  expect(lookup).toHaveBeenCalledWith("rebind.example", { all: true });
  expect(fetching).not.toHaveBeenCalled();
});

test.each([
  ["..", "a step of the path /users/{id}/posts is . or .."],
  [".", "a step of the path /users/{id}/posts is . or .."],
  ["", "id is empty, and a path has no place for that"],
])("a path parameter %j is refused with a word to the model", async (id, message) => {
  const api = await answering();
  const document = documentOf(
    { parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }] },
    { path: "/users/{id}/posts" },
  );
  const result = await call(openapi(document, { baseUrl: `${api.url}/v1` }), "ask", { id });
  expect(textOf(result)).toContain(message);
  expect(api.requests).toEqual([]);
});

test.each(["/../admin", "/./../admin", "/a/../../admin", "/%2e%2e/admin", String.raw`/..\admin`])(
  "the path %s of a document does not leave baseUrl",
  async (path) => {
    const api = await answering();
    const result = await call(openapi(documentOf({}, { path }), { baseUrl: `${api.url}/v1` }), "ask", {});
    expect(textOf(result)).toContain("is . or .., which would lead elsewhere");
    expect(api.requests).toEqual([]);
  },
);

test.each([[[]], [[""]], [["", ""]]])("a path parameter of the list %j is refused", async (ids) => {
  const api = await answering();
  const schema = { type: "array", items: { type: "string" } };
  const document = documentOf(
    { parameters: [{ name: "ids", in: "path", required: true, schema }] },
    { path: "/users/{ids}" },
  );
  const result = await call(openapi(document, { baseUrl: api.url }), "ask", { ids });
  expect(textOf(result)).toContain("ids is empty, and a path has no place for that");
  expect(api.requests).toEqual([]);
});

test.each(["../../admin", "%2e%2e/admin", "a/../b", String.raw`..\..\x`, "x?admin=1#y", "//evil.example"])(
  "a path parameter %j stays within its segment",
  async (id) => {
    const api = await answering();
    const document = documentOf(
      { parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }] },
      { path: "/users/{id}/posts" },
    );
    await call(openapi(document, { baseUrl: `${api.url}/v1` }), "ask", { id });
    const [path = ""] = api.requests;
    expect(path).toBe(`GET /v1/users/${encodeURIComponent(id)}/posts`);
    expect(path.split("/")).toHaveLength(5);
  },
);

test.each(["a\r\nx-admin: 1", "a\nb", "a\0b", "ü€"])("a header %j is refused", async (value) => {
  const api = await answering();
  const document = documentOf({ parameters: [{ name: "X-Note", in: "header", schema: { type: "string" } }] });
  const result = await call(openapi(document, { baseUrl: api.url }), "ask", { "X-Note": value });
  expect(textOf(result)).toMatch(/X-Note holds characters that a header cannot/);
  expect(api.requests).toEqual([]);
});

/** A call with the argument `filter` of an API with the parameters `filter` and `role`, and keys `api_key` and `sid`. */
async function filtered(
  place: string,
  filter: object,
  schema: object,
): Promise<{ readonly requests: readonly string[]; readonly text: string }> {
  const api = await answering();
  const key = place === "cookie" ? "sid" : "api_key";
  const document = documentOf(
    {
      security: [{ key: [] }],
      parameters: [
        { name: "filter", in: place, schema },
        { name: "role", in: place, schema: { type: "string" } },
      ],
    },
    {
      path: "/ask?fixed=1",
      components: { securitySchemes: { key: { type: "apiKey", in: place, name: key } } },
    },
  );
  const result = await call(openapi(document, { baseUrl: api.url, auth: "k" }), "ask", {
    filter,
    role: "user",
  });
  return { requests: api.requests, text: textOf(result) };
}

const free = { type: "object", additionalProperties: { type: "string" } };

test.each([
  ...[
    "api_key",
    "API_KEY",
    "api.key",
    "api key",
    "apiKey",
    "api_key[]",
    "api_key[x]",
    "access_token",
    "fixed",
  ].map((name) => ["query", name]),
  ...["role", "Role", "role[]", "role.name", "_method", "", "[]"].map((name) => ["query", name]),
  ...["sid", "SID", "role"].map((name) => ["cookie", name]),
])("an object in the %s cannot have the property %j of another parameter", async (place, name) => {
  const { requests, text } = await filtered(place, { color: "red", [name]: "EVIL" }, free);
  expect(text).toContain(`filter has the property ${JSON.stringify(name)}, which would be another parameter`);
  expect(requests).toEqual([]);
});

test("an object in a query has the properties of its schema, and others where the schema lets it", async () => {
  const sent = async (filter: object, schema: object): Promise<string> => {
    const { requests, text } = await filtered("query", filter, schema);
    return requests[0] ?? text;
  };
  const listed = { type: "object", properties: { color: {}, role: {}, api_key: {} } };
  expect(await sent({ color: "red", size: 1 }, free)).toMatch(
    /fixed=1&color=red&size=1&role=user&api_key=k$/,
  );
  expect(await sent({ color: "red" }, { type: "object" })).toMatch(/fixed=1&color=red&role=user&api_key=k$/);
  expect(await sent({ color: "red", role: "x" }, listed)).toMatch(/color=red&role=x&role=user&api_key=k$/);
  expect(await sent({ color: "red", admin: "1" }, listed)).toContain(
    'filter has no property "admin". It has: color, role, api_key',
  );
  expect(await sent({ api_key: "EVIL" }, listed)).toContain("which would be another parameter");
});

test.each(["path", "query", "cookie"])(
  "half a character in the %s is an error to the model",
  async (place) => {
    const api = await answering();
    const document = documentOf(
      { parameters: [{ name: "id", in: place, required: true, schema: {} }] },
      { path: place === "path" ? "/users/{id}" : "/users" },
    );
    const result = await call(openapi(document, { baseUrl: api.url }), "ask", { id: ["a\ud800"] });
    expect(textOf(result)).toContain("id holds half of a character");
    expect(api.requests).toEqual([]);
  },
);

test("the model can set neither the program's headers nor credentials", async () => {
  const api = await answering();
  const document = documentOf(
    {
      security: [{ key: [] }],
      parameters: ["X-Tenant", "X-Key", "Authorization", "Cookie"].map((name) => ({
        name,
        in: "header",
        schema: {},
      })),
    },
    { components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } } } },
  );
  const set = openapi(document, {
    baseUrl: api.url,
    headers: { "x-tenant": "mine" },
    auth: { key: "secret" },
  });
  const [tool] = await set.tools();
  expect(tool?.inputSchema.jsonSchema["properties"]).toEqual({});
  await call(set, "ask", {});
  expect(api.requests).toEqual(["GET /ask\nx-key: secret\nx-tenant: mine"]);
});

test("secrets that a server sends back, or that stand in its errors, are hidden from the model", async () => {
  const api = await serveTest(({ url = "" }, response) => {
    response.writeHead(url.includes("ok") ? 200 : 403, { "content-type": "application/json" });
    response.end(`{"echo":"${url}","key":"sesame-1234"}`);
  });
  const document = documentOf(
    { security: [{ key: [] }], parameters: [{ name: "q", in: "query", schema: {} }] },
    { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } } } },
  );
  const set = openapi(document, { baseUrl: api.url, auth: "sesame-1234" });
  expect(textOf(await call(set, "ask", { q: "no" }))).toBe(
    'ask failed: 403 Forbidden: {"echo":"/ask?q=no&key=[redacted]","key":"[redacted]"}',
  );
  expect(textOf(await call(set, "ask", { q: "ok" }))).toBe(
    '{"echo":"/ask?q=ok&key=[redacted]","key":"[redacted]"}',
  );
});

test("a server that is not there is an error without the address's query", async () => {
  const api = await answering();
  await api.close();
  const document = documentOf(
    { security: [{ key: [] }] },
    { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } } } },
  );
  const result = await call(openapi(document, { baseUrl: api.url, auth: "sesame" }), "ask", {});
  expect(textOf(result)).toBe(`ask failed: no connection to ${new URL(api.url).host} (ECONNREFUSED)`);
});

test.each(["query", "cookie"])(
  "thousands of parameters in a %s are read in linear time",
  { timeout: 20_000 },
  async (place) => {
    const parameters = Array.from({ length: 8_000 }, (_, index) => ({
      name: `p${index}`,
      in: place,
      schema: { type: "string" },
    }));
    const result = await call(openapi(documentOf({ parameters }), { baseUrl: "http://127.0.0.1:9" }), "ask", {
      p1: "x",
    });
    expect(textOf(result)).toContain("ask failed");
  },
);
