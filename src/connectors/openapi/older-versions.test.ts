import { afterAll, beforeAll, expect, test } from "vitest";
import { openapi, type OpenApiToolset } from "./index.ts";
import { call, fixture, serve, type TestServer, textOf } from "./test-api-server.ts";

let server: TestServer;
let two: OpenApiToolset;
let three: OpenApiToolset;

beforeAll(async () => {
  server = await serve(({ url = "" }, response) => {
    const documents = new Map([
      ["/two.yaml", fixture("swagger-two.yaml")],
      ["/three.yaml", fixture("openapi-three-zero.yaml")],
      ["/v2/token", '{"access_token":"fresh"}'],
      ["/token", '{"access_token":"fresh"}'],
    ]);
    response.setHeader("content-type", "application/json");
    response.end(documents.get(url) ?? "{}");
  });
  const auth = {
    key: "k1",
    user: { username: "ann", password: "pw" },
    client: { clientId: "id", clientSecret: "secret" },
  };
  two = openapi(`${server.url}/two.yaml`, { auth, approval: "none" });
  three = openapi(`${server.url}/three.yaml`, { approval: "none" });
});

afterAll(() => server.close());

const json = "content-type: application/json";
const multipart = "content-type: multipart/form-data; boundary=BOUNDARY";

test.each([
  ["csv", { v: ["a", "b"] }, "GET /v2/csv?v=a,b&key=k1"],
  ["ssv", { v: ["a", "b"] }, "GET /v2/ssv?v=a%20b&key=k1"],
  ["tsv", { v: ["a", "b"] }, "GET /v2/tsv?v=a%09b&key=k1"],
  ["pipes", { v: ["a", "b"] }, "GET /v2/pipes?v=a%7Cb&key=k1"],
  ["multi", { v: ["a", "b"] }, "GET /v2/multi?v=a&v=b&key=k1"],
  ["pathPipes", { v: ["a", "b"] }, "GET /v2/path-pipes/a%7Cb?key=k1"],
  ["headerPipes", { "X-V": ["a", "b"] }, "GET /v2/header-pipes?key=k1\nx-v: a|b"],
  [
    "sharedPut",
    { id: "1", limit: 2, body: { kind: "Small", size: 3 } },
    `PUT /v2/shared/1?limit=2&key=k1\n${json}\n\n{"kind":"Small","size":3}`,
  ],
  ["sharedPost", { id: "1", body: { a: 1 } }, `POST /v2/shared/1?key=k1\n${json}\n\n{"a":1}`],
  ["sharedGet", { id: "1", limit: [1, 2] }, "GET /v2/shared/1?limit=1,2&key=k1"],
  [
    "form",
    { body: { a: "x y", b: ["1", "2"], c: ["3", "4"] } },
    "POST /v2/form?key=k1\ncontent-type: application/x-www-form-urlencoded\n\na=x+y&b=1,2&c=3&c=4",
  ],
  [
    "upload",
    { body: { file: { text: "hi", name: "a.txt", mediaType: "text/plain" }, note: "n" } },
    `POST /v2/upload?key=k1\n${multipart}\n\n--BOUNDARY
content-disposition: form-data; name="file"; filename="a.txt"
content-type: text/plain

hi
--BOUNDARY
content-disposition: form-data; name="note"

n
--BOUNDARY--
`,
  ],
  ["xml", { body: "<a/>" }, "POST /v2/xml?key=k1\ncontent-type: application/xml; charset=utf-8\n\n<a/>"],
  ["basic", {}, "GET /v2/basic\nauthorization: Basic YW5uOnB3"],
  ["client", {}, "GET /v2/client\nauthorization: Bearer fresh"],
  ["open", {}, "GET /v2/open"],
])("%s of Swagger 2.0 arrives as the document says", async (name, args, request) => {
  const result = await call(two, name, args);
  expect(result, JSON.stringify(result)).toMatchObject({ isError: false });
  expect(server.requests.at(-1)).toBe(request);
});

test("what is broken in a Swagger 2.0 document is left out alone", async () => {
  const { tools, leftOut } = await two.report();
  expect(tools).toHaveLength(16);
  expect(leftOut).toEqual([
    { method: "GET", path: "/broken", operationId: "broken", reason: "one of its parameters names nothing" },
  ]);
});

test("kinds of an object, nullable and read-only properties survive from Swagger 2.0", async () => {
  const tool = (await two.tools()).find(({ name }) => name === "sharedPut");
  const { $defs, properties } = tool?.inputSchema.jsonSchema ?? {};
  expect($defs).toMatchObject({
    Thing: {
      properties: { kind: { type: "string" }, note: { type: ["string", "null"] } },
      required: ["kind"],
    },
  });
  expect(($defs as { Thing: { properties: object } }).Thing.properties).not.toHaveProperty("id");
  expect(properties).toMatchObject({
    body: {
      anyOf: [{ $ref: "#/$defs/Small", properties: { kind: { const: "Small" } } }, { $ref: "#/$defs/Thing" }],
    },
  });
});

test("everything that OpenAPI 3.0 calls nullable may be null", async () => {
  const body = { plain: null, reference: null, either: null, choice: null };
  const result = await call(three, "nullable", { body });
  expect(result.isError, textOf(result)).toBe(false);
  expect(server.requests.at(-1)).toBe(`POST /v3/nullable\n${json}\n\n${JSON.stringify(body)}`);
  expect(textOf(await call(three, "nullable", { body: { ...body, above: 3 } }))).toMatch(/above/);
});

test("files of OpenAPI 3.0 are files, and base64 stays text", async () => {
  await call(three, "upload", { body: { file: { base64: "AA==" }, code: "QUI=" } });
  expect(server.requests.at(-1)).toBe(`POST /v3/upload\n${multipart}\n\n--BOUNDARY
content-disposition: form-data; name="file"; filename="file"
content-type: application/octet-stream

\u0000
--BOUNDARY
content-disposition: form-data; name="code"

QUI=
--BOUNDARY--
`);
  await call(three, "raw", { body: { text: "bytes" } });
  expect(server.requests.at(-1)).toBe("PUT /v3/raw\ncontent-type: application/octet-stream\n\nbytes");
});

/** A Swagger 2.0 document of the operation `ask`. */
function swagger(more: object, operation: object = {}): Record<string, unknown> {
  const ask = { operationId: "ask", responses: {}, ...operation };
  const host = server.url.replace("http://", "");
  return {
    swagger: "2.0",
    info: { title: "T", version: "1" },
    host,
    paths: { "/ask": { post: ask } },
    ...more,
  };
}

async function requestOf(document: Record<string, unknown>, args: object = {}): Promise<string | undefined> {
  const set = openapi(document, { approval: "none", allowPrivateAddresses: true });
  await call(set, "ask", args);
  return server.requests.at(-1);
}

test("a base path of Swagger 2.0 without a slash stays apart from the host", async () => {
  expect(await requestOf(swagger({ schemes: ["http"], basePath: "v1" }))).toBe("POST /v1/ask");
  const report = openapi(swagger({ host: "api.example", basePath: "v1" }), { approval: "none" });
  expect(JSON.stringify(await report.report())).not.toContain("api.examplev1");
});

test.each(["http://api.example", "api.example/v1", "api example", ""])(
  "the host %j of Swagger 2.0 is refused",
  async (host) => {
    await expect(openapi(swagger({ host })).tools()).rejects.toThrow(
      "its host must be a name such as api.example.com",
    );
  },
);

test("schemes of Swagger 2.0: an operation's own count, and https goes first", async () => {
  const requested: string[] = [];
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    requested.push(String(input instanceof Request ? input.url : input));
    return Response.json({});
  };
  const own = swagger({ host: "93.184.216.34", schemes: ["http"], basePath: "/v1" }, { schemes: ["https"] });
  const both = swagger({ host: "93.184.216.34", schemes: ["http", "https"] });
  for (const document of [own, both]) await call(openapi(document, { approval: "none", fetch }), "ask", {});
  expect(requested).toEqual(["https://93.184.216.34/v1/ask", "https://93.184.216.34/ask"]);
});

test("lists in forms of Swagger 2.0 are separated as they say", async () => {
  const formats = ["csv", "ssv", "tsv", "pipes", "multi"];
  const parameters = formats.map((name) => ({
    name,
    in: "formData",
    type: "array",
    items: { type: "string" },
    collectionFormat: name,
  }));
  const body = Object.fromEntries(formats.map((name) => [name, ["1", "2"]]));
  const sent = await requestOf(swagger({ schemes: ["http"] }, { parameters }), { body });
  expect(sent?.split("\n\n")[1]).toBe("csv=1,2&ssv=1+2&tsv=1%092&pipes=1%7C2&multi=1&multi=2");
});

test.each([
  ["application/x-www-form-urlencoded", { name: "amount", in: "formData", type: "integer" }],
  ["multipart/form-data", { name: "file", in: "formData", type: "file" }],
])("a form (%s) is required where one of its fields is", async (type, field) => {
  const documented = (required: boolean): Record<string, unknown> => ({
    swagger: "2.0",
    info: { title: "t", version: "1" },
    consumes: [type],
    paths: { "/a": { post: { operationId: "send", parameters: [{ ...field, required }] } } },
  });
  const asks = server.requests.length;
  const options = { baseUrl: server.url, approval: "none" } as const;
  const missing = await call(openapi(documented(true), options), "send", {});
  expect(missing.outcome).toBe("invalid-arguments");
  expect(server.requests).toHaveLength(asks);
  expect((await call(openapi(documented(false), options), "send", {})).outcome).toBe("success");
});
