import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openapi } from "./index.ts";
import { call, serve, textOf } from "./test-api-server.ts";
import { documentOf } from "./test-documents.ts";

const baseUrl = "https://api.example";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-openapi-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const bomb = Array.from(
  { length: 9 },
  (_, index) => `  a${index + 1}: &a${index + 1} [${Array(10).fill(`*a${index}`).join()}]`,
);

test.each([
  ["an array", "[1]\n", /must be an object/],
  ["a text", "just\nwords", /must be an object/],
  ["nothing", "\n", /must be an object/],
  [
    "another kind of document",
    '{"name":"x","version":"1"}',
    /it has name, version at the top, not openapi: "3\.x"/,
  ],
  ["a version to come", '{"openapi":"4.0.0"}', /says version 4\.0\.0/],
  ["an old version", '{"swagger":"1.2"}', /says version 1\.2/],
  ["a page", "<!DOCTYPE html>\n<html>", /is an HTML page/],
  ["broken YAML", "openapi: 3.1.0\npaths: [a: }", /is neither JSON nor YAML: (?!.*document\.yaml)/],
  ["no paths", "openapi: 3.1.0\ninfo: {}", /has no operations/],
  ["paths that are none", "openapi: 3.0.0\npaths: [1]", /has no operations/],
  ["an anchor within itself", "openapi: 3.1.0\npaths: &p\n  /a: *p", /contains itself, by a YAML alias/],
  ["too deep nesting", `{"openapi":"3.1.0","x":${nested(300)}}`, /nested more than 200 levels/],
  [
    "a bomb of aliases",
    `openapi: 3.0.0\nx:\n  a0: &a0 [1]\n${bomb.join("\n")}\npaths: {}`,
    /stands for more than/,
  ],
])("a document that is %s is refused with a clear error", async (_what, text, message) => {
  const tools = openapi(text, { baseUrl }).tools();
  await expect(tools).rejects.toThrow(message);
  await expect(tools).rejects.toMatchObject({ code: "invalid-openapi", name: "ConfigurationError" });
});

test("an object that contains itself is refused with a word on what to give", async () => {
  const document = documentOf({}, { servers: [{ url: "https://a.example" }] });
  document["self"] = document;
  await expect(openapi(document).tools()).rejects.toThrow(/contains itself, .* Pass it with its references/);
});

test("five thousand operations of one name are told apart by numbers", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`/${index}`, { get: { operationId: "same" } }]),
  );
  const { tools } = await openapi({ openapi: "3.1.0", paths }, { baseUrl }).report();
  expect([tools[0], tools[1], tools.at(-1)]).toEqual(["same", "same_2", "same_5000"]);
});

test("a file is read by its path or its URL, and named in errors", async () => {
  const file = await written("one.json", JSON.stringify(documentOf({})));
  expect((await openapi(file, { baseUrl }).report()).tools).toEqual(["ask"]);
  expect((await openapi(pathToFileURL(file), { baseUrl }).report()).tools).toEqual(["ask"]);
  const absent = join(folder, "absent.yaml");
  await expect(openapi(absent).tools()).rejects.toThrow(
    `The OpenAPI document ${absent} cannot be read: ENOENT`,
  );
});

test("reports an address that answers with an error, without its query", async () => {
  const server = await serve((_request, response) => void response.writeHead(404).end());
  const tools = openapi(`${server.url}/openapi.json?token=secret`).tools();
  await expect(tools).rejects.toThrow(
    `The OpenAPI document ${server.url}/openapi.json cannot be read: the server answered 404`,
  );
  await server.close();
});

test("a document that could not be read is tried again", async () => {
  let status = 500;
  const server = await serve((_request, response) => {
    response.writeHead(status).end(JSON.stringify(documentOf({})));
  });
  const api = openapi(`${server.url}/openapi.json`);
  await expect(api.tools()).rejects.toThrow(/the server answered 500/);
  status = 200;
  expect((await api.tools()).map(({ name }) => name)).toEqual(["ask"]);
  expect(await api.tools()).toBe(await api.tools());
  await server.close();
});

test("the program's own object stays as it is", async () => {
  const document = documentOf(
    { parameters: [{ name: "a", in: "query", schema: { type: "string", nullable: true } }] },
    { openapi: "3.0.0" },
  );
  const before = JSON.stringify(document);
  await openapi(document, { baseUrl }).tools();
  expect(JSON.stringify(document)).toBe(before);
});

test("relative servers and none at all need the document's address or a baseUrl", async () => {
  const relative = documentOf({}, { servers: [{ url: "/v1" }] });
  await expect(openapi(relative).tools()).rejects.toThrow(
    'has no operation that can be a tool. Of 1, the first is GET /ask: its server "/v1" is relative, and the document has no address. Pass a baseUrl.',
  );
  await expect(openapi(documentOf({})).tools()).rejects.toThrow(/its server "\/" is relative/);
  const server = await serve((_request, response) => void response.end(JSON.stringify(relative)));
  await call(openapi(`${server.url}/docs/openapi.json`), "ask", {});
  expect(server.requests.at(-1)).toBe("GET /v1/ask");
  await server.close();
});

test.each([
  ["wss://a.example", /has the scheme wss:/],
  ["https://{host}/", /needs a value for host. Pass serverVariables/],
  ["https://u:p@a.example", /has a user or a password/],
  ["https://a.example/v1?key=abc", /has a query or a fragment in its address. Pass a baseUrl without/],
  ["https://a.example/#v1", /has a query or a fragment/],
])("a server %s is a reason", async (url, reason) => {
  await expect(openapi(documentOf({}, { servers: [{ url }] })).tools()).rejects.toThrow(reason);
});

test("server variables are filled in, from those that are allowed", async () => {
  const servers = [
    {
      url: "https://{region}.example/{v}",
      variables: { region: { default: "eu", enum: ["eu", "us"] }, v: { default: 2 } },
    },
  ];
  const addresses: string[] = [];
  const fetch = async (input: unknown): Promise<Response> => {
    addresses.push(String(input));
    return new Response("ok");
  };
  await call(openapi(documentOf({}, { servers }), { fetch }), "ask", {});
  await call(openapi(documentOf({}, { servers }), { fetch, serverVariables: { region: "us" } }), "ask", {});
  expect(addresses).toEqual(["https://eu.example/2/ask", "https://us.example/2/ask"]);
  const wrong = openapi(documentOf({}, { servers }), { serverVariables: { region: "evil.example/" } });
  await expect(wrong.tools()).rejects.toThrow(/needs a value for region/);
});

test("operations that cannot be tools are left out one by one, each with its reason", async () => {
  const idInPath = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const path = (operation: unknown): unknown => ({ get: operation });
  const paths = {
    "/fine": path({}),
    "/no-object": path("words"),
    "/circle": path({ parameters: [{ $ref: "#/components/parameters/A" }] }),
    "/nothing": path({ parameters: [{ $ref: "#/components/parameters/None" }] }),
    "/nowhere": path({ parameters: [{ name: "q", in: "querystring" }] }),
    "/unfilled/{id}": path({}),
    "/query?id={id}": path({ parameters: [idInPath] }),
    "/fragment#{id}": path({ parameters: [idInPath] }),
    "/split/{a?b}": path({ parameters: [{ ...idInPath, name: "a?b" }] }),
    "/nested/{a{id}}": path({ parameters: [idInPath] }),
    "/lost-parameter": path({ parameters: [idInPath] }),
    "/fixed/{id}?v=1": path({ parameters: [idInPath] }),
    "/body": path({ requestBody: { required: true, content: { "application/json": {} } } }),
    "/lost-body": { post: { requestBody: { $ref: "#/components/requestBodies/None" } } },
    "/reference": { $ref: "#/components/pathItems/None" },
    "/scalar": 5,
  };
  const components = {
    parameters: { A: { $ref: "#/components/parameters/B" }, B: { $ref: "#/components/parameters/A" } },
  };
  const report = await openapi({ openapi: "3.1.0", paths, components }, { baseUrl }).report();
  expect(report.tools).toEqual(["get_fine", "get_fixed_id_v_1"]);
  expect(report.operations).toBe(16);
  expect(report.leftOut.map(({ method, path, reason }) => `${method} ${path}: ${reason}`)).toEqual([
    "GET /no-object: it must be an object",
    "GET /circle: one of its parameters has no name, or is a reference that names nothing",
    "GET /nothing: one of its parameters has no name, or is a reference that names nothing",
    'GET /nowhere: its parameter q is in "querystring", which is not a place for parameters',
    "GET /unfilled/{id}: no parameter is declared for {id} in its path",
    "GET /query?id={id}: {id} stands in the query or the fragment of its path, where nothing is filled in",
    "GET /fragment#{id}: {id} stands in the query or the fragment of its path, where nothing is filled in",
    "GET /split/{a?b}: {a?b} stands in the query or the fragment of its path, where nothing is filled in",
    "GET /nested/{a{id}}: no parameter is declared for {a} in its path",
    "GET /lost-parameter: its path has no place for its parameter id",
    "GET /body: it needs a body, which a request with GET cannot have",
    "POST /lost-body: its request body is a reference that names nothing",
    "* /reference: its path must be an object, or a reference that can be resolved",
    "* /scalar: its path must be an object, or a reference that can be resolved",
  ]);
});

test("names are legal for every provider, and each one is there once", async () => {
  const ids = [
    "a b",
    "a-b",
    "a_b",
    "a/b",
    "é",
    "x".repeat(80),
    `${"x".repeat(70)}y`,
    "__proto__",
    "constructor",
  ];
  const paths = Object.fromEntries(ids.map((operationId, index) => [`/${index}`, { get: { operationId } }]));
  const tools = await openapi({ openapi: "3.1.0", paths }, { baseUrl }).tools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual([
    "a_b",
    "a-b",
    "a_b_2",
    "a_b_3",
    "unnamed",
    "x".repeat(64),
    `${"x".repeat(62)}_2`,
    "proto",
    "constructor",
  ]);
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
});

test("references to other files are followed, also back and forth", async () => {
  const main = await written(
    "main.yaml",
    `openapi: 3.0.0
servers: [{ url: https://api.example }]
paths:
  /pets: { $ref: "paths/pets.yaml#/pets" }
  /lost: { get: { parameters: [{ $ref: "absent.yaml#/x" }] } }
components: { schemas: { Name: { type: string, maxLength: 9 } } }
`,
  );
  await (await import("node:fs/promises")).mkdir(join(folder, "paths"), { recursive: true });
  await written(
    "paths/pets.yaml",
    `pets:
  post:
    operationId: addPet
    parameters: [{ $ref: "../shared.json#/Limit" }]
    requestBody: { content: { application/json: { schema: { $ref: "#/Pet" } } } }
Pet: { type: object, properties: { name: { $ref: "../main.yaml#/components/schemas/Name" }, child: { $ref: "#/Pet" } } }
`,
  );
  await written(
    "shared.json",
    '{"Limit":{"name":"limit","in":"query","schema":{"type":"integer","nullable":true}}}',
  );
  const api = openapi(main);
  const [tool] = await api.tools();
  expect(tool?.inputSchema.jsonSchema).toEqual({
    type: "object",
    properties: { limit: { type: ["integer", "null"] }, body: { $ref: "#/$defs/Pet" } },
    additionalProperties: false,
    $defs: {
      Pet: { type: "object", properties: { name: { $ref: "#/$defs/Name" }, child: { $ref: "#/$defs/Pet" } } },
      Name: { type: "string", maxLength: 9 },
    },
  });
  const { leftOut, notes } = await api.report();
  expect(leftOut).toHaveLength(1);
  expect(notes).toEqual([`${join(folder, "absent.yaml")}, which the document refers to, cannot be read.`]);
});

test("a document from the network can name neither files nor private addresses", async () => {
  const secret = await written(
    "secret.json",
    '{"S":{"name":"leaked","in":"query","schema":{"type":"string"}}}',
  );
  const inner = await serve((_request, response) => void response.end('{"S":{"name":"inner","in":"query"}}'));
  const own = documentOf({}, { servers: [{ url: "https://api.example" }] });
  const paths = {
    "/own": { get: { parameters: [{ $ref: "/parts.json#/S" }] } },
    "/file": { get: { parameters: [{ $ref: `${pathToFileURL(secret).href}#/S` }] } },
    "/inner": { get: { parameters: [{ $ref: `${inner.url}/x.json#/S` }] } },
  };
  const server = await serve(({ url }, response) => {
    const part = { S: { name: "part", in: "query", schema: { type: "string" } } };
    response.end(JSON.stringify(url === "/parts.json" ? part : { ...own, paths }));
  });
  const api = openapi(`${server.url}/openapi.json`);
  const report = await api.report();
  expect(report.tools).toEqual(["get_own"]);
  expect(report.leftOut.map(({ path }) => path)).toEqual(["/file", "/inner"]);
  expect(inner.requests).toEqual([]);
  await Promise.all([server.close(), inner.close()]);
});

test.each([
  ["openapi: 3.1.0\npaths: {}", "@apidevtools/json-schema-ref-parser"],
  ['{"openapi":"3.0.0","paths":{}}', "@scalar/openapi-upgrader"],
])("a package that is not installed is named with how to install it", async (document, name) => {
  vi.doMock(name, () => {
    throw new Error("not found");
  });
  const tools = openapi(document).tools();
  await expect(tools).rejects.toMatchObject({ code: "missing-package", data: { package: name } });
  await expect(tools).rejects.toThrow(`npm install ${name}`);
  vi.doUnmock(name);
});

test("a tool whose path is long has a name that fits, and a description that says what it does", async () => {
  const description = `<p>First <b>sentence</b>.</p>\n\n\n${"More words. ".repeat(200)}`;
  const paths = {
    [`/${"very/".repeat(30)}long`]: { get: { description } },
    "/short": { get: { summary: "Short", description: "Short. And more." } },
  };
  const [long, short] = await openapi({ openapi: "3.1.0", paths }, { baseUrl }).tools();
  expect(long?.name).toHaveLength(64);
  expect(long?.description).toMatch(/^First sentence \.\nMore words\./);
  expect(long?.description?.length).toBeLessThanOrEqual(700);
  expect(short?.description).toBe("Short. And more.");
  expect(
    textOf(await call(openapi(documentOf({}), { baseUrl: "http://127.0.0.1:9" }), "ask", { no: 1 })),
  ).toMatch(/no/);
});
